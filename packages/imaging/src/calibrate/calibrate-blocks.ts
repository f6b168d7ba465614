import { sha256 } from '@uprez/models/files/sha256';
import { writeQuantized } from '@uprez/models/onnx/apply-recipe';
import {
  addOutputs,
  type InputQuantization,
  quantizeConvolution,
  scaleWeights,
} from '@uprez/models/onnx/quantize-blocks';
import { type ChainLayer, type DenseBlock, readDenseNetwork } from '@uprez/models/onnx/read-chain';
import type { BlockRecipe, ConvolutionRecipe, DenseRecipe } from '@uprez/models/onnx/recipe';
import type { Calibration } from './calibrate-chain.ts';
import { type FitOptions, fitSamples, roundScale } from './fit-layer.ts';
import { chooseWeightScales } from './round-weights.ts';
import { choosePositions, readTargets, runFloatLayer, runQuantizedLayer, type TilePositions } from './run-layer.ts';
import { makeRandom } from './tile.ts';

/** Minimum distance from tile borders, in pixels. Padding has a large effect on pixels near the border. */
const margin = 8;

type DenseCalibration = Calibration & {
  /**
   * Number of leading groups to quantize. Quantization noise from the last groups is the most visible, so these can
   * stay in FP32.
   */
  groups: number;
};

export async function calibrateBlocks({ engine, fp32, tiles, places: count, groups, onStep }: DenseCalibration) {
  const network = readDenseNetwork(fp32);
  const side = tiles[0]?.side ?? 0;
  const random = makeRandom(5);
  const planes = tiles.map((tile) => tile.planes);
  const { linear } = await runFloatLayer(network.first, planes, side);
  let trunks: Trunks = { plain: linear, served: linear };
  const found: BlockRecipe[][] = [];
  const wanted = network.groups.slice(0, groups);
  for (const [g, blocks] of wanted.entries()) {
    const before = trunks;
    const parts: BlockRecipe[] = [];
    for (const block of blocks) {
      const places = choosePositions({ tiles: tiles.length, side, margin, count, random });
      const { leak, share } = network;
      const made = await calibrateBlock({ block, trunks, places, side, leak, share });
      parts.push(made.part);
      trunks = made.trunks;
      onStep(g * blocks.length + parts.length, wanted.length * blocks.length);
    }
    trunks = {
      plain: addShares(before.plain, trunks.plain, network.share),
      served: addShares(before.served, trunks.served, network.share),
    };
    found.push(parts);
  }
  const recipe = { engine, groups: found };
  const int8Sha256 = sha256(writeQuantized(fp32, recipe));
  return { ...recipe, fp32Sha256: sha256(fp32), int8Sha256 } satisfies DenseRecipe;
}

/**
 * Planar inputs of a block, one array per tile. `plain`: computed in FP32. `served`: computed by the preceding INT8
 * blocks.
 */
type Trunks = { plain: Float32Array[]; served: Float32Array[] };

type BlockInput = {
  block: DenseBlock;
  trunks: Trunks;
  places: TilePositions;
  side: number;
  leak: number;
  share: number;
};

async function calibrateBlock(from: BlockInput): Promise<{ part: BlockRecipe; trunks: Trunks }> {
  const { block, trunks, places, side, leak, share } = from;
  const channels = block[0]?.inChannels ?? 0;
  const weights = weighInputs(block);
  const { zero, steps } = fitSamples(readTargets(trunks.served, places, channels), { slope: 1, weights });
  const part: BlockRecipe = { zero, steps, convolutions: [] };
  const inputs: InputQuantization = { steps: [...steps], zeros: steps.map(() => zero) };
  let floats = trunks.plain;
  let samples = trunks.served.map((tile) => padSamples(quantizeTile(tile, part), channels, zero));
  for (const layer of block.slice(0, -1)) {
    const given = { layer, floats, samples, inputs, places, side };
    const own = weights.subarray(inputs.steps.length, inputs.steps.length + layer.outChannels);
    const made = await calibrateConvolution({ ...given, slope: leak, weights: own });
    floats = floats.map((tile, t) => joinPlanes(tile, made.plain[t] as Float32Array));
    samples = samples.map((tile, t) => {
      const grown = padSamples(made.served[t] as Uint8Array, layer.outChannels, made.part.bent?.zero ?? 0);
      return joinChannels(tile, grown, inputs.steps.length);
    });
    addOutputs(inputs, made.part);
    part.convolutions.push(made.part);
  }
  const layer = block.at(-1) as DenseBlock[number];
  const given = { layer, floats, samples, inputs, places, side };
  const last = await calibrateConvolution({ ...given, slope: 1, weights: new Float64Array(channels).fill(1) });
  part.convolutions.push(last.part);
  const added = last.served.map((tile) => toValues(tile, last.part));
  return {
    part,
    trunks: { plain: addShares(trunks.plain, last.plain, share), served: addShares(trunks.served, added, share) },
  };
}

/**
 * Returns the weight of an error in each of a block's inputs: the sum of the squared convolution weights for that
 * input.
 */
