import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import type { LayerRecipe } from '@uprez/models/onnx/recipe';
import { turned } from '@uprez/models/onnx/virtual-channels';
import type { Table } from './run-layer.ts';

/** Zero point: below the middle, because PReLU shrinks negative values. */
const zero = 120;
/** Tails of each layer. onnxruntime is fast with 16 output channels, and slow with fewer. */
const tailSlots = 16;
/** Round a scale for the recipe. */
export const shorten = (value: number): number => Number(value.toPrecision(7));

/** 8-bit channels of a layer. `offsets`: values to add before rounding, in samples. */
export type Cut = Pick<LayerRecipe, 'zero' | 'steps' | 'tails'> & { offsets: number[] };

/** Split a layer's outputs into 8-bit channels. `weights`: weights of the channels' errors. */
export function cutLayer(layer: ChainLayer, targets: Table, weights: Float64Array): Cut {
  const inputs = Array.from({ length: layer.outChannels }, (_, channel): RangeInput => {
    const { sign, slope } = turned(layer.slopes?.[channel] ?? 1);
    const values = new Float64Array(targets.data.length / targets.columns);
    for (let i = 0; i < values.length; i++) values[i] = (targets.data[i * targets.columns + channel] as number) * sign;
    return { values, slope, zero };
  });
  const ranges = chooseTails(inputs.map(fitRanges), weights, tailSlots);
  const cut: Cut = { zero, steps: ranges.map(({ step }) => shorten(step)), tails: [], offsets: ranges.map(() => 0) };
  ranges.forEach(({ above, below }, channel) => {
    const step = cut.steps[channel] as number;
    const add = (side: 1 | -1, tail: number, reach: number) => {
      cut.tails.push([channel, side]);
      cut.steps.push(shorten(tail));
      cut.offsets.push((-reach * step) / shorten(tail));
    };
    if (above) add(1, above, 255 - zero);
    if (below) add(-1, below, zero);
  });
  return cut;
}

const taps = 9;

/** Estimate the share of each channel's squared error in the output, by layer, for independent errors. */
export function weighChannels(layers: ChainLayer[]): Float64Array[] {
  const weights: Float64Array[] = [];
  let behind = new Float64Array(layers.at(-1)?.outChannels ?? 0).fill(1);
  for (const layer of [...layers].reverse()) {
    weights.unshift(behind);
    const before = new Float64Array(layer.inChannels);
    layer.weights.forEach((weight, i) => {
      const out = Math.floor(i / taps / layer.inChannels);
      const slope = layer.slopes?.[out] ?? 1;
      const into = Math.floor(i / taps) % layer.inChannels;
      before[into] = (before[into] as number) + weight ** 2 * (behind[out] as number) * (0.5 + 0.5 * slope ** 2);
    });
    behind = before;
  }
  return weights;
}

/** Assign up to `slots` tails to the channels where they reduce the error of the output the most. */
function chooseTails(choices: [Range, Range, Range][], weights: Float64Array, slots: number): Range[] {
  const tails = choices.map(() => 0);
  for (let left = slots; left > 0; ) {
    let best = { channel: -1, count: 0, gain: 0 };
    choices.forEach((ranges, channel) => {
      const now = tails[channel] as number;
      for (let count = now + 1; count <= Math.min(2, now + left); count++) {
        const saved = (ranges[now]?.error ?? 0) - (ranges[count]?.error ?? 0);
        const gain = ((weights[channel] as number) * saved) / (count - now);
        if (gain > best.gain) best = { channel, count, gain };
      }
    });
    if (best.channel < 0) break;
    left -= best.count - (tails[best.channel] as number);
    tails[best.channel] = best.count;
  }
  return choices.map((ranges, channel) => ranges[tails[channel] as number] as Range);
}

/** Quantizer of a channel. `above` and `below`: steps beyond its range. `error`: mean square behind the PReLU. */
type Range = { step: number; above?: number; below?: number; error: number };

/** Shares of the full range to try, without and with tails. */
const clippings = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.12];
const finenesses = [0.5, 0.25, 0.125, 0.0625, 0.03, 0.015];
const margin = 1.03;
const extremes = 3;
const samplesTried = 2500;

type RangeInput = { values: Float64Array; slope: number; zero: number };

/** Find the best quantizers of values before a PReLU, with 0, 1, and 2 tails (channels beyond the range). */
function fitRanges({ values, slope, zero }: RangeInput): [Range, Range, Range] {
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
