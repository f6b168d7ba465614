import { encodeModel } from './encode-model.ts';
import { type GraphPiece, int, ints, nearest, node, port, string, tensor } from './parts.ts';
import { type QuantizedLayer, quantizedLayerPiece, sharedTensors } from './quantized-layer.ts';

/** Channels of the first layer's input: RGB and an empty one, because the quick kernels read four at a time. */
export const paddedColours = 4;
const [colours, block] = [3, 4];

/** Layers of a network that enlarges four times, and the size of one step of the last layer's samples. */
export type QuantizedChain = { layers: QuantizedLayer[]; lastStep: number };

/**
 * Writes a quantized network with the same ends as `writeOnnx`: float32 (N, 3, H, W) in 0..1, to float32 (N, 3, 4H, 4W),
 * clamped to 0..1. What the network adds to a pixel is computed from its nearest multiple of 1/255.
 */
export function writeQuantizedChain({ layers, lastStep }: QuantizedChain): Uint8Array {
  const body = layers.map((layer, i) =>
    quantizedLayerPiece(layer, {
      name: `layer${i}`,
      input: i === 0 ? 'pixels' : `samples${i - 1}`,
      output: i === layers.length - 1 ? 'residual' : `samples${i}`,
    }),
  );
  return encodeModel([sharedTensors(), head(), ...body, end(lastStep, layers.at(-1)?.zeroOut ?? 0)], {
    inputs: [port('data', 'float', ['batch', colours, 'height', 'width'])],
    outputs: [port('output', 'float', ['batch', colours, 'outputHeight', 'outputWidth'])],
  });
}

/** The picture as bytes, channels last. */
function head(): GraphPiece {
  return {
    nodes: [
      node('QuantizeLinear', 'bytes', { input: ['data', 'level', 'zero'] }),
      node('Pad', 'padded', { input: ['bytes', 'padding', 'zero'] }),
      node('Transpose', 'pixels', { input: ['padded'], attribute: [ints('perm', [0, 2, 3, 1])] }),
    ],
    tensors: [
      tensor('level', [], Float32Array.of(1 / 255)),
      tensor('padding', [8], BigInt64Array.from([0, 0, 0, 0, 0, paddedColours - colours, 0, 0], BigInt)),
    ],
  };
}

/** Spreads the residuals, 16 for each pixel, and adds what each pixel is, in full precision, to its own. */
function end(lastStep: number, zero: number): GraphPiece {
  const attribute = [int('blocksize', block), string('mode', 'CRD')];
  return {
    nodes: [
      node('Transpose', 'planes', { input: ['residual'], attribute: [ints('perm', [0, 3, 1, 2])] }),
      node('DepthToSpace', 'spread', { input: ['planes'], attribute }),
      node('DequantizeLinear', 'difference', { input: ['spread', 'lastStep', 'lastZero'] }),
      node('Resize', 'repeated', { input: ['data', '', 'enlargement'], attribute: nearest }),
      node('Add', 'unclamped', { input: ['difference', 'repeated'] }),
      node('Clip', 'output', { input: ['unclamped', 'clip.low', 'clip.high'] }),
    ],
    tensors: [
      tensor('lastStep', [], Float32Array.of(lastStep)),
      tensor('lastZero', [], Uint8Array.of(zero)),
      tensor('enlargement', [4], Float32Array.of(1, 1, block, block)),
      tensor('clip.low', [], Float32Array.of(0)),
      tensor('clip.high', [], Float32Array.of(1)),
    ],
  };
}
