/** A square image as three planes of floats from 0 to 1, in steps of 1/255. */
export type Tile = { name: string; side: number; planes: Float32Array };

export type Rgb = { data: Uint8Array; width: number; height: number };

type ColorTransform = (rgb: [number, number, number]) => [number, number, number];

const clamp = (value: number) => Math.max(0, Math.min(255, Math.round(value)));

export function cutSquare(
  image: Rgb,
  { x, y, side, name }: { x: number; y: number; side: number; name: string },
  color: ColorTransform = (rgb) => rgb,
): Tile {
  const planes = new Float32Array(3 * side * side);
  for (let i = 0; i < side * side; i++) {
    const from = ((y + Math.floor(i / side)) * image.width + x + (i % side)) * 3;
    const [r, g, b] = image.data.subarray(from, from + 3) as unknown as [number, number, number];
    color([r, g, b]).forEach((value, c) => {
      planes[c * side * side + i] = clamp(value) / 255;
    });
  }
  return { name, side, planes };
}

/** Returns a conversion that multiplies the saturation by `factor` and reorders the channels. */
export const makeRecolor =
  (factor: number, order: readonly [number, number, number]): ColorTransform =>
  (rgb) => {
    const mean = (rgb[0] + rgb[1] + rgb[2]) / 3;
    return order.map((c) => mean + ((rgb[c] as number) - mean) * factor) as [number, number, number];
  };

/**
 * Returns a linear congruential generator for numbers from 0 to 1 (exclusive). The same seed gives the same numbers on
 * every machine.
 */
export function makeRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}
