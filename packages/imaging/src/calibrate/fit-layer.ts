import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import type { ConvolutionRecipe, LayerRecipe } from '@uprez/models/onnx/recipe';
import { normalizeSlope } from '@uprez/models/onnx/virtual-channels';
import type { Table } from './run-layer.ts';

/** Below the middle of the range, because PReLU shrinks negative values, which then need fewer steps. */
const zero = 120;
/**
 * Maximum number of tails per layer. A tail is an extra 8-bit channel for values beyond another channel's range.
 * onnxruntime is fast with 16 output channels, and slow with fewer.
 */
const tailSlots = 16;
export const roundScale = (value: number): number => Number(value.toPrecision(7));

/** 8-bit channels of a layer. `offsets`: values to add before rounding, in quantization steps. */
export type LayerQuantization = Pick<LayerRecipe, 'zero' | 'steps' | 'tails'> & { offsets: number[] };

/** Splits a layer's outputs into 8-bit channels. `weights`: how much the squared error of each channel counts. */
export function fitLayer(layer: ChainLayer, targets: Table, weights: Float64Array): LayerQuantization {
  const choices = Array.from({ length: layer.outChannels }, (_, channel) => {
    const { sign, slope } = normalizeSlope(layer.slopes?.[channel] ?? 1);
    return fitRanges(takeValues(targets, channel, { count: 2_500, sign }), slope);
  });
  const ranges = chooseTails(choices, weights, tailSlots);
  const cut: LayerQuantization = {
    zero,
    steps: ranges.map(({ step }) => roundScale(step)),
    tails: [],
    offsets: ranges.map(() => 0),
  };
  ranges.forEach(({ above, below }, channel) => {
    const step = cut.steps[channel] as number;
    const add = (side: 1 | -1, tail: number, reach: number) => {
      cut.tails.push([channel, side]);
      cut.steps.push(roundScale(tail));
      cut.offsets.push((-reach * step) / roundScale(tail));
    };
    if (above) add(1, above, 255 - zero);
    if (below) add(-1, below, zero);
  });
  return cut;
}

const taps = 9;

/** Estimates how much of each channel's squared error reaches the output, by layer. Assumes independent errors. */
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

/** Assigns up to `slots` tails to the channels where they reduce the output's error the most. */
function chooseTails(
  choices: [ChannelRange, ChannelRange, ChannelRange][],
  weights: Float64Array,
  slots: number,
): ChannelRange[] {
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
  return choices.map((ranges, channel) => ranges[tails[channel] as number] as ChannelRange);
}

/**
 * Quantizer for a channel. `above` and `below`: step sizes of the tails beyond its range. `error`: mean squared error
 * after the PReLU.
 */
type ChannelRange = { step: number; above?: number; below?: number; error: number };

/**
 * Shares of the full range to try. `clipShares` are for quantizers without tails, and `tailShares` for those with tails.
 */
const clipShares = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.12];
const tailShares = [0.5, 0.25, 0.125, 0.0625, 0.03, 0.015];
const margin = 1.03;
const extremeCount = 3;

/** Returns about `count` evenly spaced values of a channel, followed by its lowest and highest values. */
function takeValues({ data, columns }: Table, channel: number, { count, sign }: { count: number; sign: number }) {
  const values = new Float64Array(data.length / columns);
  for (let i = 0; i < values.length; i++) values[i] = (data[i * columns + channel] as number) * sign;
  const stride = Math.max(1, Math.floor(values.length / count));
  const sorted = values.slice().sort();
  const some = values.filter((_, i) => i % stride === 0);
  return Float64Array.of(...some, ...sorted.subarray(0, extremeCount), ...sorted.subarray(-extremeCount));
}

