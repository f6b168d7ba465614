import {
  clipOutput,
  encodeModel,
  type GraphPiece,
  imagePorts,
  int,
  ints,
  kernel3x3,
  nearest,
  node,
  string,
  tensor,
} from './onnx-graph.ts';
import { type QuantizedLayer, quantizedLayerPiece, sharedTensors } from './quantized-layer.ts';

/** Channels of the first layer's input: RGB and an empty one, because the fast kernels read four at a time. */
export const paddedColors = 4;
const [colors, block] = [3, 4];

/** The last layer is computed in floats, because its errors are visible. Samples are relative to their zero. */
export type QuantizedChain = { layers: QuantizedLayer[]; last: { weights: Float32Array; bias: Float32Array } };

/** Write a quantized network. Differences from a pixel are computed from its nearest multiple of 1/255. */
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
  return encodeModel([sharedTensors(), head(), ...body, end, skip(), clipOutput], imagePorts);
}

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
  return {
    nodes: [
      node('Transpose', 'planes', { input: [from.input], attribute: [ints('perm', [0, 3, 1, 2])] }),
      node('DequantizeLinear', 'features', { input: ['planes', 'one', 'last.zero'] }),
      node('Conv', 'residuals', { input: ['features', 'last.weights', 'last.bias'], attribute: kernel3x3 }),
    ],
    tensors: [
      tensor('last.zero', [], Uint8Array.of(from.zero)),
      tensor('last.weights', [channels, inChannels, 3, 3], weights),
      tensor('last.bias', [channels], bias),
    ],
  };
}

/** Arrange the residuals, 16 for each pixel, and add the pixel in full precision. */
function skip(): GraphPiece {
  const attribute = [int('blocksize', block), string('mode', 'CRD')];
  return {
    nodes: [
      node('DepthToSpace', 'difference', { input: ['residuals'], attribute }),
      node('Resize', 'repeated', { input: ['data', '', 'enlargement'], attribute: nearest }),
      node('Add', 'unclamped', { input: ['difference', 'repeated'] }),
    ],
    tensors: [tensor('enlargement', [4], Float32Array.of(1, 1, block, block))],
  };
}
