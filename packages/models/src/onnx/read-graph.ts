import onnxProto from 'onnx-proto';
import type { Node, Tensor } from './onnx-graph.ts';

/** Finds a float tensor by name. Throws Error if the tensor doesn't exist. */
export type FindTensor = (name: string | undefined) => { dims: number[]; values: Float32Array };

/** Nodes and tensors of an ONNX model. Unlike `find`, `dims` and `list` also accept tensors that aren't float. */
export type Graph = {
  nodes: Node[];
  tensors: Tensor[];
  find: FindTensor;
  has: (name: string) => boolean;
  dims: (name: string | undefined) => number[];
  list: (name: string | undefined) => number[];
};

export function readGraph(bytes: Uint8Array): Graph {
  const { graph } = onnxProto.onnx.ModelProto.decode(bytes);
  const tensors = graph?.initializer ?? [];
  const byName = new Map(tensors.map((tensor) => [tensor.name ?? '', tensor]));
  const get = (name: string | undefined): Tensor => {
    const found = byName.get(name ?? '');
    if (!found) throw new Error(`the network names no tensor ${name}`);
    return found;
  };
  const dims = (name: string | undefined) => (get(name).dims ?? []).map(Number);
  return {
    nodes: graph?.node ?? [],
    tensors,
    has: (name) => byName.has(name),
    dims,
    list: (name) => readNumbers(get(name)),
    find: (name) => {
      const { buffer, byteOffset, byteLength } = get(name).rawData ?? new Uint8Array(0);
      const view = new DataView(buffer, byteOffset, byteLength);
      return {
        dims: dims(name),
        values: Float32Array.from({ length: byteLength / 4 }, (_, i) => view.getFloat32(i * 4, true)),
      };
    },
  };
}

const { DataType } = onnxProto.onnx.TensorProto;

const readers: Record<number, [sizeBytes: number, read: (view: DataView, at: number) => number]> = {
  [DataType.FLOAT]: [4, (view, at) => view.getFloat32(at, true)],
  [DataType.UINT8]: [1, (view, at) => view.getUint8(at)],
  [DataType.INT64]: [8, (view, at) => Number(view.getBigInt64(at, true))],
};

function readNumbers({ name, dataType, rawData }: Tensor): number[] {
  const reader = readers[dataType ?? 0];
  if (!reader) throw new Error(`the tensor ${name} has the unknown type ${dataType}`);
  const { buffer, byteOffset, byteLength } = rawData ?? new Uint8Array(0);
  const [size, read] = reader;
  const view = new DataView(buffer, byteOffset, byteLength);
  return Array.from({ length: byteLength / size }, (_, i) => read(view, i * size));
}
