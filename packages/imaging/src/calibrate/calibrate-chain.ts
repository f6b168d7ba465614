import { brotliCompressSync } from 'node:zlib';
import { sha256 } from '@uprez/models/files/sha256';
import { quantizeChain, quantizedLayer } from '@uprez/models/onnx/apply-recipe';
import { type ChainLayer, readChain } from '@uprez/models/onnx/read-chain';
import type { ChainRecipe, LayerRecipe } from '@uprez/models/onnx/recipe';
import {
  pixelChannels,
  plainChannels,
  plainWeights,
  quantizeWeight,
  type VirtualChannel,
  virtualChannels,
} from '@uprez/models/onnx/virtual-channels';
import { writeQuantizedChain } from '@uprez/models/onnx/write-quantized-chain';
import { fitLayer, type LayerQuantization, roundScale, weighChannels } from './fit-layer.ts';
import { cholesky, chooseWeightScales, roundWeights, solveRows } from './round-weights.ts';
import {
  biasInput,
  choosePositions,
  multiplyColumns,
  readInputs,
  readTargets,
  runFloatLayer,
  runQuantizedLayer,
  type Table,
} from './run-layer.ts';
import { makeRandom, type Tile } from './tile.ts';

export type Calibration = {
  engine: string;
  fp32: Uint8Array;
  /** Square tiles, all of the same size. */
  tiles: Tile[];
  /** Number of positions used to fit each layer. */
  places: number;
  onStep: (done: number, count: number) => void;
};

/** Maximum margin at tile borders, in pixels. Padding has little effect farther inside. */
const maxMargin = 16;

export async function calibrateChain(calibration: Calibration): Promise<ChainRecipe> {
  const { engine, fp32, tiles, places: count, onStep } = calibration;
  const layers = readChain(fp32);
  const weights = weighChannels(layers);
  const random = makeRandom(5);
  const side = tiles[0]?.side ?? 0;
  let floats = tiles.map(({ planes }) => planes);
  let bytes = tiles.map(toBytes);
  let channels = pixelChannels();
  let zeroIn = 0;
  const parts: LayerRecipe[] = [];
  const roundings: Uint8Array[] = [];
  const quantized = layers.slice(0, -1);
  for (const [i, layer] of quantized.entries()) {
    const { linear, bent } = await runFloatLayer(layer, floats, side);
    const places = choosePositions({ tiles: tiles.length, side, margin: Math.min(i + 2, maxMargin), count, random });
    const made = await calibrateLayer({
      layer,
      inputs: readInputs({ tiles: bytes, channels: channels.length, zero: zeroIn, side }, places),
      targets: readTargets(linear, places, layer.outChannels),
      channels,
      zeroIn,
      weights: weights[i] as Float64Array,
    });
    bytes = await runQuantizedLayer(made.quantized, bytes, side);
    [floats, channels, zeroIn] = [bent, made.outputs, made.part.zero];
    parts.push(made.part);
    roundings.push(made.roundings);
    onStep(i + 1, quantized.length);
  }
  const recipe = { engine, layers: parts, roundings: brotliCompressSync(Buffer.concat(roundings)).toString('base64') };
  const int8 = writeQuantizedChain(quantizeChain(layers, recipe));
  return { ...recipe, fp32Sha256: sha256(fp32), int8Sha256: sha256(int8) };
}

/** Converts a tile to channels-last bytes. The fourth channel is 0. */
function toBytes({ planes, side }: Tile): Uint8Array {
  const channels = pixelChannels().length;
  const bytes = new Uint8Array(side * side * channels);
  planes.forEach((value, i) => {
    bytes[(i % side ** 2) * channels + Math.floor(i / side ** 2)] = Math.round(value * 255);
  });
  return bytes;
}

type LayerInput = {
  layer: ChainLayer;
  /**
   * `inputs`: outputs of the preceding INT8 layers. `targets`: FP32 outputs of this layer. Both are taken at the same
   * positions.
   */
  inputs: Table;
  targets: Table;
  channels: VirtualChannel[];
  zeroIn: number;
  weights: Float64Array;
};

const elementAt = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/**
 * Quantizes a layer: finds the ranges of its outputs, adapts its weights to the errors of the preceding layers, and
 * rounds them.
 */
