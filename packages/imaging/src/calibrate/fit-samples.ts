import type { ConvolutionRecipe } from '@uprez/models/onnx/recipe';
import { shorten } from './fit-layer.ts';
import type { Table } from './run-layer.ts';

/** Zero points to try, and the step behind a LeakyReLU. */
type Shape = Pick<ConvolutionRecipe, 'zero' | 'bent'>;
/** Shares of the full range to try. */
const clippings = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.12, 0.07];
const plainZeros = [96, 112, 128, 144, 160];
const bentZeros = [88, 112, 136, 160, 184];
const most = 255;
const margin = 1.03;
const extremes = 3;
const samplesTried = 1500;

/** `slope`: of the LeakyReLU behind the values. `weights`: weights of the channels' errors. */
export type Bending = { slope: number; weights: ArrayLike<number> };

/** Find the zero point and the steps with the least error for values in rows of channels. */
export function fitSamples({ data, columns }: Table, { slope, weights }: Bending): Shape & { steps: number[] } {
  const channels = Array.from({ length: columns }, (_, channel) => chooseValues(data, columns, channel));
  const shapes: Shape[] = slope === 1 ? plainZeros.map((zero) => ({ zero })) : bentZeros.flatMap(bentShapes(slope));
  const tried = shapes.map((shape) => {
    const found = channels.map((values) => fitStep(values, shape, slope));
    const error = found.reduce((sum, { error }, channel) => sum + error * (weights[channel] as number), 0);
    return { ...shape, steps: found.map(({ step }) => shorten(step)), error };
  });
  const { error: _, ...best } = tried.reduce((a, b) => (b.error < a.error ? b : a));
  return best;
}

/** Keep the steps behind the LeakyReLU, or use finer ones, because it shrinks negative values. */
const bentShapes =
  (slope: number) =>
  (zero: number): Shape[] => {
    const share = shorten((most - (1 - slope) * zero) / most);
    return [
      { zero, bent: { zero, share: 1 } },
      { zero, bent: { zero: Math.round((slope * zero) / share), share } },
    ];
  };

function chooseValues(data: Float32Array, columns: number, channel: number): Float64Array {
  const values = new Float64Array(data.length / columns);
  for (let i = 0; i < values.length; i++) values[i] = data[i * columns + channel] as number;
  const stride = Math.max(1, Math.floor(values.length / samplesTried));
  const sorted = values.slice().sort();
  const some = values.filter((_, i) => i % stride === 0);
  return Float64Array.of(...some, ...sorted.subarray(0, extremes), ...sorted.subarray(-extremes));
}

function fitStep(values: Float64Array, shape: Shape, slope: number): { step: number; error: number } {
  const [lowest, highest] = [Math.min(...values) * margin, Math.max(...values) * margin];
  const full = Math.max(highest / (most - shape.zero), -lowest / shape.zero, 1e-7);
  const tried = clippings.map((share) => ({
    step: full * share,
    error: errorOf(values, full * share, { ...shape, slope }),
  }));
  return tried.reduce((a, b) => (b.error < a.error ? b : a));
}

function errorOf(values: Float64Array, step: number, { zero, bent, slope }: Shape & { slope: number }): number {
  let sum = 0;
  for (const value of values) {
    const sample = Math.max(-zero, Math.min(most - zero, Math.round(value / step)));
    const wanted = value < 0 ? value * slope : value;
    let got = sample;
    if (bent) {
      const leaked = Math.round((sample < 0 ? sample * slope : sample) / bent.share);
      got = Math.max(-bent.zero, Math.min(most - bent.zero, leaked)) * bent.share;
    }
    sum += (got * step - wanted) ** 2;
  }
  return sum / values.length;
}
