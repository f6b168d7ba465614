import onnxProto from 'onnx-proto';

const { onnx } = onnxProto;
type Attribute = onnxProto.onnx.IAttributeProto;
export type Node = onnxProto.onnx.INodeProto;
export type Tensor = onnxProto.onnx.ITensorProto;

/** ONNX nodes of one operation, and the initializers they read. */
export type GraphPiece = { nodes: Node[]; tensors: Tensor[] };

type Values = Float32Array | Uint8Array | Int8Array | Int32Array | BigInt64Array;

/** Little-endian bytes of `values`, which is how ONNX stores raw tensor data. */
function littleEndianBytes(values: Values): Uint8Array {
  const bytes = new Uint8Array(values.byteLength);
  const view = new DataView(bytes.buffer);
  values.forEach((value: number | bigint, i: number) => {
    const at = i * values.BYTES_PER_ELEMENT;
    if (typeof value === 'bigint') view.setBigInt64(at, value, true);
    else if (values instanceof Float32Array) view.setFloat32(at, value, true);
    else if (values instanceof Int32Array) view.setInt32(at, value, true);
    else bytes[at] = value;
  });
  return bytes;
}

const { DataType } = onnx.TensorProto;

function typeOf(values: Values): onnxProto.onnx.TensorProto.DataType {
  if (values instanceof Float32Array) return DataType.FLOAT;
  if (values instanceof Uint8Array) return DataType.UINT8;
  if (values instanceof Int8Array) return DataType.INT8;
  return values instanceof Int32Array ? DataType.INT32 : DataType.INT64;
}

/** An initializer of the element type of `values`. An empty `dims` is a scalar. */
export const tensor = (name: string, dims: number[], values: Values): Tensor => ({
  name,
  dims,
  dataType: typeOf(values),
  rawData: littleEndianBytes(values),
});

type NodeParts = { input: string[]; attribute?: Attribute[]; domain?: string };

/** A graph node with one output; the node bears the output's name. */
export const node = (opType: string, output: string, parts: NodeParts): Node => ({
  opType,
  name: output,
  output: [output],
  ...parts,
});

const { AttributeType } = onnx.AttributeProto;
export const int = (name: string, i: number): Attribute => ({ name, type: AttributeType.INT, i });
export const ints = (name: string, values: number[]): Attribute => ({ name, type: AttributeType.INTS, ints: values });
export const float = (name: string, f: number): Attribute => ({ name, type: AttributeType.FLOAT, f });
export const string = (name: string, text: string): Attribute => ({
  name,
  type: AttributeType.STRING,
  s: new TextEncoder().encode(text),
});

/** A `Resize` that repeats each pixel. */
export const nearest: Attribute[] = [
  string('mode', 'nearest'),
  string('coordinate_transformation_mode', 'asymmetric'),
  string('nearest_mode', 'floor'),
];

/** A graph's input or output: its element type and its sides, a name where a side is free. */
export const port = (name: string, elements: 'float' | 'uint8', sides: (number | string)[]) => ({
  name,
  type: {
    tensorType: {
      elemType: elements === 'float' ? DataType.FLOAT : DataType.UINT8,
      shape: { dim: sides.map((side) => (typeof side === 'number' ? { dimValue: side } : { dimParam: side })) },
    },
  },
});