async function calibrateLayer(from: LayerInput) {
  const { layer, inputs, targets, channels, zeroIn } = from;
  const cut = fitLayer(layer, targets, from.weights);
  const given = withBias(layer, channels);
  const solved = await solveWeights(inputs, targets, given);
  const outputs = virtualChannels(layer, { ...cut, weightScales: [], bias: [] });
  const size = inputs.columns - 1;
  const rows = { weights: toVirtualRows(solved, outputs, size), size, moments: dropBiasMoments(solved.moments, size) };
  const powers = rows.moments.filter((_, i) => i % (size + 1) === 0);
  const weightScales = chooseWeightScales({ ...rows, powers }).map(roundScale);
  const weights = roundWeights(rows, weightScales);
  const bias = chooseBias({ solved, outputs, cut, weights, weightScales });
  const part = { zero: cut.zero, steps: cut.steps, tails: cut.tails, weightScales, bias };
  const plain = plainWeights(layer, channels, outputs);
  const roundings = Uint8Array.from(
    weights,
    (weight, i) => weight - quantizeWeight(elementAt(plain, i), elementAt(weightScales, Math.floor(i / size))),
  );
  const quantized = quantizedLayer({ layer, part, inputs: channels, outputs, weights, zeroIn });
  return { part, roundings, quantized, outputs };
}

/** Each output has a row with 9 weights per input, followed by the bias. */
function withBias(layer: ChainLayer, channels: VirtualChannel[]): Float64Array {
  const outputs = plainChannels(layer);
  const plain = plainWeights(layer, channels, outputs);
  const size = channels.length * 9;
  const rows = new Float64Array(outputs.length * (size + 1));
  outputs.forEach((_, o) => {
    rows.set(plain.subarray(o * size, (o + 1) * size), o * (size + 1));
    rows[o * (size + 1) + size] = elementAt(layer.bias, o) / biasInput;
  });
  return rows;
}

function toVirtualRows({ weights }: SolvedLayer, outputs: VirtualChannel[], size: number): Float64Array {
  const rows = new Float64Array(outputs.length * size);
  outputs.forEach(({ source, multiplier }, o) => {
    for (let i = 0; i < size; i++) rows[o * size + i] = elementAt(weights, source * (size + 1) + i) * multiplier;
  });
  return rows;
}

function dropBiasMoments(moments: Float64Array, size: number): Float64Array {
  const part = new Float64Array(size * size);
  for (let i = 0; i < size; i++) part.set(moments.subarray(i * (size + 1), i * (size + 1) + size), i * size);
  return part;
}

type RoundedLayer = {
  solved: SolvedLayer;
  outputs: VirtualChannel[];
  cut: LayerQuantization;
  weights: Int8Array;
  weightScales: number[];
};

/** Chooses biases that preserve the mean of every channel. */
function chooseBias({ solved, outputs, cut, weights, weightScales }: RoundedLayer): number[] {
  const size = weights.length / outputs.length;
  return outputs.map(({ source, multiplier }, o) => {
    const scale = elementAt(weightScales, o);
    let reached = 0;
    for (let i = 0; i < size; i++) reached += elementAt(weights, o * size + i) * scale * elementAt(solved.means, i);
    return Math.round(
      (elementAt(solved.targetMeans, source) * multiplier - reached + elementAt(cut.offsets, o)) / scale,
    );
  });
}

/** Regularization, as shares of each input's own moment and of the mean moment. */
const [ownShare, meanShare] = [1e-4, 1e-3];

type SolvedLayer = { weights: Float64Array; moments: Float64Array; means: Float64Array; targetMeans: Float64Array };

/**
 * Finds weights that map the INT8 `inputs` to the FP32 `targets`, by ridge regression around `given`. The last input is
 * the bias.
 */
async function solveWeights(inputs: Table, targets: Table, given: Float64Array): Promise<SolvedLayer> {
  const n = inputs.columns;
  const moments = await multiplyColumns(inputs, inputs);
  const missing = await multiplyColumns(targets, inputs);
  for (let r = 0; r < targets.columns; r++)
    for (let k = 0; k < n; k++) {
      const weight = elementAt(given, r * n + k);
      if (weight !== 0)
        for (let j = 0; j < n; j++)
          missing[r * n + j] = elementAt(missing, r * n + j) - weight * elementAt(moments, k * n + j);
    }
  let mean = 0;
  for (let i = 0; i < n - 1; i++) mean += elementAt(moments, i * n + i) / (n - 1);
  const ridge = moments.slice();
  for (let i = 0; i < n; i++)
    ridge[i * n + i] = elementAt(moments, i * n + i) * (1 + ownShare) + mean * meanShare + 1e-3;
  const change = solveRows(cholesky(ridge, n), n, missing);
  const rows = inputs.data.length / n;
  return {
    weights: given.map((weight, i) => weight + elementAt(change, i)),
    moments,
    means: Float64Array.from(
      { length: n },
      (_, i) => elementAt(moments, (n - 1) * n + i) / elementAt(inputs.data, n - 1) / rows,
    ),
    targetMeans: meansOf(targets),
  };
}

function meansOf({ data, columns }: Table): Float64Array {
  const means = new Float64Array(columns);
  const rows = data.length / columns;
  data.forEach((value, i) => {
    means[i % columns] = elementAt(means, i % columns) + value / rows;
  });
  return means;
}
