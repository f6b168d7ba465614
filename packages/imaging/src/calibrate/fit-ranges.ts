/** Quantizer of one channel: steps of `step`, and of `above` and `below` beyond its range. `error`: mean square behind the PReLU. */
export type Range = { step: number; above?: number; below?: number; error: number };

/** Shares of the full range that are tried: alone, and with tails. */
const clippings = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.12];
const finenesses = [0.5, 0.25, 0.125, 0.0625, 0.03, 0.015];
const margin = 1.03;
const extremes = 3;
const samplesTried = 2500;

export type RangeInput = { values: Float64Array; slope: number; zero: number };

/**
 * Best quantizers of a channel whose values (before its PReLU) are `values`: with no tail, with one, with two. A tail
 * is a channel more for what is beyond the range, so that the range can be narrow and its steps fine.
 */
export function fitRanges({ values, slope, zero }: RangeInput): [Range, Range, Range] {
  const sorted = values.slice().sort();
  const [lowest, highest] = [(sorted[0] ?? 0) * margin, (sorted.at(-1) ?? 0) * margin];
  const up = 255 - zero;
  const full = Math.max(highest / up, -lowest / zero, 1e-7);
  const stride = Math.max(1, Math.floor(values.length / samplesTried));
  const tried = [
    ...values.filter((_, i) => i % stride === 0),
    ...sorted.slice(0, extremes),
    ...sorted.slice(-extremes),
  ];
  const measure = (range: Omit<Range, 'error'>): Range => ({ ...range, error: errorOf(tried, range, { slope, zero }) });
  const alone = clippings.map((share) => measure({ step: full * share }));
  const [one, two]: [Range[], Range[]] = [[], []];
  for (const share of finenesses) {
    const step = full * share;
    for (const reach of [1, 0.5]) {
      const above = highest > up * step ? { above: ((highest - up * step) / up) * reach } : {};
      const below = -lowest > zero * step ? { below: ((-lowest - zero * step) / up) * reach } : {};
      if ('above' in above) one.push(measure({ step, ...above }));
      if ('below' in below) one.push(measure({ step, ...below }));
      if ('above' in above && 'below' in below) two.push(measure({ step, ...above, ...below }));
    }
  }
  const best = (ranges: Range[]) =>
    ranges.reduce((a, b) => (b.error < a.error ? b : a), { step: full, error: Infinity });
  return [best(alone), best(one), best(two)];
}

/** Mean squared error of values behind PReLU when they go through 8-bit samples as the quantized layer makes them. */
function errorOf(values: number[], range: Omit<Range, 'error'>, { slope, zero }: { slope: number; zero: number }) {
  const { step, above, below } = range;
  const up = 255 - zero;
  let sum = 0;
  for (const value of values) {
    const sample = Math.max(-zero, Math.min(up, Math.round(value / step)));
    const bent = sample < 0 ? Math.min(up, sample + Math.min(255, Math.round((slope - 1) * sample))) : sample;
    let got = bent * step;
    if (above && value > up * step) got += Math.min(up, Math.round((value - up * step) / above)) * above;
    if (below && value < -zero * step) got -= Math.min(up, Math.round((-zero * step - value) / below)) * below * slope;
    sum += (got - (value > 0 ? value : slope * value)) ** 2;
  }
  return sum / values.length;
}
