import {
  attributes,
  encodeModel,
  type GraphPiece,
  imagePorts,
  kernel3x3,
  nearestAttributes,
  node,
  tensor,
} from '@uprez/models/onnx/onnx-graph';
import type { makeRandom } from '../random.ts';

type Random = ReturnType<typeof makeRandom>;

/**
 * `identity`: input channel that each output channel passes on, besides its random weights. `gain`: size of the random
 * weights.
 */
type ConvolutionOptions = { side?: 1 | 3; gain?: number; identity?: (output: number) => number | undefined };

const passColors = (output: number) => (output < 3 ? output : undefined);

const precision = 2 ** 24;

/** Collects nodes with random weights. Each function returns the name of its output. */
function openGraph(random: Random) {
  const pieces: GraphPiece[] = [];
  let count = 0;
  const add = (type: string, inputs: string[], options: Parameters<typeof attributes>[0] = {}) => {
    const name = `n${count++}`;
    pieces.push({ nodes: [{ ...node(type, name, [...inputs]), attribute: attributes(options) }], tensors: [] });
    return name;
  };
  const weights = (dims: number[], values: Float32Array) => {
    const name = `w${count++}`;
    pieces.push({ nodes: [], tensors: [tensor(name, dims, values)] });
    return name;
  };
  const convolve = (input: string, [from, to]: [number, number], options: ConvolutionOptions = {}) => {
    const { side = 3, gain = 0.02, identity } = options;
    const kernel = Float32Array.from(
      { length: to * from * side ** 2 },
      () => (random(precision) / precision - 0.5) * gain,
    );
    for (let output = 0; output < to; output++) {
      const input = identity?.(output);
      if (input !== undefined) kernel[(output * from + input) * side ** 2 + (side ** 2 - 1) / 2] = 1;
    }
    const name = `n${count++}`;
    const inputs = [input, weights([to, from, side, side], kernel), weights([to], new Float32Array(to))];
    const attribute = side === 3 ? kernel3x3 : attributes({ kernel_shape: [1, 1] });
    pieces.push({ nodes: [{ ...node('Conv', name, inputs), attribute }], tensors: [] });
    return name;
  };
  const repeat = (input: string, scale: number) => {
    const name = `n${count++}`;
    const inputs = [input, '', weights([4], Float32Array.of(1, 1, scale, scale))];
    pieces.push({ nodes: [{ ...node('Resize', name, inputs), attribute: nearestAttributes }], tensors: [] });
    return name;
  };
  const scalar = (value: number) => weights([], Float32Array.of(value));
  const encode = (last: string) => {
    pieces.push({ nodes: [node('Identity', 'output', [last])], tensors: [] });
    return encodeModel(pieces, imagePorts, false);
  };
  return { add, weights, convolve, repeat, scalar, encode };
}

/** `features`: channels. `blocks`: convolutions or blocks in the body. */
type Shape = { scale: number; features: number; blocks: number };

/** SRVGGNetCompact: convolutions with PReLU, a pixel shuffle, and the repeated image. */
export function makeCompact(random: Random, { scale, features, blocks }: Shape): Uint8Array {
  const { add, weights, convolve, repeat, encode } = openGraph(random);
  let samples = 'data';
  for (let i = 0; i <= blocks; i++)
    samples = add('PRelu', [
      convolve(samples, [i ? features : 3, features], { gain: 0.3 }),
      weights([features, 1, 1], new Float32Array(features).fill(0.2)),
    ]);
  const residual = convolve(samples, [features, 3 * scale ** 2], { gain: 0.15 });
  const shuffled = scale > 1 ? add('DepthToSpace', [residual], { blocksize: scale, mode: 'CRD' }) : residual;
  return encode(add('Add', [shuffled, scale > 1 ? repeat('data', scale) : 'data']));
}

/** SPAN: blocks with attention that has no parameters, joined by a 1 x 1 convolution before the pixel shuffle. */
export function makeSpan(random: Random, { scale, features, blocks }: Shape): Uint8Array {
  const { add, convolve, scalar, encode } = openGraph(random);
  const activate = (input: string) => add('Mul', [input, add('Sigmoid', [input])]);
  const first = convolve('data', [3, features], { identity: passColors });
  const seen = [first];
  let samples = first;
  for (let i = 0; i < blocks; i++) {
    let inner = samples;
    for (let layer = 0; layer < 3; layer++) {
      const made = convolve(inner, [features, features], { gain: 0.1 });
      inner = layer < 2 ? activate(made) : made;
    }
    const attention = add('Sub', [add('Sigmoid', [inner]), scalar(0.5)]);
    samples = add('Mul', [add('Add', [inner, samples]), attention]);
    seen.push(samples);
  }
  const joined = add('Concat', seen, { axis: 1 });
  const mixed = convolve(joined, [seen.length * features, features], { side: 1, identity: passColors });
  const identity = (output: number) => Math.floor(output / scale ** 2);
  const large = convolve(mixed, [features, 3 * scale ** 2], { identity });
  return encode(add('DepthToSpace', [large], { blocksize: scale, mode: 'CRD' }));
}

/** RRDBNet: residual dense blocks, then two steps that repeat pixels. Upscales by 4. */
export function makeRrdb(random: Random, { features, blocks }: Omit<Shape, 'scale'>): Uint8Array {
  const { add, convolve, repeat, scalar, encode } = openGraph(random);
  const growth = Math.ceil(features / 2);
  const leaky = (input: string) => add('LeakyRelu', [input], { alpha: 0.2 });
  const addScaled = (input: string, change: string) => add('Add', [add('Mul', [change, scalar(0.2)]), input]);
  const denseBlock = (input: string) => {
    const seen = [input];
    for (let i = 0; i < 4; i++)
      seen.push(leaky(convolve(i ? add('Concat', seen, { axis: 1 }) : input, [features + i * growth, growth])));
    return addScaled(input, convolve(add('Concat', seen, { axis: 1 }), [features + 4 * growth, features]));
  };
  const first = convolve('data', [3, features], { identity: passColors });
  let trunk = first;
  for (let i = 0; i < blocks; i++) trunk = addScaled(trunk, denseBlock(denseBlock(denseBlock(trunk))));
  let large = add('Add', [first, convolve(trunk, [features, features])]);
  const pass = (input: string) => leaky(convolve(input, [features, features], { identity: passColors }));
  for (let i = 0; i < 2; i++) large = pass(repeat(large, 2));
  return encode(convolve(pass(large), [features, 3], { identity: passColors }));
}
