import onnxProto from 'onnx-proto';
import type { Network, Operation } from '../ncnn/network.ts';
import { operationToNodes } from './operation-to-nodes.ts';
import { node, port, tensor } from './parts.ts';

const { onnx } = onnxProto;
const irVersion = 8;
const opset = 17;

/**
 * Writes a network that enlarges RGB images as an ONNX model (IR 8, opset 17). The same network always gives the
 * same bytes. Input `data`: float32 (N, 3, H, W), RGB in 0..1; output `output`: float32 (N, 3, scale H, scale W),
 * clamped to 0..1; N, H and W are free.
 */
export function writeOnnx(network: Network): Uint8Array {
  const pieces = network.operations.map((operation) => operationToNodes(renameBlobs(operation, network)));
  const graph = {
    name: 'enlarge',
    node: [
      ...pieces.flatMap((piece) => piece.nodes),
      node('Clip', 'output', { input: ['unclamped', 'clip.low', 'clip.high'] }),
    ],
    initializer: [
      ...pieces.flatMap((piece) => piece.tensors),
      tensor('clip.low', [], Float32Array.of(0)),
      tensor('clip.high', [], Float32Array.of(1)),
    ],
    input: [port('data', 'float', ['batch', 3, 'height', 'width'])],
    output: [port('output', 'float', ['batch', 3, 'outputHeight', 'outputWidth'])],
  };
  const model = { irVersion, producerName: 'uprez', opsetImport: [{ domain: '', version: opset }], graph };
  return onnx.ModelProto.encode(model).finish();
}

/** Blobs keep their ncnn names behind a prefix, so that none can meet the names of the graph's own ends. */
function renameBlobs(operation: Operation, { input, output }: Network): Operation {
  const rename = (blob: string) => (blob === input ? 'data' : blob === output ? 'unclamped' : `blob.${blob}`);
  const renamed = { ...operation, output: rename(operation.output) };
  if ('inputs' in renamed) return { ...renamed, inputs: renamed.inputs.map(rename) };
  return { ...renamed, input: rename(renamed.input) };
}
