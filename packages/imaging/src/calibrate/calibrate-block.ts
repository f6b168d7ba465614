import { addOutputs, type Inputs } from '@uprez/models/onnx/quantize-blocks';
import type { DenseBlock } from '@uprez/models/onnx/read-dense-network';
import type { BlockRecipe } from '@uprez/models/onnx/recipe';
import { calibrateConvolution } from './calibrate-convolution.ts';
import { fitSamples } from './fit-samples.ts';
import { type Places, takeTargets } from './sample-places.ts';
import { addShares, joinChannels, joinPlanes, padSamples, toSamples, toValues } from './trunk-samples.ts';

/** What enters a block, tile by tile and planar: in plain arithmetic, and behind the 8-bit blocks before. */
export type Trunks = { plain: Float32Array[]; served: Float32Array[] };

type BlockInput = {
  block: DenseBlock;
  trunks: Trunks;
  places: Places;
  side: number;
  leak: number;
  share: number;
};

/** Finds a dense block's recipe, and what the block gives to the next one. */
export async function calibrateBlock(from: BlockInput): Promise<{ part: BlockRecipe; trunks: Trunks }> {
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

/** How much an error in each channel that the block's convolutions see matters: the squares of what they weigh it with. */
function weighInputs(block: DenseBlock): Float64Array {
  const weights = new Float64Array(block.at(-1)?.inChannels ?? 0);
  for (const layer of block)
    layer.weights.forEach((weight, i) => {
      const channel = Math.floor(i / 9) % layer.inChannels;
      weights[channel] = (weights[channel] as number) + weight ** 2;
    });
  return weights;
}
