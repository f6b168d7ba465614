import {
  attributes,
  clipOutput,
  encodeModel,
  type GraphPiece,
  imagePorts,
  kernel3x3,
  nearestAttributes,
  node,
  tensor,
} from './onnx-graph.ts';
import { type QuantizedLayer, quantizedLayerPiece, sharedTensors } from './quantized-layer.ts';

/** RGB and an empty channel, because the fast kernels read four channels at a time. */
export const paddedColors = 4;
const [colors, block] = [3, 4];

/**
 * A chain with INT8 layers. The last layer stays in floating point, because its rounding errors would be visible. Its
 * input samples are relative to their zero point.
 */
export type QuantizedChain = { layers: QuantizedLayer[]; last: { weights: Float32Array; bias: Float32Array } };

/**
 * Returns the ONNX model of a quantized network. The layers read pixels that are rounded to the nearest multiple of
 * 1/255.
 */
export function writeQuantizedChain({ layers, last }: QuantizedChain): Uint8Array {
  const samples = (layer: number) => (layer < 0 ? 'pixels' : `samples${layer}`);
  const body = layers.map((layer, i) =>
    quantizedLayerPiece(layer, { name: `layer${i}`, input: samples(i - 1), output: samples(i) }),
  );
  const end = lastPiece(last, { input: samples(layers.length - 1), zero: layers.at(-1)?.zeroOut ?? 0 });
  return encodeModel([sharedTensors, head, ...body, end, skipPiece, clipOutput], imagePorts);
}

const head: GraphPiece = {
  nodes: [
    node('QuantizeLinear', 'bytes', ['data', 'level', 'zero']),
    node('Pad', 'padded', ['bytes', 'padding', 'zero']),
    { ...node('Transpose', 'pixels', ['padded']), attribute: attributes({ perm: [0, 2, 3, 1] }) },
  ],
  tensors: [
    tensor('level', [], Float32Array.of(1 / 255)),
    tensor('padding', [8], BigInt64Array.from([0, 0, 0, 0, 0, paddedColors - colors, 0, 0], BigInt)),
  ],
};

function lastPiece({ weights, bias }: QuantizedChain['last'], from: { input: string; zero: number }): GraphPiece {
  const channels = colors * block ** 2;
  const inChannels = weights.length / channels / 9;
  return {
    nodes: [
      { ...node('Transpose', 'planes', [from.input]), attribute: attributes({ perm: [0, 3, 1, 2] }) },
      node('DequantizeLinear', 'features', ['planes', 'one', 'last.zero']),
      { ...node('Conv', 'residuals', ['features', 'last.weights', 'last.bias']), attribute: kernel3x3 },
    ],
    tensors: [
      tensor('last.zero', [], Uint8Array.of(from.zero)),
      tensor('last.weights', [channels, inChannels, 3, 3], weights),
      tensor('last.bias', [channels], bias),
    ],
  };
}

/** Skip connection. Arranges the residuals, which are 16 per pixel and color, and adds the pixel in full precision. */
const skipPiece: GraphPiece = {
  nodes: [
    { ...node('DepthToSpace', 'difference', ['residuals']), attribute: attributes({ blocksize: block, mode: 'CRD' }) },
    { ...node('Resize', 'repeated', ['data', '', 'enlargement']), attribute: nearestAttributes },
    node('Add', 'unclamped', ['difference', 'repeated']),
  ],
  tensors: [tensor('enlargement', [4], Float32Array.of(1, 1, block, block))],
};
