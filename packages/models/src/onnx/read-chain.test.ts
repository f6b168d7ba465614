import { expect, it } from 'vitest';
import { readChain } from './read-chain.ts';
import { writeOnnx } from './write-onnx.ts';

const convolution = {
  kind: 'convolution',
  name: 'c',
  input: 'data',
  output: 'a',
  inChannels: 3,
  outChannels: 48,
  kernel: 3,
  pad: 1,
  weights: Float32Array.from({ length: 48 * 3 * 9 }, (_, i) => i / 7),
  bias: Float32Array.from({ length: 48 }, (_, i) => -i),
  leak: undefined,
} as const;
const shuffle = { kind: 'pixel-shuffle', name: 's', input: 'b', output: 'output', block: 4 } as const;

it('reads the layers of a chain', () => {
  const slopes = Float32Array.from({ length: 48 }, (_, i) => i / 10);
  const prelu = { kind: 'prelu', name: 'p', input: 'a', output: 'b', slopes } as const;
  const bytes = writeOnnx({ input: 'data', output: 'output', operations: [convolution, prelu, shuffle] });
  const { weights, bias } = convolution;
  expect(readChain(bytes)).toEqual([{ inChannels: 3, outChannels: 48, weights, bias, slopes }]);
});

it('throws an error that names the operator for another network', () => {
  const leaky = { ...convolution, output: 'b', leak: 0.2 };
  const bytes = writeOnnx({ input: 'data', output: 'output', operations: [leaky, shuffle] });
  expect(() => readChain(bytes)).toThrow('LeakyRelu has no place');
  const large = { ...convolution, output: 'b', kernel: 5, weights: new Float32Array(48 * 3 * 25) };
  expect(() => readChain(writeOnnx({ input: 'data', output: 'output', operations: [large, shuffle] }))).toThrow('3x3');
});
