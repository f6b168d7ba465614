import { sha256 } from '@uprez/models/files/sha256';
import { writeQuantized } from '@uprez/models/onnx/apply-recipe';
import { addOutputs, type Inputs } from '@uprez/models/onnx/quantize-blocks';
import { type DenseBlock, readDenseNetwork } from '@uprez/models/onnx/read-dense-network';
import type { BlockRecipe, DenseRecipe } from '@uprez/models/onnx/recipe';
import type { Calibration } from './calibrate-chain.ts';
import { calibrateConvolution } from './calibrate-convolution.ts';
import { fitSamples } from './fit-samples.ts';
import { runFloatLayer } from './run-layer.ts';
import { choosePlaces, type Places, takeTargets } from './sample-places.ts';
import { openRandom } from './tile.ts';
import { addShares, joinChannels, joinPlanes, padSamples, toSamples, toValues } from './trunk-samples.ts';

/** Distance from the borders of tiles, where padding has a large effect. */
const margin = 8;

type DenseCalibration = Calibration & {
  /** Leading groups to quantize. The noise of the last ones is the most visible. */
  groups: number;
};

/** Calibrate the leading groups of a network block by block. */
export async function calibrateBlocks({ engine, fp32, tiles, places: count, groups, onStep }: DenseCalibration) {
  const network = readDenseNetwork(fp32);
  const side = tiles[0]?.side ?? 0;
  const random = openRandom(5);
  const planes = tiles.map((tile) => tile.planes);
  const { linear } = await runFloatLayer(network.first, planes, side);
  let trunks: Trunks = { plain: linear, served: linear };
  const found: BlockRecipe[][] = [];
  const wanted = network.groups.slice(0, groups);
  for (const [g, blocks] of wanted.entries()) {
    const before = trunks;
    const parts: BlockRecipe[] = [];
    for (const block of blocks) {
      const places = choosePlaces({ tiles: tiles.length, side, margin, count, random });
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

/** Planar inputs of a block by tile: in FP32, and behind the INT8 blocks. */
type Trunks = { plain: Float32Array[]; served: Float32Array[] };

type BlockInput = { block: DenseBlock; trunks: Trunks; places: Places; side: number; leak: number; share: number };

async function calibrateBlock(from: BlockInput): Promise<{ part: BlockRecipe; trunks: Trunks }> {
  const { block, trunks, places, side, leak, share } = from;
  const channels = block[0]?.inChannels ?? 0;
  const weights = weighInputs(block);
  const { zero, steps } = fitSamples(takeTargets(trunks.served, places, channels), { slope: 1, weights });
  const part: BlockRecipe = { zero, steps, convolutions: [] };
  const inputs: Inputs = { steps: [...steps], zeros: steps.map(() => zero) };
  let floats = trunks.plain;
  let samples = trunks.served.map((tile) => padSamples(toSamples(tile, part), channels, zero));
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

/** Weights of the errors of a block's inputs: the sums of squares of the convolutions' weights. */
function weighInputs(block: DenseBlock): Float64Array {
  const weights = new Float64Array(block.at(-1)?.inChannels ?? 0);
  for (const layer of block)
    layer.weights.forEach((weight, i) => {
      const channel = Math.floor(i / 9) % layer.inChannels;
      weights[channel] = (weights[channel] as number) + weight ** 2;
    });
  return weights;
}
