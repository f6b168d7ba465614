import { writeOnnx } from '@uprez/models/onnx/write-onnx';
import { openNetwork } from '../../src/engine/upscaler/network.ts';

const [kernel, shuffle, colors] = [3, 4, 3];

/** Returns the weights of a convolution that repeats each pixel 4x4, mixed with each of its four neighbors by `mix`. */
function weightsOf(mix: number): Float32Array {
  const outChannels = colors * shuffle ** 2;
  const weights = new Float32Array(outChannels * colors * kernel ** 2);
  for (let out = 0; out < outChannels; out++) {
    const color = Math.floor(out / shuffle ** 2);
    const at = (out * colors + color) * kernel ** 2;
    weights.set([0, mix, 0, mix, 1 - 4 * mix, mix, 0, mix, 0], at);
  }
  return weights;
}

type Stub = { mix?: number; gain?: number };

/**
 * Returns a tiny ONNX x4 network: each pixel becomes a 4x4 block of itself and a little of its neighbors. `gain` scales
 * the brightness, for networks with black or invalid output.
 */
export function makeStubModel({ mix = 0.1, gain = 1 }: Stub = {}): Uint8Array {
  const outChannels = colors * shuffle ** 2;
  const convolution = {
    kind: 'convolution',
    name: 'mix',
    input: 'data',
    output: 'mixed',
    inChannels: colors,
    outChannels,
    kernel,
    pad: 1,
    weights: weightsOf(mix).map((weight) => weight * gain),
    bias: new Float32Array(outChannels),
    leak: undefined,
  } as const;
  const spread = { kind: 'pixel-shuffle', name: 'spread', input: 'mixed', output: 'output', block: shuffle } as const;
  return writeOnnx({ input: 'data', output: 'output', operations: [convolution, spread] });
}

export const openStubNetwork = (stub: Stub = {}) => openNetwork(makeStubModel(stub), 1);
