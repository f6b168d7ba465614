import onnxProto from 'onnx-proto';
import type { GraphPiece, port } from './parts.ts';

const { onnx } = onnxProto;
const irVersion = 8;
const opset = 17;
/** Where onnxruntime keeps its own operators, the quantized ones among them. */
export const runtimeDomain = 'com.microsoft';

type Port = ReturnType<typeof port>;

/** Encodes a graph as an ONNX model that may use onnxruntime's own operators. The same graph gives the same bytes. */
export function encodeModel(pieces: GraphPiece[], ends: { inputs: Port[]; outputs: Port[] }): Uint8Array {
  const graph = {
    name: 'enlarge',
    node: pieces.flatMap((piece) => piece.nodes),
    initializer: pieces.flatMap((piece) => piece.tensors),
    input: ends.inputs,
    output: ends.outputs,
  };
  const opsetImport = [
    { domain: '', version: opset },
    { domain: runtimeDomain, version: 1 },
  ];
  return onnx.ModelProto.encode({ irVersion, producerName: 'uprez', opsetImport, graph }).finish();
}
