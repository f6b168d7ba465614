import { quantizedLayer } from '@uprez/models/onnx/apply-recipe';
import { plainWeights, roundWeight } from '@uprez/models/onnx/plain-weights';
import type { QuantizedLayer } from '@uprez/models/onnx/quantized-layer';
import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import type { LayerRecipe } from '@uprez/models/onnx/recipe';
import { plainChannels, type VirtualChannel, virtualChannels } from '@uprez/models/onnx/virtual-channels';
import { type Cut, cutLayer, shorten } from './fit-layer.ts';
import { chooseWeightScales, roundWeights } from './round-weights.ts';
import type { Table } from './run-layer.ts';
import { biasInput } from './sample-places.ts';
import { type Solved, solveWeights } from './solve-weights.ts';

export type LayerInput = {
  layer: ChainLayer;
  /** What the quantized layers before give, and what the layer gives in plain arithmetic, at the same places. */
  inputs: Table;
  targets: Table;
  channels: VirtualChannel[];
  zeroIn: number;
  weights: Float64Array;
};

export type CalibratedLayer = {
  part: LayerRecipe;
  roundings: Uint8Array;
  quantized: QuantizedLayer;
  outputs: VirtualChannel[];
};

const at = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/** Finds a layer's ranges, mends its weights by what was lost before it, and rounds them. */
export async function calibrateLayer(from: LayerInput): Promise<CalibratedLayer> {
  const { layer, inputs, targets, channels, zeroIn } = from;
  const cut = cutLayer(layer, targets, from.weights);
  const given = withBias(layer, channels);
  const solved = await solveWeights(inputs, targets, given);
  const outputs = virtualChannels(layer, { ...cut, weightScales: [], bias: [] });
  const size = inputs.columns - 1;
  const rows = { weights: spread(solved, outputs, size), size, moments: inner(solved.moments, size) };
  const powers = rows.moments.filter((_, i) => i % (size + 1) === 0);
  const weightScales = chooseWeightScales({ ...rows, powers }).map(shorten);
  const weights = roundWeights(rows, weightScales);
  const bias = chooseBias({ solved, outputs, cut, weights, weightScales });
  const part = { zero: cut.zero, steps: cut.steps, tails: cut.tails, weightScales, bias };
  const plain = plainWeights(layer, channels, outputs);
  const roundings = Uint8Array.from(
    weights,
    (weight, i) => weight - roundWeight(at(plain, i), at(weightScales, Math.floor(i / size))),
  );
  const quantized = quantizedLayer({ layer, part, inputs: channels, outputs, weights, zeroIn });
  return { part, roundings, quantized, outputs };
}

/** The network's own weights from 8-bit inputs to plain outputs: rows of inputs x 9, and the bias. */
function withBias(layer: ChainLayer, channels: VirtualChannel[]): Float64Array {
  const outputs = plainChannels(layer);
  const plain = plainWeights(layer, channels, outputs);
  const size = channels.length * 9;
  const rows = new Float64Array(outputs.length * (size + 1));
  outputs.forEach((_, o) => {
    rows.set(plain.subarray(o * size, (o + 1) * size), o * (size + 1));
    rows[o * (size + 1) + size] = at(layer.bias, o) / biasInput;
  });
  return rows;
}

/** Rows for 8-bit outputs out of rows for plain ones, without the bias. */
function spread({ weights }: Solved, outputs: VirtualChannel[], size: number): Float64Array {
  const rows = new Float64Array(outputs.length * size);
  outputs.forEach(({ source, multiplier }, o) => {
    for (let i = 0; i < size; i++) rows[o * size + i] = at(weights, source * (size + 1) + i) * multiplier;
  });
  return rows;
}

/** The moments without the bias's; an input that never moves gets a little, so that its weight stays what it was. */
function inner(moments: Float64Array, size: number): Float64Array {
  const part = new Float64Array(size * size);
  for (let i = 0; i < size; i++) part.set(moments.subarray(i * (size + 1), i * (size + 1) + size), i * size);
  return part;
}

type Rounded = { solved: Solved; outputs: VirtualChannel[]; cut: Cut; weights: Int8Array; weightScales: number[] };

/** Biases that keep every channel's mean. */
function chooseBias({ solved, outputs, cut, weights, weightScales }: Rounded): number[] {
  const size = weights.length / outputs.length;
  return outputs.map(({ source, multiplier }, o) => {
    const scale = at(weightScales, o);
    let reached = 0;
    for (let i = 0; i < size; i++) reached += at(weights, o * size + i) * scale * at(solved.means, i);
    return Math.round((at(solved.targetMeans, source) * multiplier - reached + at(cut.offsets, o)) / scale);
  });
}
