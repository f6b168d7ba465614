import type { DenseBlock } from '@uprez/models/onnx/read-dense-network';
import type { BlockRecipe } from '@uprez/models/onnx/recipe';
import { calibrateConvolution, fitSteps } from './calibrate-convolution.ts';
import { type Places, takeTargets } from './sample-places.ts';
import { addShares, joinChannels, joinPlanes, toSamples, toValues } from './trunk-samples.ts';

/** What enters a block, tile by tile and planar: in plain arithmetic, and behind the 8-bit blocks before. */
export type Trunks = { plain: Float32Array[]; served: Float32Array[] };

type BlockInput = {
  block: DenseBlock;
  trunks: Trunks;
  places: Places;
  side: number;
  zero: number;
  leak: number;
  share: number;
};

/** Finds a dense block's recipe, and what the block gives to the next one. */
export async function calibrateBlock(from: BlockInput): Promise<{ part: BlockRecipe; trunks: Trunks }> {
  const { block, trunks, places, side, zero, leak, share } = from;
  const entering = fitSteps(takeTargets(trunks.served, places, block[0]?.inChannels ?? 0), { slope: 1, zero });
  const part: BlockRecipe = { steps: entering, convolutions: [] };
  const steps = [...entering];
  let floats = trunks.plain;
  let samples = trunks.served.map((tile) => toSamples(tile, entering, zero));
  for (const [i, layer] of block.entries()) {
    const isLast = i === block.length - 1;
    const slope = isLast ? 1 : leak;
    const made = await calibrateConvolution({ layer, slope, floats, samples, steps, places, side, zero });
    part.convolutions.push(made.part);
    floats = isLast ? made.plain : floats.map((tile, t) => joinPlanes(tile, made.plain[t] as Float32Array));
    samples = isLast
      ? made.served
      : samples.map((tile, t) => joinChannels(tile, made.served[t] as Uint8Array, steps.length));
    steps.push(...made.part.steps);
  }
  const added = samples.map((tile) => toValues(tile, part.convolutions.at(-1)?.steps ?? [], zero));
  return {
    part,
    trunks: { plain: addShares(trunks.plain, floats, share), served: addShares(trunks.served, added, share) },
  };
}
