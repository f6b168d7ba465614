import { type Node, type Tensor, tensor } from '../onnx/onnx-graph.ts';
import type { Graph } from '../onnx/read-graph.ts';
import { axesOf, type RowNetwork, type RowNode, type RowTensor } from './row-nodes.ts';

/**
 * Reads an upscaling model (`imagePorts`) as operations on rows. `inBands`: removes column padding, because each band
 * receives its adjacent columns, as each strip receives rows. Throws Error for unsupported nodes, such as nodes that
 * read more than three rows.
 */
export function readRowNetwork(graph: Graph, { inBands }: { inBands: boolean }): RowNetwork {
  const data: RowTensor = {
    ...{ name: 'data', element: 'float', layout: 'planes', channels: 3, scale: 1, border: 0, edge: undefined },
  };
  const tensors = new Map([[data.name, data]]);
  const nodes = graph.nodes.map((node): RowNode => {
    const names = (node.input ?? []).filter((name) => name !== '' && !graph.has(name));
    const inputs = names.map((name) => {
      const found = tensors.get(name);
      if (!found) throw new Error(`${node.name} reads ${name} before it exists`);
      return found;
    });
    const read = readers[node.opType ?? ''];
    if (!read) throw new Error(`${node.name} is a ${node.opType}, which does not work on rows`);
    const made = read({ node, graph, inputs, input: inputs[0] ?? data, inBands });
    const output: RowTensor = { ...(inputs[0] ?? data), edge: undefined, ...made.output, name: node.output?.[0] ?? '' };
    tensors.set(output.name, output);
    return { node, tensors: [], inputs: names, kind: 'row', ...made, output } as RowNode;
  });
  const output = tensors.get('output');
  if (!output) throw new Error('the network has no output');
  return { input: data, nodes, output };
}

type ReadContext = { node: Node; graph: Graph; inputs: RowTensor[]; input: RowTensor; inBands: boolean };
/** `output`: properties in which the output differs from the node's first input. */
type Reader = (reading: ReadContext) => {
  output?: Partial<RowTensor>;
  node?: Node;
  tensors?: Tensor[];
} & ({ kind?: 'row' } | { kind: 'window'; edge: number[] } | { kind: 'upscale'; factor: number });

const readUnchanged: Reader = () => ({});

const readers: Record<string, Reader> = {
  Add: readUnchanged,
  Clip: readUnchanged,
  LeakyRelu: readUnchanged,
  Mul: readUnchanged,
  PRelu: readUnchanged,
  QLinearAdd: readUnchanged,
  QLinearLeakyRelu: readUnchanged,
  QuantizeLinear: () => ({ output: { element: 'uint8' } }),
  DequantizeLinear: () => ({ output: { element: 'float' } }),
  Conv: (reading) => readConvolution(reading, 1, 0),
  QLinearConv: (reading) => readConvolution(reading, 3, reading.graph.list(reading.node.input?.[2])[0] as number),
  Concat: readConcat,
  Pad: readPad,
  Transpose: ({ node, input }) => {
    const order = listAttribute(node, 'perm').join();
    const layout = { '0,2,3,1': 'pixels', '0,3,1,2': 'planes' }[order] as RowTensor['layout'] | undefined;
    if (!layout || layout === input.layout) throw new Error(`${node.name} has the unknown order ${order}`);
    return { output: { layout } };
  },
  DepthToSpace: ({ node, input: { channels, scale } }) => {
    const factor = Number(node.attribute?.find(({ name }) => name === 'blocksize')?.i);
    return { kind: 'upscale', factor, output: { channels: channels / factor ** 2, scale: scale * factor } };
  },
  Resize: ({ node, graph, input: { scale } }) => {
    const factor = graph.list(node.input?.[2])[2] as number;
    return { kind: 'upscale', factor, output: { scale: scale * factor } };
  },
};

const listAttribute = (node: Node, name: string): number[] =>
  (node.attribute?.find((attribute) => attribute.name === name)?.ints ?? []).map(Number);

const withAttribute = (node: Node, name: string, ints: number[]): Node => ({
  ...node,
  attribute: (node.attribute ?? []).map((attribute) => (attribute.name === name ? { ...attribute, ints } : attribute)),
});

/** `weights`: index of the weights among the node's inputs. `zero`: padding value. */
function readConvolution(reading: ReadContext, weights: number, zero: number): ReturnType<Reader> {
  const { node, graph, input, inBands } = reading;
  const [channels = 0, , height, width = 1] = graph.dims(node.input?.[weights]);
  const [top = 0, left = 0, bottom = 0, right = 0] = listAttribute(node, 'pads');
  const output = { channels, border: inBands ? 0 : input.border + left + right + 1 - width };
  if (height === 1 && top === 0 && bottom === 0) return { output };
  const edge = top === 1 && bottom === 1 ? Array<number>(input.channels).fill(zero) : input.edge;
  if (height !== 3 || !edge) throw new Error(`${node.name} is no 3x3 convolution with one row of padding`);
  if (inBands && (width !== 3 || left !== top || right !== bottom))
    throw new Error(`${node.name} pads other columns than rows`);
  const pads = inBands ? [0, 0, 0, 0] : [0, left, 0, right];
  return { kind: 'window', edge, output, node: withAttribute(node, 'pads', pads) };
}

function readConcat({ node, inputs, input }: ReadContext): ReturnType<Reader> {
  const axis = Number(node.attribute?.[0]?.i);
  if (axis !== axesOf[input.layout].channels) throw new Error(`${node.name} does not join channels`);
  const edges = inputs.flatMap(({ edge }) => (edge ? [edge] : []));
  const edge = edges.length === inputs.length ? edges.flat() : undefined;
  return { output: { channels: inputs.reduce((sum, { channels }) => sum + channels, 0), edge } };
}

/** Removes row padding and, in bands, column padding. The padding value becomes the tensor's edge. */
function readPad({ node, graph, input, inBands }: ReadContext): ReturnType<Reader> {
  const [samples = '', name = '', zero = ''] = node.input ?? [];
  const pads = graph.list(name);
  const [value = 0] = graph.list(zero);
  const { channels, rows, columns } = axesOf[input.layout];
  const added = (axis: number) => (pads[axis] ?? 0) + (pads[axis + 4] ?? 0);
  const border = inBands ? 0 : input.border + added(columns);
  const output = { channels: input.channels + added(channels), border };
  if (added(rows) === 0) return { output };
  if (pads[rows] !== 1 || pads[rows + 4] !== 1) throw new Error(`${node.name} adds other than one row on each side`);
  if (inBands && (pads[columns] !== 1 || pads[columns + 4] !== 1))
    throw new Error(`${node.name} pads other columns than rows`);
  const isDropped = (axis: number) => axis === rows || (inBands && axis === columns);
  const kept = pads.map((pad, i) => BigInt(isDropped(i % 4) ? 0 : pad));
  const rest = tensor(`${name}.rest`, [8], BigInt64Array.from(kept));
  const edge = Array<number>(output.channels).fill(value);
  return { output: { ...output, edge }, node: { ...node, input: [samples, `${name}.rest`, zero] }, tensors: [rest] };
}
