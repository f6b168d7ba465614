import onnxProto from 'onnx-proto';
import type { GraphPiece, Node } from './parts.ts';
import type { ChainLayer } from './read-chain.ts';
import { type Initializers, readInitializers } from './read-initializers.ts';

const { onnx } = onnxProto;

/** Five convolutions, each of which sees the block's input and what those before it gave; the first four bend (LeakyReLU). */
export type DenseBlock = ChainLayer[];

/**
 * A network of residual groups of dense blocks (RRDBNet). A block adds `share` of its last convolution to its input,
 * a group adds `share` of its last block's output to its own.
 */
export type DenseNetwork = {
  first: ChainLayer;
  groups: DenseBlock[][];
  leak: number;
  share: number;
  /** Name of what the first `groups` groups give. */
  nameTrunk: (groups: number) => string;
  /** The graph up to the first group, and behind the first `groups` of them. */
  before: GraphPiece;
  after: (groups: number) => GraphPiece;
};

const [perBlock, perGroup] = [5, 3];
const blockTypes = [
  ...Array(perBlock - 1)
    .fill(['Conv', 'LeakyRelu', 'Concat'])
    .flat(),
  'Conv',
  'Mul',
  'Add',
];
const groupTypes = [...Array(perGroup).fill(blockTypes).flat(), 'Mul', 'Add'] as string[];

/** Reads such a network from its ONNX bytes. Throws when it is built otherwise. */
export function readDenseNetwork(bytes: Uint8Array): DenseNetwork {
  const graph = onnx.ModelProto.decode(bytes).graph;
  const nodes = graph?.node ?? [];
  const initializers = readInitializers(graph?.initializer ?? []);
  const start = (group: number) => 1 + group * groupTypes.length;
  const isGroup = (group: number) => groupTypes.every((type, i) => nodes[start(group) + i]?.opType === type);
  let count = 0;
  while (isGroup(count)) count += 1;
  const inner = nodes.slice(start(0), start(count));
  if (nodes[0]?.opType !== 'Conv' || count === 0) throw new Error('the network is no chain of dense blocks');
  const cut = (from: number, to?: number): GraphPiece => {
    const part = nodes.slice(from, to);
    const names = new Set(part.flatMap(({ input }) => input ?? []));
    return { nodes: part, tensors: (graph?.initializer ?? []).filter(({ name }) => names.has(name ?? '')) };
  };
  return {
    first: readConvolution(nodes[0], initializers),
    groups: Array.from({ length: count }, (_, group) => readGroup(nodes.slice(start(group)), initializers)),
    leak: single(inner.flatMap(({ opType, attribute }) => (opType === 'LeakyRelu' ? [attribute?.[0]?.f ?? 0] : []))),
    share: single(inner.flatMap(({ opType, input }) => (opType === 'Mul' ? [...initializers(input?.[1]).values] : []))),
    nameTrunk: (groups) => nodes[start(groups) - 1]?.output?.[0] ?? '',
    before: cut(0, 1),
    after: (groups) => cut(start(groups)),
  };
}

function readGroup(nodes: Node[], initializers: Initializers): DenseBlock[] {
  return Array.from({ length: perGroup }, (_, block) => {
    const own = nodes.slice(block * blockTypes.length, (block + 1) * blockTypes.length);
    return own.filter(({ opType }) => opType === 'Conv').map((node) => readConvolution(node, initializers));
  });
}

/** The convolution alone, without what bends it. */
function readConvolution({ input }: Node, initializers: Initializers): ChainLayer {
  const { dims, values } = initializers(input?.[1]);
  const [outChannels, inChannels, ...kernel] = dims;
  if (!outChannels || !inChannels || kernel.join() !== '3,3') throw new Error('a convolution is not 3x3');
  return { inChannels, outChannels, weights: values, bias: initializers(input?.[2]).values, slopes: undefined };
}

/** The one value of all. */
function single(values: number[]): number {
  const [value] = values;
  if (value === undefined || values.some((other) => other !== value)) throw new Error('blocks differ in their factors');
  return value;
}
