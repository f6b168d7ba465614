const at = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/** Add `share` of other tiles. */
export const addShares = (tiles: Float32Array[], others: Float32Array[], share: number): Float32Array[] =>
  tiles.map((tile, t) => {
    const other = others[t] as Float32Array;
    return tile.map((value, i) => value + share * at(other, i));
  });

type Cut = { steps: number[]; zero: number };

export function toSamples(tile: Float32Array, { steps, zero }: Cut): Uint8Array {
  const [channels, plane] = [steps.length, tile.length / steps.length];
  const samples = new Uint8ClampedArray(tile.length);
  for (let c = 0; c < channels; c++)
    for (let p = 0; p < plane; p++)
      samples[p * channels + c] = Math.round(at(tile, c * plane + p) / at(steps, c)) + zero;
  return new Uint8Array(samples.buffer);
}

export function toValues(samples: Uint8Array, { steps, zero }: Cut): Float32Array {
  const [channels, plane] = [steps.length, samples.length / steps.length];
  const values = new Float32Array(samples.length);
  for (let c = 0; c < channels; c++)
    for (let p = 0; p < plane; p++) values[c * plane + p] = (at(samples, p * channels + c) - zero) * at(steps, c);
  return values;
}

/** Add a border of one pixel to a square tile, channels last. */
export function padSamples(tile: Uint8Array, channels: number, zero: number): Uint8Array {
  const side = Math.sqrt(tile.length / channels);
  const row = side * channels;
  const padded = new Uint8Array((side + 2) ** 2 * channels).fill(zero);
  for (let y = 0; y < side; y++)
    padded.set(tile.subarray(y * row, (y + 1) * row), ((y + 1) * (side + 2) + 1) * channels);
  return padded;
}

export function joinPlanes(one: Float32Array, other: Float32Array): Float32Array {
  const both = new Float32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Concatenate the channels of two tiles, channels last. The first one has `channels`. */
export function joinChannels(one: Uint8Array, other: Uint8Array, channels: number): Uint8Array {
  const pixels = one.length / channels;
  const added = other.length / pixels;
  const both = new Uint8Array(one.length + other.length);
  for (let p = 0, to = 0; p < pixels; p++) {
    for (let c = 0; c < channels; c++) both[to++] = at(one, p * channels + c);
    for (let c = 0; c < added; c++) both[to++] = at(other, p * added + c);
  }
  return both;
}
