import { attributes, encodeModel, kernel3x3, node, port, tensor } from './onnx-graph.ts';
import type { ChainLayer } from './read-chain.ts';

/**
 * Writes a model of one float layer. Input: `x` (1, in, H, W). Outputs: `linear`, before the PReLU, and `y`, after it,
 * both (1, out, H, W).
 */
export function writeFloatLayer({ inChannels, outChannels, weights, bias, slopes }: ChainLayer): Uint8Array {
  const nodes = [
    { ...node('Conv', 'linear', ['x', 'weights', 'bias']), attribute: kernel3x3 },
    slopes ? node('PRelu', 'y', ['linear', 'slopes']) : node('Identity', 'y', ['linear']),
  ];
  const tensors = [
    tensor('weights', [outChannels, inChannels, 3, 3], weights),
    tensor('bias', [outChannels], bias),
    ...(slopes ? [tensor('slopes', [outChannels, 1, 1], slopes)] : []),
  ];
  const shape = (channels: number) => [1, channels, 'height', 'width'];
  return encodeModel([{ nodes, tensors }], {
    inputs: [port('x', 'float', shape(inChannels))],
    outputs: [port('linear', 'float', shape(outChannels)), port('y', 'float', shape(outChannels))],
  });
}

/** Writes a model that computes `y` (A, B), the dot products of the columns of `a` (N, A) and `b` (N, B). */
export function writeProduct(): Uint8Array {
  const nodes = [
    { ...node('Transpose', 'turned', ['a']), attribute: attributes({ perm: [1, 0] }) },
    node('MatMul', 'y', ['turned', 'b']),
  ];
  return encodeModel([{ nodes, tensors: [] }], {
    inputs: [port('a', 'float', ['rows', 'first']), port('b', 'float', ['rows', 'second'])],
    outputs: [port('y', 'float', ['first', 'second'])],
  });
}
