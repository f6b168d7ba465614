import onnxProto from 'onnx-proto';

const { onnx } = onnxProto;
type Attribute = onnxProto.onnx.IAttributeProto;
export type Node = onnxProto.onnx.INodeProto;
export type Tensor = onnxProto.onnx.ITensorProto;

/** Little-endian bytes of `values`, which is how ONNX stores raw tensor data. */
function littleEndianBytes(values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) view.setFloat32(i * 4, values[i] ?? 0, true);
  return bytes;
}

/** A float32 initializer. An empty `dims` is a scalar. */
export const tensor = (name: string, dims: number[], values: Float32Array): Tensor => ({
  name,
  dims,
  dataType: onnx.TensorProto.DataType.FLOAT,
  rawData: littleEndianBytes(values),
});

/** A graph node with one output; the node bears the output's name. */
export const node = (opType: string, output: string, parts: { input: string[]; attribute?: Attribute[] }): Node => ({
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
