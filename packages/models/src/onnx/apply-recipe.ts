import { brotliDecompressSync } from 'node:zlib';
import { sha256 } from '../files/sha256.ts';
import { plainWeights, roundWeight } from './plain-weights.ts';
import { quantizeGroups } from './quantize-blocks.ts';
import type { QuantizedLayer } from './quantized-layer.ts';
import { type ChainLayer, readChain } from './read-chain.ts';
import { readDenseNetwork } from './read-dense-network.ts';
import type { ChainRecipe, DenseRecipe, LayerRecipe, Recipe } from './recipe.ts';
import { pixelChannels, plainChannels, type VirtualChannel, virtualChannels } from './virtual-channels.ts';
import { writeDenseNetwork } from './write-dense-network.ts';
import { type QuantizedChain, writeQuantizedChain } from './write-quantized-chain.ts';

/** A recipe before what it gives is known. */
type Unchecked<R> = Omit<R, 'fp32Sha256' | 'int8Sha256'>;

/** Output channels of a quantized layer, convolution by convolution: the network's own, then the tails. */
export const partsOf = ({ outChannels }: ChainLayer, { tails }: LayerRecipe): number[] =>
  tails.length ? [outChannels, tails.length] : [outChannels];

/**
 * Makes the 8-bit form of a network: a pure function of both, so that its checksum is known beforehand. Throws when
 * the recipe is for other bytes, or gives other bytes than it promises.
 */
export function applyRecipe(fp32: Uint8Array, recipe: Recipe): Uint8Array {
  const given = sha256(fp32);
  if (given !== recipe.fp32Sha256)
    throw new Error(`the recipe of ${recipe.engine} is for the network ${recipe.fp32Sha256}, not for ${given}`);
  const made = writeQuantized(fp32, recipe);
  const actual = sha256(made);
  if (actual !== recipe.int8Sha256)
    throw new Error(`the recipe of ${recipe.engine} gave ${actual}, expected ${recipe.int8Sha256}`);
  return made;
}

/** What the recipe gives, unchecked. Throws when the recipe does not fit the network. */
export function writeQuantized(fp32: Uint8Array, recipe: Unchecked<ChainRecipe> | Unchecked<DenseRecipe>): Uint8Array {
  if ('layers' in recipe) return writeQuantizedChain(quantizeChain(readChain(fp32), recipe));
  const network = readDenseNetwork(fp32);
  return writeDenseNetwork(network, quantizeGroups(network, recipe));
}

/** The network with the layers of `recipe` quantized: all but the last. Throws when it does not fit the network's layers. */
export function quantizeChain(network: ChainLayer[], recipe: Unchecked<ChainRecipe>): QuantizedChain {
  const roundings = brotliDecompressSync(Buffer.from(recipe.roundings, 'base64'));
  let at = 0;
  let inputs: VirtualChannel[] = pixelChannels();
  let zeroIn = 0;
  const last = network.at(-1);
  if (!last) throw new Error('the network has no layers');
  const layers = network.slice(0, -1).map((layer, i): QuantizedLayer => {
    const part = recipe.layers[i];
    if (!part) throw new Error(`the recipe of ${recipe.engine} has no layer ${i}`);
    const outputs = virtualChannels(layer, part);
    const weights = roundedWeights({
      plain: plainWeights(layer, inputs, outputs),
      part,
      roundings: roundings.subarray(at),
    });
    const made = quantizedLayer({ layer, part, outputs, inputs, weights, zeroIn });
    at += weights.length;
    [inputs, zeroIn] = [outputs, part.zero];
    return made;
  });
  if (at !== roundings.length) throw new Error(`the recipe of ${recipe.engine} is for another network`);
  const weights = Float32Array.from(plainWeights(last, inputs, plainChannels(last)));
  return { layers, last: { weights, bias: last.bias } };
}

/** Plain rounding, and what the recipe adds to it. */
function roundedWeights(from: { plain: Float64Array; part: LayerRecipe; roundings: Uint8Array }): Int8Array {
  const { plain, part, roundings } = from;
  const size = plain.length / part.steps.length;
  return Int8Array.from(plain, (weight, i) => {
    const scale = part.weightScales[Math.floor(i / size)] as number;
    return roundWeight(weight, scale) + (roundings[i] as number);
  });
}

type Parts = {
  layer: ChainLayer;
  part: LayerRecipe;
  inputs: VirtualChannel[];
  outputs: VirtualChannel[];
  weights: Int8Array;
  zeroIn: number;
};

/** A layer with these weights and the recipe's numbers. */
export function quantizedLayer({ layer, part, inputs, outputs, weights, zeroIn }: Parts): QuantizedLayer {
  return {
    inChannels: inputs.length,
    parts: partsOf(layer, part),
    weights,
    weightScales: Float32Array.from(part.weightScales),
    bias: Int32Array.from(part.bias),
    zeroIn,
    zeroOut: part.zero,
    bends: layer.slopes && Float32Array.from(outputs, ({ bend }) => bend),
  };
}
