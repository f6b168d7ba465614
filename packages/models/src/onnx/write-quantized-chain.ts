import { encodeModel } from './encode-model.ts';
import { type GraphPiece, int, ints, nearest, node, port, string, tensor } from './parts.ts';
import { type QuantizedLayer, quantizedLayerPiece, sharedTensors } from './quantized-layer.ts';

/** Channels of the first layer's input: RGB and an empty one, because the quick kernels read four at a time. */
export const paddedColors = 4;
const [colors, block] = [3, 4];

/**
 * Layers of a network that enlarges four times. The last is in plain arithmetic, because what it gives is what is
 * seen; its weights (out x in x 3 x 3) take the samples of the layer before, counted from that layer's zero.
 */
export type QuantizedChain = { layers: QuantizedLayer[]; last: { weights: Float32Array; bias: Float32Array } };

/**
 * Writes a quantized network with the same ends as `writeOnnx`: float32 (N, 3, H, W) in 0..1, to float32 (N, 3, 4H, 4W),
 * clamped to 0..1. What the network adds to a pixel is computed from its nearest multiple of 1/255.
 */
export function writeQuantizedChain({ layers, last }: QuantizedChain): Uint8Array {
  const body = layers.map((layer, i) =>
    quantizedLayerPiece(layer, {
      name: `layer${i}`,
      input: i === 0 ? 'pixels' : `samples${i - 1}`,
      output: `samples${i}`,
    }),
  );
  const zero = layers.at(-1)?.zeroOut ?? 0;
  const end = lastPiece(last, { input: `samples${layers.length - 1}`, zero });
  return encodeModel([sharedTensors(), head(), ...body, end, skip()], {
    inputs: [port('data', 'float', ['batch', colors, 'height', 'width'])],
    outputs: [port('output', 'float', ['batch', colors, 'outputHeight', 'outputWidth'])],
  });
}

/** The image as bytes, channels last. */
function head(): GraphPiece {
  return {
    nodes: [
      node('QuantizeLinear', 'bytes', { input: ['data', 'level', 'zero'] }),
      node('Pad', 'padded', { input: ['bytes', 'padding', 'zero'] }),
      node('Transpose', 'pixels', { input: ['padded'], attribute: [ints('perm', [0, 2, 3, 1])] }),
    ],
    tensors: [
      tensor('level', [], Float32Array.of(1 / 255)),
      tensor('padding', [8], BigInt64Array.from([0, 0, 0, 0, 0, paddedColors - colors, 0, 0], BigInt)),
    ],
  };
}

/** The last convolution, on floats and channels first. */
function lastPiece({ weights, bias }: QuantizedChain['last'], from: { input: string; zero: number }): GraphPiece {
  const channels = colors * block ** 2;
  const inChannels = weights.length / channels / 9;
  const attribute = [ints('kernel_shape', [3, 3]), ints('pads', [1, 1, 1, 1])];
  return {
    nodes: [
      node('Transpose', 'planes', { input: [from.input], attribute: [ints('perm', [0, 3, 1, 2])] }),
      node('DequantizeLinear', 'features', { input: ['planes', 'one', 'last.zero'] }),
      node('Conv', 'residuals', { input: ['features', 'last.weights', 'last.bias'], attribute }),
    ],
    tensors: [
      tensor('last.zero', [], Uint8Array.of(from.zero)),
      tensor('last.weights', [channels, inChannels, 3, 3], weights),
      tensor('last.bias', [channels], bias),
    ],
  };
}

/** Spreads the residuals, 16 for each pixel, and adds the pixel itself, in full precision. */
function skip(): GraphPiece {
  const attribute = [int('blocksize', block), string('mode', 'CRD')];
  return {
    nodes: [
      node('DepthToSpace', 'difference', { input: ['residuals'], attribute }),
      node('Resize', 'repeated', { input: ['data', '', 'enlargement'], attribute: nearest }),
      node('Add', 'unclamped', { input: ['difference', 'repeated'] }),
      node('Clip', 'output', { input: ['unclamped', 'clip.low', 'clip.high'] }),
    ],
    tensors: [
      tensor('enlargement', [4], Float32Array.of(1, 1, block, block)),
      tensor('clip.low', [], Float32Array.of(0)),
      tensor('clip.high', [], Float32Array.of(1)),
    ],
  };
}
