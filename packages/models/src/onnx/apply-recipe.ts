import { brotliDecompressSync } from 'node:zlib';
import { sha256 } from '../files/sha256.ts';
import { quantizeGroups } from './quantize-blocks.ts';
import type { QuantizedLayer } from './quantized-layer.ts';
import { type ChainLayer, readChain, readDenseNetwork } from './read-chain.ts';
import type { ChainRecipe, DenseRecipe, LayerRecipe, Recipe } from './recipe.ts';
import {
  pixelChannels,
  plainChannels,
  plainWeights,
  roundWeight,
  type VirtualChannel,
  virtualChannels,
} from './virtual-channels.ts';
import { writeDenseNetwork } from './write-dense-network.ts';
import { type QuantizedChain, writeQuantizedChain } from './write-quantized-chain.ts';

type Unchecked<R> = Omit<R, 'fp32Sha256' | 'int8Sha256'>;

/** Make the INT8 form of a network, deterministically. Throws Error when a checksum differs. */
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

/** Make the INT8 form without checksums. Throws Error when the recipe does not fit the network. */
export function writeQuantized(fp32: Uint8Array, recipe: Unchecked<ChainRecipe> | Unchecked<DenseRecipe>): Uint8Array {
  if ('layers' in recipe) return writeQuantizedChain(quantizeChain(readChain(fp32), recipe));
  const network = readDenseNetwork(fp32);
  return writeDenseNetwork(network, quantizeGroups(network, recipe));
}

/** Quantize all layers but the last. Throws Error when the recipe does not fit the layers. */
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
    const plain = plainWeights(layer, inputs, outputs);
    const size = plain.length / part.steps.length;
    const weights = Int8Array.from(plain, (weight, w) => {
      const scale = part.weightScales[Math.floor(w / size)] as number;
      return roundWeight(weight, scale) + (roundings[at + w] as number);
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

type Parts = {
  layer: ChainLayer;
  part: LayerRecipe;
  inputs: VirtualChannel[];
  outputs: VirtualChannel[];
  weights: Int8Array;
  zeroIn: number;
};

export function quantizedLayer({ layer, part, inputs, outputs, weights, zeroIn }: Parts): QuantizedLayer {
  return {
    inChannels: inputs.length,
    parts: part.tails.length ? [layer.outChannels, part.tails.length] : [layer.outChannels],
    weights,
    weightScales: Float32Array.from(part.weightScales),
    bias: Int32Array.from(part.bias),
    zeroIn,
    zeroOut: part.zero,
    bends: layer.slopes && Float32Array.from(outputs, ({ bend }) => bend),
  };
}
