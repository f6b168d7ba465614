import type { Convolution, Operation } from '@uprez/models/ncnn/read-network';
import { writeQuantized } from '@uprez/models/onnx/apply-recipe';
import type { QuantizedLayer } from '@uprez/models/onnx/quantized-layer';
import { writeOnnx } from '@uprez/models/onnx/write-onnx';
import { writeQuantizedChain } from '@uprez/models/onnx/write-quantized-chain';
import type { makeRandom } from '../../src/calibrate/tile.ts';

type Random = ReturnType<typeof makeRandom>;

/** `leak`: slope of a LeakyReLU. `gain` and `offset`: to keep most samples of the output between 0 and 1. */
type Scale = { leak?: number; gain?: number; offset?: number };
const leak = 0.2;
const middle = { gain: 0.1, offset: 0.5 };

/** Collects operations with random weights. Each function returns the name of its output. */
function openNetworkBuilder(random: Random) {
  const operations: Operation[] = [];
  const some = (length: number, size: number) => Float32Array.from({ length }, () => (random() - 0.5) * size);
  const take = (kind: string) => ({ name: `${kind}${operations.length}`, output: `${kind}${operations.length}.out` });
  const add = <O extends Operation>(operation: O) => {
    operations.push(operation);
    return operation.output;
  };
  const convolve = (input: string, [inChannels, outChannels]: [number, number], by: Scale = {}): string => {
    const { leak, gain = 1, offset = 0 } = by;
    const weights = some(inChannels * outChannels * 9, (1.2 * gain) / Math.sqrt(inChannels));
    const bias = some(outChannels, 0.2).map((value) => value + offset);
    const shape: Partial<Convolution> = { inChannels, outChannels, kernel: 3, pad: 1, leak };
    return add({ kind: 'convolution', ...take('c'), input, weights, bias, ...shape } as Convolution);
  };
  const prelu = (input: string, channels: number) =>
    add({ kind: 'prelu', ...take('p'), input, slopes: some(channels, 1) });
  const sum = (inputs: [string, string], coefficients: [number, number]) =>
    add({ kind: 'weighted-sum', ...take('a'), inputs, coefficients });
  const join = (inputs: string[]) => add({ kind: 'concat', ...take('j'), inputs: [...inputs] });
  const repeat = (input: string, scale: number) => add({ kind: 'nearest', ...take('n'), input, scale });
  const shuffle = (input: string) => add({ kind: 'pixel-shuffle', ...take('s'), input, block: 4 });
  /** Write the model. Its output is that of the last operation. */
  const write = () => writeOnnx({ input: 'data', output: operations.at(-1)?.output ?? '', operations });
  return { convolve, prelu, sum, join, repeat, shuffle, write };
}

/** A chain of `layers` convolutions with PReLU, plus the repeated pixels, like `photo-fast`. */
export function makeChain(random: Random, { layers, features }: { layers: number; features: number }): Uint8Array {
  const build = openNetworkBuilder(random);
  let samples = 'data';
  for (let i = 0; i < layers; i++)
    samples = build.prelu(build.convolve(samples, [i ? features : 3, features]), features);
  const residuals = build.shuffle(build.convolve(samples, [features, 48], { gain: 0.1 }));
  build.sum([residuals, build.repeat('data', 4)], [1, 1]);
  return build.write();
}

type DenseShape = { groups: number; features: number; growth: number; tail: 'shuffle' | 'repeat' };

/** Groups of three dense blocks, like `photo`. `repeat`: with a skip around the groups, and an end that doubles twice. */
export function makeDenseNetwork(random: Random, { groups, features, growth, tail }: DenseShape): Uint8Array {
  const build = openNetworkBuilder(random);
  const first = build.convolve('data', [3, features]);
  let trunk = first;
  for (let group = 0; group < groups; group++) {
    const start = trunk;
    for (let block = 0; block < 3; block++) {
      const seen = [trunk];
      for (let i = 0; i < 4; i++)
        seen.push(build.convolve(i ? build.join(seen) : trunk, [features + i * growth, growth], { leak }));
      trunk = build.sum([build.convolve(build.join(seen), [features + 4 * growth, features]), trunk], [0.2, 1]);
    }
    trunk = build.sum([trunk, start], [0.2, 1]);
  }
  if (tail === 'shuffle') {
    build.shuffle(build.convolve(trunk, [features, 48], middle));
    return build.write();
  }
  let large = build.sum([first, build.convolve(trunk, [features, features])], [1, 1]);
  for (let i = 0; i < 2; i++) large = build.convolve(build.repeat(large, 2), [features, features], { leak });
  build.convolve(build.convolve(large, [features, features], { leak }), [features, 3], middle);
  return build.write();
}

const randomInt = (random: Random, from: number, until: number) => from + Math.floor(random() * (until - from));

/** A chain with random 8-bit weights, the second layer in two parts. */
export function makeQuantizedChain(random: Random, { layers }: { layers: number }): Uint8Array {
  const channels = 16;
  const made = Array.from({ length: layers }, (_, i): QuantizedLayer => {
    const inChannels = i === 0 ? 4 : i === 2 ? 2 * channels : channels;
    const parts = i === 1 ? [channels, channels] : [channels];
    const outputs = parts.length * channels;
    return {
      ...{ inChannels, parts, zeroIn: 0, zeroOut: randomInt(random, 20, 200) },
      weights: Int8Array.from({ length: outputs * inChannels * 9 }, () => randomInt(random, -127, 128)),
      weightScales: Float32Array.from({ length: outputs }, () => 0.002 + 0.002 * random()),
      bias: Int32Array.from({ length: outputs }, () => randomInt(random, -5_000, 5_000)),
      bends: Float32Array.from({ length: outputs }, () => random()),
    };
  });
  for (const [i, layer] of made.entries()) layer.zeroIn = made[i - 1]?.zeroOut ?? 0;
  const weights = Float32Array.from({ length: 48 * channels * 9 }, () => (random() - 0.5) / 5_000);
  return writeQuantizedChain({ layers: made, last: { weights, bias: new Float32Array(48) } });
}

/** The INT8 form of the first `count` groups of a dense network, with a random recipe. */
export function quantizeDenseNetwork(
  random: Random,
  fp32: Uint8Array,
  shape: DenseShape & { count: number },
): Uint8Array {
  const steps = (length: number) => Array.from({ length }, () => 0.01 + 0.01 * random());
  const convolution = (outputs: number, isLast: boolean) => ({
    zero: randomInt(random, 60, 180),
    steps: steps(outputs),
    weightScales: steps(outputs),
    ...(!isLast && { bent: { zero: randomInt(random, 20, 100), share: 0.5 + random() / 2 } }),
  });
  const block = () => ({
    zero: randomInt(random, 60, 180),
    steps: steps(shape.features),
    convolutions: [0, 1, 2, 3, 4].map((i) => convolution(i === 4 ? shape.features : shape.growth, i === 4)),
  });
  const groups = Array.from({ length: shape.count }, () => [block(), block(), block()]);
  return writeQuantized(fp32, { engine: 'random', groups });
}
