/** Cubic convolution with a = -0.5 (Keys, "Cubic convolution interpolation for digital image processing", 1981). */
function cubic(distance: number): number {
  const d = Math.abs(distance);
  if (d < 1) return (1.5 * d - 2.5) * d * d + 1;
  if (d < 2) return ((-0.5 * d + 2.5) * d - 4) * d + 2;
  return 0;
}

/** Taps of a one-dimensional resampling: output `i` is the sum of `weights[i * taps + k]` x input `starts[i] + k`. */
export type Taps = { taps: number; starts: Int32Array; weights: Float32Array };

/**
 * Compute the weights that resample `from` samples to `to` samples with aligned edges: the center of output i is
 * (i + 0.5) x from / to - 0.5. Downscaling widens the kernel to the size of an output pixel. Edge samples repeat beyond the
 * border. Every row of weights sums to 1.
 */
export function cubicWeights(from: number, to: number): Taps {
  const ratio = from / to;
  const reach = 2 * Math.max(1, ratio);
  const taps = Math.min(from, Math.ceil(2 * reach));
  const starts = new Int32Array(to);
  const weights = new Float32Array(to * taps);
  for (let i = 0; i < to; i++) {
    const center = (i + 0.5) * ratio - 0.5;
    const first = Math.floor(center - reach) + 1;
    const start = Math.max(0, Math.min(first, from - taps));
    const row = new Float64Array(taps);
    let sum = 0;
    for (let k = first; k < center + reach; k++) {
      const weight = cubic((k - center) / Math.max(1, ratio));
      const inside = Math.max(0, Math.min(from - 1, k)) - start;
      row[inside] = (row[inside] ?? 0) + weight;
      sum += weight;
    }
    starts[i] = start;
    for (let k = 0; k < taps; k++) weights[i * taps + k] = (row[k] ?? 0) / sum;
  }
  return { taps, starts, weights };
}