function weighInputs(block: DenseBlock): Float64Array {
  const weights = new Float64Array(block.at(-1)?.inChannels ?? 0);
  for (const layer of block)
    layer.weights.forEach((weight, i) => {
      const channel = Math.floor(i / 9) % layer.inChannels;
      weights[channel] = (weights[channel] as number) + weight ** 2;
    });
  return weights;
}

type ConvolutionInput = FitOptions & {
  layer: ChainLayer;
  /**
   * Inputs of each tile: planar in FP32 (`floats`), and as 8-bit samples (`samples`). The 8-bit samples are
   * channels-last and have a border of one pixel.
   */
  floats: Float32Array[];
  samples: Uint8Array[];
  inputs: InputQuantization;
  places: TilePositions;
  side: number;
};

const taps = 9;
const stride = 11;
const elementAt = (numbers: ArrayLike<number>, i: number) => numbers[i] as number;

/**
 * Finds the quantization and the weight scales of a convolution. Returns its recipe, its FP32 outputs (`plain`), and
 * its INT8 outputs (`served`).
 */
async function calibrateConvolution(from: ConvolutionInput) {
  const { layer, slope, floats, samples, inputs, places, side } = from;
  const slopes = new Float32Array(layer.outChannels).fill(slope);
  const { linear, bent } = await runFloatLayer({ ...layer, slopes }, floats, side);
  const fit = fitSamples(readTargets(linear, places, layer.outChannels), from);
  const weights = scaleWeights(layer.weights, inputs.steps, fit.steps);
  const size = inputs.steps.length * taps;
  const weightScales = chooseWeightScales({ weights, size, powers: powersOf(samples, inputs.zeros) }).map(roundScale);
  const part: ConvolutionRecipe = { ...fit, weightScales };
  const made = quantizeConvolution({ layer, part, inputs, leak: slope });
  return { part, plain: bent, served: await runQuantizedLayer(made, samples, side + 2) };
}

/**
 * Returns the sum of squares of each channel's samples relative to its zero point. Each sum is repeated for every tap.
 */
function powersOf(tiles: Uint8Array[], zeros: number[]): Float64Array {
  const channels = zeros.length;
  const powers = new Float64Array(channels);
  for (const tile of tiles)
    for (let pixel = 0; pixel < tile.length; pixel += channels * stride)
      for (let c = 0; c < channels; c++)
        powers[c] = elementAt(powers, c) + (elementAt(tile, pixel + c) - elementAt(zeros, c)) ** 2;
  return Float64Array.from({ length: channels * taps }, (_, i) => elementAt(powers, Math.floor(i / taps)));
}

const addShares = (tiles: Float32Array[], others: Float32Array[], share: number): Float32Array[] =>
  tiles.map((tile, t) => {
    const other = others[t] as Float32Array;
    return tile.map((value, i) => value + share * elementAt(other, i));
  });

type Quantization = { steps: number[]; zero: number };

function quantizeTile(tile: Float32Array, { steps, zero }: Quantization): Uint8Array {
  const [channels, plane] = [steps.length, tile.length / steps.length];
  const samples = new Uint8ClampedArray(tile.length);
  for (let c = 0; c < channels; c++)
    for (let p = 0; p < plane; p++)
      samples[p * channels + c] = Math.round(elementAt(tile, c * plane + p) / elementAt(steps, c)) + zero;
  return new Uint8Array(samples.buffer);
}

function toValues(samples: Uint8Array, { steps, zero }: Quantization): Float32Array {
  const [channels, plane] = [steps.length, samples.length / steps.length];
  const values = new Float32Array(samples.length);
  for (let c = 0; c < channels; c++)
    for (let p = 0; p < plane; p++)
      values[c * plane + p] = (elementAt(samples, p * channels + c) - zero) * elementAt(steps, c);
  return values;
}

/** Adds a border of one pixel with the value `zero` to a square tile. Samples are channels-last. */
function padSamples(tile: Uint8Array, channels: number, zero: number): Uint8Array {
  const side = Math.sqrt(tile.length / channels);
  const row = side * channels;
  const padded = new Uint8Array((side + 2) ** 2 * channels).fill(zero);
  for (let y = 0; y < side; y++)
    padded.set(tile.subarray(y * row, (y + 1) * row), ((y + 1) * (side + 2) + 1) * channels);
  return padded;
}

function joinPlanes(one: Float32Array, other: Float32Array): Float32Array {
  const both = new Float32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Concatenates the channels of two channels-last tiles. The first tile has `channels` channels. */
function joinChannels(one: Uint8Array, other: Uint8Array, channels: number): Uint8Array {
  const pixels = one.length / channels;
  const added = other.length / pixels;
  const both = new Uint8Array(one.length + other.length);
  for (let p = 0, to = 0; p < pixels; p++) {
    for (let c = 0; c < channels; c++) both[to++] = elementAt(one, p * channels + c);
    for (let c = 0; c < added; c++) both[to++] = elementAt(other, p * added + c);
  }
  return both;
}
