import onnxProto from 'onnx-proto';
import type { Node } from './onnx-graph.ts';

/** A 3x3 convolution and the PReLU behind it, except for the last one. `weights`: out x in x 3 x 3. */
export type ChainLayer = {
  inChannels: number;
  outChannels: number;
  weights: Float32Array;
  bias: Float32Array;
  slopes: Float32Array | undefined;
};

const tail = ['DepthToSpace', 'Resize', 'Add', 'Clip'];

/** Read a chain of 3x3 convolutions with PReLU (SRVGGNetCompact) from ONNX bytes. Throws Error for other networks. */
export function readChain(bytes: Uint8Array): ChainLayer[] {
  const { nodes, find } = readGraph(bytes);
  const layers: ChainLayer[] = [];
  for (const node of nodes) {
    const { opType, input } = node;
    const last = layers.at(-1);
    if (opType === 'Conv') layers.push(readConvolution(node, find));
    else if (opType === 'PRelu' && last && !last.slopes) last.slopes = find(input?.[1]).values;
    else if (!tail.includes(opType ?? '')) throw new Error(`${opType} has no place in a chain of convolutions`);
  }
  return layers;
}

/** Find a float tensor by name. Throws Error when there is none. */
export type FindTensor = (name: string | undefined) => { dims: number[]; values: Float32Array };

/** Decode the nodes and tensors of an ONNX model. */
export function readGraph(bytes: Uint8Array) {
  const { graph } = onnxProto.onnx.ModelProto.decode(bytes);
  const tensors = graph?.initializer ?? [];
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  const find: FindTensor = (name) => {
    const found = byName.get(name);
    if (!found) throw new Error(`the network names no tensor ${name}`);
    const { buffer, byteOffset, byteLength } = found.rawData ?? new Uint8Array(0);
    const view = new DataView(buffer, byteOffset, byteLength);
    const values = Float32Array.from({ length: byteLength / 4 }, (_, i) => view.getFloat32(i * 4, true));
    return { dims: (found.dims ?? []).map(Number), values };
  };
  return { nodes: graph?.node ?? [], tensors, find };
}

/** Read a 3x3 convolution without its activation. */
export function readConvolution({ input }: Node, find: FindTensor): ChainLayer {
  const { dims, values } = find(input?.[1]);
  const [outChannels, inChannels, ...kernel] = dims;
  if (!outChannels || !inChannels || kernel.join() !== '3,3') throw new Error('a convolution is not 3x3');
  return { inChannels, outChannels, weights: values, bias: find(input?.[2]).values, slopes: undefined };
}
