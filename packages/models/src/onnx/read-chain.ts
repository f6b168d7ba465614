import type { GraphPiece, Node } from './onnx-graph.ts';
import { type FindTensor, readGraph } from './read-graph.ts';

/** A 3x3 convolution, followed by a PReLU in all layers of a chain except the last. `weights`: out x in x 3 x 3. */
export type ChainLayer = {
  inChannels: number;
  outChannels: number;
  weights: Float32Array;
  bias: Float32Array;
  slopes: Float32Array | undefined;
};

const tailOperations = ['DepthToSpace', 'Resize', 'Add', 'Clip'];

/** Reads a chain of 3x3 convolutions with PReLU (SRVGGNetCompact) from ONNX bytes. Throws Error for other networks. */
export function readChain(bytes: Uint8Array): ChainLayer[] {
  const { nodes, find } = readGraph(bytes);
  const layers: ChainLayer[] = [];
  for (const node of nodes) {
    const { opType, input } = node;
    const last = layers.at(-1);
    if (opType === 'Conv') layers.push(readConvolution(node, find));
    else if (opType === 'PRelu' && last && !last.slopes) last.slopes = find(input?.[1]).values;
    else if (!tailOperations.includes(opType ?? ''))
      throw new Error(`${opType} has no place in a chain of convolutions`);
  }
  return layers;
}

function readConvolution({ input }: Node, find: FindTensor): ChainLayer {
  const { dims, values } = find(input?.[1]);
  const [outChannels, inChannels, ...kernel] = dims;
  if (!outChannels || !inChannels || kernel.join() !== '3,3') throw new Error('a convolution is not 3x3');
  return { inChannels, outChannels, weights: values, bias: find(input?.[2]).values, slopes: undefined };
}

/** Five convolutions. Each reads the block's input and all earlier outputs. All but the last have a LeakyReLU. */
export type DenseBlock = ChainLayer[];

/**
 * Residual groups of dense blocks (RRDBNet). Each block and each group multiplies its last output by `share` and adds
 * it to its input.
 */
export type DenseNetwork = {
  first: ChainLayer;
  groups: DenseBlock[][];
  leak: number;
  share: number;
  /** Returns the name of the tensor after the first `groups` groups. */
  nameTrunk: (groups: number) => string;
  /** The parts of the graph before the first group and after the first `groups` groups. */
  before: GraphPiece;
  after: (groups: number) => GraphPiece;
};

const [perBlock, perGroup] = [5, 3];
const denseTypes: string[][] = Array(perBlock - 1).fill(['Conv', 'LeakyRelu', 'Concat']);
const blockTypes = [...denseTypes.flat(), 'Conv', 'Mul', 'Add'];
const groupTypes = [...blockTypes, ...blockTypes, ...blockTypes, 'Mul', 'Add'];

/** Reads a network of dense blocks (RRDBNet) from ONNX bytes. Throws Error for other networks. */
export function readDenseNetwork(bytes: Uint8Array): DenseNetwork {
  const { nodes, tensors, find } = readGraph(bytes);
  const start = (group: number) => 1 + group * groupTypes.length;
  const isGroup = (group: number) => groupTypes.every((type, i) => nodes[start(group) + i]?.opType === type);
  let count = 0;
  while (isGroup(count)) count++;
  const inner = nodes.slice(start(0), start(count));
  if (nodes[0]?.opType !== 'Conv' || count === 0) throw new Error('the network is no chain of dense blocks');
  const cut = (from: number, to?: number): GraphPiece => {
    const part = nodes.slice(from, to);
    const names = new Set(part.flatMap(({ input }) => input ?? []));
    return { nodes: part, tensors: tensors.filter(({ name }) => names.has(name ?? '')) };
  };
  return {
    first: readConvolution(nodes[0], find),
    groups: Array.from({ length: count }, (_, group) => readGroup(nodes.slice(start(group)), find)),
    leak: getCommonValue(
      inner.flatMap(({ opType, attribute }) => (opType === 'LeakyRelu' ? [attribute?.[0]?.f ?? 0] : [])),
    ),
    share: getCommonValue(inner.flatMap(({ opType, input }) => (opType === 'Mul' ? [...find(input?.[1]).values] : []))),
    nameTrunk: (groups) => nodes[start(groups) - 1]?.output?.[0] ?? '',
    before: cut(0, 1),
    after: (groups) => cut(start(groups)),
  };
}

function readGroup(nodes: Node[], find: FindTensor): DenseBlock[] {
  return Array.from({ length: perGroup }, (_, block) => {
    const own = nodes.slice(block * blockTypes.length, (block + 1) * blockTypes.length);
    return own.filter(({ opType }) => opType === 'Conv').map((node) => readConvolution(node, find));
  });
}

/** Throws Error if the values differ. */
function getCommonValue(values: number[]): number {
  const [value] = values;
  if (value === undefined || values.some((other) => other !== value)) throw new Error('blocks differ in their factors');
  return value;
}