/** Finds the best quantizers for values before a PReLU: one without tails, one with a single tail, and one with two. */
function fitRanges(values: Float64Array, slope: number): [ChannelRange, ChannelRange, ChannelRange] {
  const [lowest, highest] = [Math.min(...values) * margin, Math.max(...values) * margin];
  const up = 255 - zero;
  const full = Math.max(highest / up, -lowest / zero, 1e-7);
  const measure = (range: Omit<ChannelRange, 'error'>): ChannelRange => ({
    ...range,
    error: rangeError(values, range, slope),
  });
  const alone = clipShares.map((share) => measure({ step: full * share }));
  const [one, two]: [ChannelRange[], ChannelRange[]] = [[], []];
  for (const share of tailShares) {
    const step = full * share;
    for (const reach of [1, 0.5]) {
      const above = highest > up * step ? { above: ((highest - up * step) / up) * reach } : {};
      const below = -lowest > zero * step ? { below: ((-lowest - zero * step) / up) * reach } : {};
      if ('above' in above) one.push(measure({ step, ...above }));
      if ('below' in below) one.push(measure({ step, ...below }));
      if ('above' in above && 'below' in below) two.push(measure({ step, ...above, ...below }));
    }
  }
  const best = (ranges: ChannelRange[]) =>
    ranges.reduce((a, b) => (b.error < a.error ? b : a), { step: full, error: Infinity });
  return [best(alone), best(one), best(two)];
}

function rangeError(values: Float64Array, range: Omit<ChannelRange, 'error'>, slope: number): number {
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

type Shape = Pick<ConvolutionRecipe, 'zero' | 'bent'>;
const plainZeros = [96, 112, 128, 144, 160];
const bentZeros = [88, 112, 136, 160, 184];
const maxSample = 255;

/** `slope`: slope of the LeakyReLU that follows. `weights`: how much the squared error of each channel counts. */
export type FitOptions = { slope: number; weights: ArrayLike<number> };

/** Finds the zero point and the steps that give the smallest weighted error. `values`: one column per channel. */
export function fitSamples(values: Table, { slope, weights }: FitOptions): Shape & { steps: number[] } {
  const channels = Array.from({ length: values.columns }, (_, channel) =>
    takeValues(values, channel, { count: 1_500, sign: 1 }),
  );
  const shapes: Shape[] = slope === 1 ? plainZeros.map((zero) => ({ zero })) : bentZeros.flatMap(listBentShapes(slope));
  const tried = shapes.map((shape) => {
    const found = channels.map((values) => fitStep(values, shape, slope));
    const error = found.reduce((sum, { error }, channel) => sum + error * (weights[channel] as number), 0);
    return { ...shape, steps: found.map(({ step }) => roundScale(step)), error };
  });
  const { error: _, ...best } = tried.reduce((a, b) => (b.error < a.error ? b : a));
  return best;
}

/**
 * Returns two quantizations to try for the output of the LeakyReLU: one with the same step sizes, and one with finer
 * steps. Finer steps can cover the output, because the LeakyReLU shrinks negative values.
 */
const listBentShapes =
  (slope: number) =>
  (zero: number): Shape[] => {
    const share = roundScale((maxSample - (1 - slope) * zero) / maxSample);
    return [
      { zero, bent: { zero, share: 1 } },
      { zero, bent: { zero: Math.round((slope * zero) / share), share } },
    ];
  };

function fitStep(values: Float64Array, shape: Shape, slope: number): { step: number; error: number } {
  const [lowest, highest] = [Math.min(...values) * margin, Math.max(...values) * margin];
  const full = Math.max(highest / (maxSample - shape.zero), -lowest / shape.zero, 1e-7);
  const tried = [...clipShares, 0.07].map((share) => ({
    step: full * share,
    error: sampleError(values, full * share, { ...shape, slope }),
  }));
  return tried.reduce((a, b) => (b.error < a.error ? b : a));
}

function sampleError(values: Float64Array, step: number, { zero, bent, slope }: Shape & { slope: number }): number {
  let sum = 0;
  for (const value of values) {
    const sample = Math.max(-zero, Math.min(maxSample - zero, Math.round(value / step)));
    const wanted = value < 0 ? value * slope : value;
    let got = sample;
    if (bent) {
      const leaked = Math.round((sample < 0 ? sample * slope : sample) / bent.share);
      got = Math.max(-bent.zero, Math.min(maxSample - bent.zero, leaked)) * bent.share;
    }
    sum += (got * step - wanted) ** 2;
  }
  return sum / values.length;
}
