import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import type { LayerRecipe } from '@uprez/models/onnx/recipe';
import { turned } from '@uprez/models/onnx/virtual-channels';
import { chooseTails } from './choose-tails.ts';
import { fitRanges, type RangeInput } from './fit-ranges.ts';
import type { Table } from './run-layer.ts';

/** The sample that stands for 0: a little below the middle, because PReLU shrinks what is negative. */
const zero = 120;
/** Tails of each layer: onnxruntime's kernels for 16 output channels are quick, those for fewer are not. */
const tailSlots = 16;
/** Digits of a step: enough for any scale, and short in the recipe. */
const digits = 7;
export const shorten = (value: number): number => Number(value.toPrecision(digits));

/** How a layer's outputs are cut into 8-bit channels, and what to add to each before rounding, in samples. */
export type Cut = Pick<LayerRecipe, 'zero' | 'steps' | 'tails'> & { offsets: number[] };

/** Cuts a layer's outputs; `weights` say how much an error in each channel matters. */
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
