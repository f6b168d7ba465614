import { encodeModel, runtimeDomain } from './encode-model.ts';
import { float, type GraphPiece, int, ints, node, port, tensor } from './parts.ts';

/**
 * A 3x3 convolution on 8-bit samples, channels last. All its scales are folded into `weightScales`: an output sample
 * is `zeroOut + round(weightScales x (weights * (input - zeroIn) + bias))`, clamped to 0..255. `bends` (1 - slope)
 * stands for a PReLU behind it, `leak` for a LeakyReLU.
 */
export type QuantizedLayer = {
  inChannels: number;
  /** Output channels, convolution by convolution: onnxruntime is quickest at 64 and 16. */
  parts: number[];
  weights: Int8Array;
  weightScales: Float32Array;
  bias: Int32Array;
  zeroIn: number;
  zeroOut: number;
  bends: Float32Array | undefined;
  leak?: Leak;
  /** The input brings the row and column around it. */
  padded?: boolean;
};

/** A LeakyReLU, and the samples behind it: the size of a step as a share of that before, and what stands for 0. */
type Leak = { slope: number; share: number; zero: number };

/** A scale must not be 0. */
const smallestBend = 1e-6;

export const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** What all layers share: the scale 1 and the zero point 0. */
export const sharedTensors = (): GraphPiece => ({
  nodes: [],
  tensors: [tensor('one', [], Float32Array.of(1)), tensor('zero', [], Uint8Array.of(0))],
});

export type Wires = { name: string; input: string; output: string };

/** The graph of one layer, between the wires `input` and `output`; `name` keeps its tensors apart from others. */
export function quantizedLayerPiece(layer: QuantizedLayer, { name, input, output }: Wires): GraphPiece {
  const bent = layer.bends || layer.leak ? `${name}.linear` : output;
  const joined = layer.parts.length === 1;
  const pieces = layer.parts.map((_, part) =>
    convolution(layer, part, { name: `${name}.${part}`, input, output: joined ? bent : `${name}.${part}` }),
  );
  const nodes = pieces.flatMap((piece) => piece.nodes);
  const tensors = pieces.flatMap((piece) => piece.tensors);
  if (!joined)
    nodes.push(
      node('Concat', bent, { input: layer.parts.map((_, part) => `${name}.${part}`), attribute: [int('axis', 3)] }),
    );
  const wires = { name, input: bent, output };
  const bend = bendingPiece(layer, wires);
  return { nodes: [...nodes, ...bend.nodes], tensors: [...tensors, ...bend.tensors] };
}

/** What bends the layer's output, if anything does. */
function bendingPiece(layer: QuantizedLayer, wires: Wires): GraphPiece {
  if (layer.bends) return bendPiece(layer, layer.bends, wires);
  return layer.leak ? leakPiece(layer.zeroOut, layer.leak, wires) : { nodes: [], tensors: [] };
}

function convolution(layer: QuantizedLayer, part: number, { name, input, output }: Wires): GraphPiece {
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
  const [w, scales, zeros, b, zeroIn, zeroOut] = tensors.map((one) => one.name ?? '') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const pad = layer.padded ? 0 : 1;
  const attribute = [ints('kernel_shape', [3, 3]), ints('pads', [pad, pad, pad, pad]), int('channels_last', 1)];
  const inputs = [input, 'one', zeroIn, w, scales, zeros, 'one', zeroOut, b];
  return { nodes: [node('QLinearConv', output, { input: inputs, attribute, domain: runtimeDomain })], tensors };
}

/**
 * PReLU on 8-bit samples, which onnxruntime lacks: x + max(0, (slope - 1)(x - zero)). The second term is a 1x1
 * depthwise convolution whose zero point 0 cuts off what is negative; positive samples pass unchanged.
 */
function bendPiece(layer: QuantizedLayer, bends: Float32Array, { name, input, output }: Wires): GraphPiece {
  const channels = bends.length;
  const [low, zero, rise] = [-127, `${name}.zero`, `${name}.rise`];
  const tensors = [
    tensor(`${name}.bend`, [channels, 1, 1, 1], new Int8Array(channels).fill(low)),
    tensor(
      `${name}.bendScales`,
      [channels],
      bends.map((bend) => Math.max(bend, smallestBend) / -low),
    ),
    tensor(`${name}.bendZeros`, [channels], new Int8Array(channels)),
    tensor(zero, [], Uint8Array.of(layer.zeroOut)),
  ];
  const attribute = [ints('kernel_shape', [1, 1]), int('group', channels), int('channels_last', 1)];
  const depthwise = [input, 'one', zero, `${name}.bend`, `${name}.bendScales`, `${name}.bendZeros`, 'one', 'zero'];
  const nodes = [
    node('QLinearConv', rise, { input: depthwise, attribute, domain: runtimeDomain }),
    node('QLinearAdd', output, {
      input: [input, 'one', zero, rise, 'one', 'zero', 'one', zero],
      domain: runtimeDomain,
    }),
  ];
  return { nodes, tensors };
}

/** LeakyReLU on 8-bit samples. */
function leakPiece(zeroOut: number, { slope, share, zero }: Leak, { name, input, output }: Wires): GraphPiece {
  const [before, step, behind] = [`${name}.zero`, `${name}.step`, `${name}.bentZero`];
  const inputs = [input, 'one', before, step, behind];
  return {
    nodes: [
      node('QLinearLeakyRelu', output, { input: inputs, attribute: [float('alpha', slope)], domain: runtimeDomain }),
    ],
    tensors: [
      tensor(before, [], Uint8Array.of(zeroOut)),
      tensor(step, [], Float32Array.of(share)),
      tensor(behind, [], Uint8Array.of(zero)),
    ],
  };
}

/** A model of one layer alone: `x`, uint8 (1, H, W, in) to `y`, uint8 (1, H, W, out). */
export function writeQuantizedLayer(layer: QuantizedLayer): Uint8Array {
  const piece = quantizedLayerPiece(layer, { name: 'layer', input: 'x', output: 'y' });
  const inputs = [port('x', 'uint8', [1, 'height', 'width', layer.inChannels])];
  return encodeModel([sharedTensors(), piece], {
    inputs,
    outputs: [port('y', 'uint8', [1, 'height', 'width', sum(layer.parts)])],
  });
}
