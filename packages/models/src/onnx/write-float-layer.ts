import { encodeModel } from './encode-model.ts';
import { ints, node, port, tensor } from './parts.ts';
import type { ChainLayer } from './read-chain.ts';

/**
 * A model of one layer in plain arithmetic: `x`, float32 (1, in, H, W), to `linear` and, behind the PReLU, `y`, both
 * float32 (1, out, H, W).
 */
export function writeFloatLayer({ inChannels, outChannels, weights, bias, slopes }: ChainLayer): Uint8Array {
  const attribute = [ints('kernel_shape', [3, 3]), ints('pads', [1, 1, 1, 1])];
  const nodes = [
    node('Conv', 'linear', { input: ['x', 'weights', 'bias'], attribute }),
    slopes ? node('PRelu', 'y', { input: ['linear', 'slopes'] }) : node('Identity', 'y', { input: ['linear'] }),
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

/** A model of a product: `a`, float32 (N, A), and `b`, float32 (N, B), to `y`, the A x B products of their columns. */
export function writeProduct(): Uint8Array {
  const nodes = [
    node('Transpose', 'turned', { input: ['a'], attribute: [ints('perm', [1, 0])] }),
    node('MatMul', 'y', { input: ['turned', 'b'] }),
  ];
  return encodeModel([{ nodes, tensors: [] }], {
    inputs: [port('a', 'float', ['rows', 'first']), port('b', 'float', ['rows', 'second'])],
    outputs: [port('y', 'float', ['first', 'second'])],
  });
}
