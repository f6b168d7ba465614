import {
  attributes,
  encodeModel,
  type GraphPiece,
  joinPieces,
  node,
  port,
  runtimeDomain,
  tensor,
} from './onnx-graph.ts';

/**
 * A 3x3 convolution of 8-bit samples with channels last. An output sample is `zeroOut + round(weightScales x (weights *
 * (input - zeroIn) + bias))`, clamped to 0-255. If `bends` is set (1 - slope, by channel), a PReLU follows the
 * convolution. If `leak` is set, a LeakyReLU follows.
 */
export type QuantizedLayer = {
  inChannels: number;
  /**
   * The layer is split into convolutions with these numbers of output channels. onnxruntime is fastest with 64 and 16.
   */
  parts: number[];
  weights: Int8Array;
  weightScales: Float32Array;
  bias: Int32Array;
  zeroIn: number;
  zeroOut: number;
  bends: Float32Array | undefined;
  /**
   * `share`: quantization step after the LeakyReLU, divided by the step before it. `zero`: zero point after the
   * LeakyReLU.
   */
  leak?: { slope: number; share: number; zero: number };
  /** Whether the input includes a border of one pixel. */
  padded?: boolean;
};

/** Minimum bend, because a scale must not be 0. */
const minBend = 1e-6;

export const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

export const sharedTensors: GraphPiece = {
  nodes: [],
  tensors: [tensor('one', [], Float32Array.of(1)), tensor('zero', [], Uint8Array.of(0))],
};

export type Wires = { name: string; input: string; output: string };

/** Creates the graph of one layer. `name`: prefix of its tensors. */
export function quantizedLayerPiece(layer: QuantizedLayer, { name, input, output }: Wires): GraphPiece {
  const linear = layer.bends || layer.leak ? `${name}.linear` : output;
  const isSingle = layer.parts.length === 1;
  const names = layer.parts.map((_, part) => `${name}.${part}`);
  const pieces = names.map((own, part) =>
    convolutionPiece(layer, part, { name: own, input, output: isSingle ? linear : own }),
  );
  const concat = { ...node('Concat', linear, names), attribute: attributes({ axis: 3 }) };
  if (!isSingle) pieces.push({ nodes: [concat], tensors: [] });
  const wires = { name, input: linear, output };
  if (layer.bends) pieces.push(preluPiece(layer, layer.bends, wires));
  else if (layer.leak) pieces.push(leakyReluPiece(layer.zeroOut, layer.leak, wires));
  return joinPieces(pieces);
}

function convolutionPiece(layer: QuantizedLayer, part: number, { name, input, output }: Wires): GraphPiece {
  const { inChannels, parts, weights, weightScales, bias } = layer;
  const channels = parts[part] ?? 0;
  const from = sum(parts.slice(0, part));
  const size = inChannels * 9;
  const tensors = [
    tensor(`${name}.weights`, [channels, inChannels, 3, 3], weights.slice(from * size, (from + channels) * size)),
    tensor(`${name}.scales`, [channels], weightScales.slice(from, from + channels)),
    tensor(`${name}.zeros`, [channels], new Int8Array(channels)),
    tensor(`${name}.bias`, [channels], bias.slice(from, from + channels)),
    tensor(`${name}.zeroIn`, [], Uint8Array.of(layer.zeroIn)),
    tensor(`${name}.zeroOut`, [], Uint8Array.of(layer.zeroOut)),
  ];
  const kernel = ['weights', 'scales', 'zeros'].map((suffix) => `${name}.${suffix}`);
  const inputs = [input, 'one', `${name}.zeroIn`, ...kernel, 'one', `${name}.zeroOut`, `${name}.bias`];
  const pad = layer.padded ? 0 : 1;
  const attribute = attributes({ kernel_shape: [3, 3], pads: [pad, pad, pad, pad], channels_last: 1 });
  return { nodes: [{ ...node('QLinearConv', output, inputs), attribute, domain: runtimeDomain }], tensors };
}

/**
 * Creates a PReLU for 8-bit samples, which onnxruntime doesn't provide: x + max(0, (slope - 1)(x - zero)). The second
 * term is a 1x1 depthwise convolution. Its zero point 0 clips negative values, so positive samples are unchanged.
 */
function preluPiece(layer: QuantizedLayer, bends: Float32Array, { name, input, output }: Wires): GraphPiece {
  const channels = bends.length;
  const [low, zero, rise] = [-127, `${name}.zero`, `${name}.rise`];
  const scales = bends.map((bend) => Math.max(bend, minBend) / -low);
  const tensors = [
    tensor(`${name}.bend`, [channels, 1, 1, 1], new Int8Array(channels).fill(low)),
    tensor(`${name}.bendScales`, [channels], scales),
    tensor(`${name}.bendZeros`, [channels], new Int8Array(channels)),
    tensor(zero, [], Uint8Array.of(layer.zeroOut)),
  ];
  const attribute = attributes({ kernel_shape: [1, 1], group: channels, channels_last: 1 });
  const depthwise = [input, 'one', zero, `${name}.bend`, `${name}.bendScales`, `${name}.bendZeros`, 'one', 'zero'];
  const nodes = [
    { ...node('QLinearConv', rise, depthwise), attribute, domain: runtimeDomain },
    { ...node('QLinearAdd', output, [input, 'one', zero, rise, 'one', 'zero', 'one', zero]), domain: runtimeDomain },
  ];
  return { nodes, tensors };
}

type Leak = NonNullable<QuantizedLayer['leak']>;

function leakyReluPiece(zeroOut: number, { slope, share, zero }: Leak, { name, input, output }: Wires): GraphPiece {
  const [before, step, behind] = [`${name}.zero`, `${name}.step`, `${name}.bentZero`];
  const bend = node('QLinearLeakyRelu', output, [input, 'one', before, step, behind]);
  return {
    nodes: [{ ...bend, attribute: attributes({ alpha: slope }), domain: runtimeDomain }],
    tensors: [
      tensor(before, [], Uint8Array.of(zeroOut)),
      tensor(step, [], Float32Array.of(share)),
      tensor(behind, [], Uint8Array.of(zero)),
    ],
  };
}

/** Writes a model of one layer. Input: `x`, uint8 (1, H, W, in). Output: `y`, uint8 (1, H, W, out). */
export function writeQuantizedLayer(layer: QuantizedLayer): Uint8Array {
  const piece = quantizedLayerPiece(layer, { name: 'layer', input: 'x', output: 'y' });
  const shape = (channels: number) => [1, 'height', 'width', channels];
  return encodeModel([sharedTensors, piece], {
    inputs: [port('x', 'uint8', shape(layer.inChannels))],
    outputs: [port('y', 'uint8', shape(sum(layer.parts)))],
  });
}
