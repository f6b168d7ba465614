import { quantizedLayer } from '@uprez/models/onnx/apply-recipe';
import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import {
  plainChannels,
  plainWeights,
  roundWeight,
  type VirtualChannel,
  virtualChannels,
} from '@uprez/models/onnx/virtual-channels';
import { type Cut, cutLayer, shorten } from './fit-layer.ts';
import { cholesky, chooseWeightScales, roundWeights, solveRows } from './round-weights.ts';
import { multiplyColumns, type Table } from './run-layer.ts';
import { biasInput } from './sample-places.ts';

type LayerInput = {
  layer: ChainLayer;
  /** Outputs of the INT8 layers before, and FP32 outputs of the layer, at the same positions. */
  inputs: Table;
  targets: Table;
  channels: VirtualChannel[];
  zeroIn: number;
  weights: Float64Array;
};

const at = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/** Find the ranges of a layer, adapt its weights to the errors of the layers before, and round them. */
export async function calibrateLayer(from: LayerInput) {
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

/** Weights from 8-bit inputs to FP32 outputs, in rows of inputs x 9 and the bias. */
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

/** Convert rows of FP32 outputs to rows of 8-bit outputs, without the bias. */
function spread({ weights }: Solved, outputs: VirtualChannel[], size: number): Float64Array {
  const rows = new Float64Array(outputs.length * size);
  outputs.forEach(({ source, multiplier }, o) => {
    for (let i = 0; i < size; i++) rows[o * size + i] = at(weights, source * (size + 1) + i) * multiplier;
  });
  return rows;
}

/** The moments without those of the bias. */
function inner(moments: Float64Array, size: number): Float64Array {
  const part = new Float64Array(size * size);
  for (let i = 0; i < size; i++) part.set(moments.subarray(i * (size + 1), i * (size + 1) + size), i * size);
  return part;
}

type Rounded = { solved: Solved; outputs: VirtualChannel[]; cut: Cut; weights: Int8Array; weightScales: number[] };

/** Choose biases that preserve the mean of every channel. */
function chooseBias({ solved, outputs, cut, weights, weightScales }: Rounded): number[] {
  const size = weights.length / outputs.length;
  return outputs.map(({ source, multiplier }, o) => {
    const scale = at(weightScales, o);
    let reached = 0;
    for (let i = 0; i < size; i++) reached += at(weights, o * size + i) * scale * at(solved.means, i);
    return Math.round((at(solved.targetMeans, source) * multiplier - reached + at(cut.offsets, o)) / scale);
  });
}

/** Regularization, as a share of each input's moment, and of their mean. */
const [ownShare, meanShare] = [1e-4, 1e-3];

type Solved = { weights: Float64Array; moments: Float64Array; means: Float64Array; targetMeans: Float64Array };

/** Find weights that map the INT8 `inputs` (bias last) to the FP32 `targets`, by ridge regression around `given`. */
async function solveWeights(inputs: Table, targets: Table, given: Float64Array): Promise<Solved> {
  const n = inputs.columns;
  const moments = await multiplyColumns(inputs, inputs);
  const missing = await multiplyColumns(targets, inputs);
  for (let r = 0; r < targets.columns; r++)
    for (let k = 0; k < n; k++) {
      const weight = at(given, r * n + k);
      if (weight !== 0)
        for (let j = 0; j < n; j++) missing[r * n + j] = at(missing, r * n + j) - weight * at(moments, k * n + j);
    }
  let mean = 0;
  for (let i = 0; i < n - 1; i++) mean += at(moments, i * n + i) / (n - 1);
  const ridge = moments.slice();
  for (let i = 0; i < n; i++) ridge[i * n + i] = at(moments, i * n + i) * (1 + ownShare) + mean * meanShare + 1e-3;
  const change = solveRows(cholesky(ridge, n), n, missing);
  const rows = inputs.data.length / n;
  return {
    weights: given.map((weight, i) => weight + at(change, i)),
    moments,
    means: Float64Array.from({ length: n }, (_, i) => at(moments, (n - 1) * n + i) / at(inputs.data, n - 1) / rows),
    targetMeans: meansOf(targets),
  };
}

function meansOf({ data, columns }: Table): Float64Array {
  const means = new Float64Array(columns);
  const rows = data.length / columns;
  data.forEach((value, i) => {
    means[i % columns] = at(means, i % columns) + value / rows;
  });
  return means;
}
