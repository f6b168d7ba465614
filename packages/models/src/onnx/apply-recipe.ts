import { brotliDecompressSync } from 'node:zlib';
import { sha256 } from '../files/sha256.ts';
import { attributes, encodeModel, type GraphPiece, imagePorts, joinPieces, node, tensor } from './onnx-graph.ts';
import { type QuantizedBlock, quantizeGroups } from './quantize-blocks.ts';
import { type QuantizedLayer, quantizedLayerPiece, sharedTensors, type Wires } from './quantized-layer.ts';
import { type ChainLayer, type DenseNetwork, readChain, readDenseNetwork } from './read-chain.ts';
import type { ChainRecipe, DenseRecipe, LayerRecipe, Recipe } from './recipe.ts';
import {
  pixelChannels,
  plainChannels,
  plainWeights,
  quantizeWeight,
  type VirtualChannel,
  virtualChannels,
} from './virtual-channels.ts';
import { type QuantizedChain, writeQuantizedChain } from './write-quantized-chain.ts';

type WithoutChecksums<R> = Omit<R, 'fp32Sha256' | 'int8Sha256'>;

/**
 * Creates the INT8 version of a network, deterministically. Throws Error if the checksum of the network or of the
 * result differs.
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

/**
 * Creates the INT8 version of a network without verifying checksums. Throws Error if the recipe doesn't fit the
 * network.
 */
export function writeQuantized(
  fp32: Uint8Array,
  recipe: WithoutChecksums<ChainRecipe> | WithoutChecksums<DenseRecipe>,
): Uint8Array {
  if ('layers' in recipe) return writeQuantizedChain(quantizeChain(readChain(fp32), recipe));
  const network = readDenseNetwork(fp32);
  return writeDenseNetwork(network, quantizeGroups(network, recipe));
}

/** Quantizes all layers except the last. Throws Error if the recipe doesn't fit the layers. */
export function quantizeChain(network: ChainLayer[], recipe: WithoutChecksums<ChainRecipe>): QuantizedChain {
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
      return quantizeWeight(weight, scale) + (roundings[at + w] as number);
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

type QuantizedLayerInput = {
  layer: ChainLayer;
  part: LayerRecipe;
  inputs: VirtualChannel[];
  outputs: VirtualChannel[];
  weights: Int8Array;
  zeroIn: number;
};

export function quantizedLayer({ layer, part, inputs, outputs, weights, zeroIn }: QuantizedLayerInput): QuantizedLayer {
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

const toChannelsLast = attributes({ perm: [0, 2, 3, 1] });
const toChannelsFirst = attributes({ perm: [0, 3, 1, 2] });
/** Padding of one row and one column on each side, for tensors with channels last. */
const border = BigInt64Array.from([0, 1, 1, 0, 0, 1, 1, 0], BigInt);

/** The trunk between the blocks has float samples and channels last. */
function writeDenseNetwork(network: DenseNetwork, groups: QuantizedBlock[][]): Uint8Array {
  const pieces = groups.map((blocks, g) =>
    groupPiece(blocks, { name: `group${g}`, input: `trunk${g}`, output: `trunk${g + 1}` }),
  );
  const ends: GraphPiece = {
    nodes: [{ ...node('Transpose', 'trunk0', [network.nameTrunk(0)]), attribute: toChannelsLast }],
    tensors: [tensor('share', [], Float32Array.of(network.share)), tensor('border', [8], border)],
  };
  const back = node('Transpose', network.nameTrunk(groups.length), [`trunk${groups.length}`]);
  const rest = [
    ...pieces,
    { nodes: [{ ...back, attribute: toChannelsFirst }], tensors: [] },
    network.after(groups.length),
  ];
  return encodeModel([sharedTensors, network.before, ends, ...rest], imagePorts);
}

function groupPiece(blocks: QuantizedBlock[], { name, input, output }: Wires): GraphPiece {
  const nameOf = (block: number) => (block === 0 ? input : `${name}.trunk${block}`);
  const pieces = blocks.map((block, b) =>
    blockPiece(block, { name: `${name}.${b}`, input: nameOf(b), output: nameOf(b + 1) }),
  );
  const nodes = [
    node('Mul', `${name}.shared`, [nameOf(blocks.length), 'share']),
    node('Add', output, [`${name}.shared`, input]),
  ];
  return joinPieces([...pieces, { nodes, tensors: [] }]);
}

function blockPiece(block: QuantizedBlock, { name, input, output }: Wires): GraphPiece {
  const { inverses, gains, zero, convolutions } = block;
  const nameInput = (convolution: number) => `${name}.inputs${convolution}`;
  const begin: GraphPiece = {
    nodes: [
      node('Mul', `${name}.scaled`, [input, `${name}.inverses`]),
      node('QuantizeLinear', `${name}.samples`, [`${name}.scaled`, 'one', `${name}.zero`]),
      node('Pad', nameInput(0), [`${name}.samples`, 'border', `${name}.zero`]),
    ],
    tensors: [
      tensor(`${name}.zero`, [], Uint8Array.of(zero)),
      tensor(`${name}.inverses`, [inverses.length], inverses),
      tensor(`${name}.gains`, [gains.length], gains),
    ],
  };
  const pieces = convolutions.map((layer, i) => {
    const own = `${name}.layer${i}`;
    const samples = `${own}.samples`;
    const piece = quantizedLayerPiece(layer, { name: own, input: nameInput(i), output: samples });
    if (!layer.leak) return piece;
    // Append the samples to the input of the next convolution. Their border contains their zero point.
    const grown = [
      node('Pad', `${own}.padded`, [samples, 'border', `${own}.border`]),
      { ...node('Concat', nameInput(i + 1), [nameInput(i), `${own}.padded`]), attribute: attributes({ axis: 3 }) },
    ];
    const border = tensor(`${own}.border`, [], Uint8Array.of(layer.leak.zero));
    return joinPieces([piece, { nodes: grown, tensors: [border] }]);
  });
  return joinPieces([begin, ...pieces, residualPiece(convolutions, { name, input, output })]);
}

function residualPiece(convolutions: QuantizedLayer[], { name, input, output }: Wires): GraphPiece {
  const zero = `${name}.lastZero`;
  const samples = `${name}.layer${convolutions.length - 1}.samples`;
  return {
    nodes: [
      node('DequantizeLinear', `${name}.counted`, [samples, 'one', zero]),
      node('Mul', `${name}.gained`, [`${name}.counted`, `${name}.gains`]),
      node('Add', output, [`${name}.gained`, input]),
    ],
    tensors: [tensor(zero, [], Uint8Array.of(convolutions.at(-1)?.zeroOut ?? 0))],
  };
}
