import onnxProto from 'onnx-proto';

const { onnx } = onnxProto;
type Attribute = onnxProto.onnx.IAttributeProto;
export type Node = onnxProto.onnx.INodeProto;
export type Tensor = onnxProto.onnx.ITensorProto;

export type GraphPiece = { nodes: Node[]; tensors: Tensor[] };

type Values = Float32Array | Uint8Array | Int8Array | Int32Array | BigInt64Array;

/** Returns the bytes in little-endian order, as ONNX stores raw tensor data. */
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

function dataTypeOf(values: Values): onnxProto.onnx.TensorProto.DataType {
  if (values instanceof Float32Array) return DataType.FLOAT;
  if (values instanceof Uint8Array) return DataType.UINT8;
  if (values instanceof Int8Array) return DataType.INT8;
  return values instanceof Int32Array ? DataType.INT32 : DataType.INT64;
}

/** Creates an initializer. Empty `dims` create a scalar. */
export const tensor = (name: string, dims: number[], values: Values): Tensor => ({
  name,
  dims,
  dataType: dataTypeOf(values),
  rawData: littleEndianBytes(values),
});

/** Creates a node with one output. The node and its output have the same name. */
export const node = (opType: string, output: string, input: string[]): Node => ({
  opType,
  name: output,
  output: [output],
  input,
});

const { AttributeType } = onnx.AttributeProto;
type AttributeValue = number | number[] | string;

/**
 * Creates the attributes of a node. Whole numbers become integers. The exception is `alpha`, which is a float in every
 * operator.
 */
export const attributes = (values: Record<string, AttributeValue>): Attribute[] =>
  Object.entries(values).map(([name, value]) => {
    if (typeof value === 'string') return { name, type: AttributeType.STRING, s: new TextEncoder().encode(value) };
    if (typeof value !== 'number') return { name, type: AttributeType.INTS, ints: value };
    return name === 'alpha' || !Number.isInteger(value)
      ? { name, type: AttributeType.FLOAT, f: value }
      : { name, type: AttributeType.INT, i: value };
  });

export const kernel3x3 = attributes({ kernel_shape: [3, 3], pads: [1, 1, 1, 1] });
export const nearestAttributes = attributes({
  mode: 'nearest',
  coordinate_transformation_mode: 'asymmetric',
  nearest_mode: 'floor',
});

/** Creates an input or output of a graph. `sides`: a number for a fixed size, or a name for any size. */
export const port = (name: string, elements: 'float' | 'uint8' | 'int64', sides: (number | string)[]) => ({
  name,
  type: {
    tensorType: {
      elemType: { float: DataType.FLOAT, uint8: DataType.UINT8, int64: DataType.INT64 }[elements],
      shape: { dim: sides.map((side) => (typeof side === 'number' ? { dimValue: side } : { dimParam: side })) },
    },
  },
});
type Port = ReturnType<typeof port>;

/** The input and output of all upscaling models: RGB planes with values from 0 to 1. */
export const imagePorts = {
  inputs: [port('data', 'float', ['batch', 3, 'height', 'width'])],
  outputs: [port('output', 'float', ['batch', 3, 'outputHeight', 'outputWidth'])],
};

export const clipOutput: GraphPiece = {
  nodes: [node('Clip', 'output', ['unclamped', 'clip.low', 'clip.high'])],
  tensors: [tensor('clip.low', [], Float32Array.of(0)), tensor('clip.high', [], Float32Array.of(1))],
};

export const joinPieces = (pieces: GraphPiece[]): GraphPiece => ({
  nodes: pieces.flatMap(({ nodes }) => nodes),
  tensors: pieces.flatMap(({ tensors }) => tensors),
});

/** Domain of onnxruntime's own operators, such as the quantized ones. */
export const runtimeDomain = 'com.microsoft';

/** Encodes a graph as an ONNX model (IR 8, opset 17), deterministically. */
export function encodeModel(
  pieces: GraphPiece[],
  ends: { inputs: Port[]; outputs: Port[] },
  usesRuntimeDomain = true,
): Uint8Array {
  const { nodes, tensors } = joinPieces(pieces);
  const graph = { name: 'enlarge', node: nodes, initializer: tensors, input: ends.inputs, output: ends.outputs };
  const opsetImport = [{ domain: '', version: 17 }];
  if (usesRuntimeDomain) opsetImport.push({ domain: runtimeDomain, version: 1 });
  return onnx.ModelProto.encode({ irVersion: 8, producerName: 'uprez', opsetImport, graph }).finish();
}
