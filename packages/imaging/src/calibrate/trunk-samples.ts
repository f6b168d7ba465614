const at = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/** Each tile and `share` of another. */
export const addShares = (tiles: Float32Array[], others: Float32Array[], share: number): Float32Array[] =>
  tiles.map((tile, t) => tile.map((value, i) => value + share * at(others[t] as Float32Array, i)));

/** Planar values as samples, channels last: each channel has its step. */
export function toSamples(tile: Float32Array, steps: number[], zero: number): Uint8Array {
  const plane = tile.length / steps.length;
  const samples = new Uint8ClampedArray(tile.length);
  tile.forEach((value, i) => {
    const channel = Math.floor(i / plane);
    samples[(i % plane) * steps.length + channel] = Math.round(value / at(steps, channel)) + zero;
  });
  return new Uint8Array(samples.buffer);
}

/** Samples, channels last, as planar values. */
export function toValues(samples: Uint8Array, steps: number[], zero: number): Float32Array {
  const plane = samples.length / steps.length;
  return Float32Array.from(samples, (_, i) => {
    const channel = Math.floor(i / plane);
    return (at(samples, (i % plane) * steps.length + channel) - zero) * at(steps, channel);
  });
}

/** Two tiles' planes, one behind the other. */
export function joinPlanes(one: Float32Array, other: Float32Array): Float32Array {
  const both = new Float32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Two tiles' samples, channels last; the first has `channels`. */
export function joinChannels(one: Uint8Array, other: Uint8Array, channels: number): Uint8Array {
  const pixels = one.length / channels;
  const added = other.length / pixels;
  const both = new Uint8Array(one.length + other.length);
  for (let p = 0; p < pixels; p++) {
    both.set(one.subarray(p * channels, (p + 1) * channels), p * (channels + added));
    both.set(other.subarray(p * added, (p + 1) * added), p * (channels + added) + channels);
  }
  return both;
}
