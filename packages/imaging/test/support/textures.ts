import { decodeFile } from './image-files.ts';
import { type Image, makeImage } from './images.ts';

/** `noise`: range of the noise. */
type Options = { width?: number; height?: number; channels?: Image['channels']; noise?: number };

/** A seamless texture of waves with whole periods, and noise that has the same statistics everywhere. */
export function makeTexture({ width = 44, height = 36, channels = 3, noise = 9 }: Options = {}): Image {
  let bits = 7;
  const grain = Array.from({ length: width * height }, () => {
    bits = (Math.imul(bits, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (bits >>> 16) % noise;
  });
  return makeImage({ width, height, channels }, (x, y) => {
    const [u, v] = [(2 * Math.PI * x) / width, (2 * Math.PI * y) / height];
    const wave = 50 * Math.sin(3 * u + v) + 40 * Math.cos(2 * v - u + 1) + (grain[y * width + x] ?? 0);
    const samples = [125 + wave, 120 - wave / 2, 130 + 30 * Math.sin(u + 2 * v + 2)];
    const alpha = 170 + 80 * Math.sin(2 * u - v + 0.7);
    return channels % 2 === 0 ? [...samples.slice(0, channels - 1), alpha] : samples;
  });
}

/**
 * Returns how large the differences of neighbors across the seams of the tiled image are, relative to all others. About
 * 1 means that the seams can't be found. `side`: side of the blocks that a network or a format repeats pixels in. Only
 * differences between blocks are compared.
 */
export function seamOf({ width, height, channels, data }: Image, side = 1): number {
  const at = (x: number, y: number) => ((y % height) * width + (x % width)) * channels;
  const [seam, inside] = [
    { sum: 0, count: 0 },
    { sum: 0, count: 0 },
  ];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (const [dx, dy] of [
        [1, 0],
        [0, 1],
      ] as const) {
        if ((x * dx + y * dy + 1) % side !== 0) continue;
        const group = x + dx === width || y + dy === height ? seam : inside;
        for (let c = 0; c < channels; c++)
          group.sum += Math.abs((data[at(x + dx, y + dy) + c] ?? 0) - (data[at(x, y) + c] ?? 0));
        group.count += channels;
      }
  return seam.sum / seam.count / (inside.sum / inside.count);
}

/** Maximum of `seamOf` for a result without visible seams. */
export const seamless = 1.2;

/** Returns an image, repeated in two columns and two rows. */
export const doubled = async (file: Buffer): Promise<Image> => {
  const { width, height, channels, data } = await decodeFile(file);
  return makeImage({ width: 2 * width, height: 2 * height, channels }, (x, y) => {
    const at = ((y % height) * width + (x % width)) * channels;
    return [...data.subarray(at, at + channels)];
  });
};
