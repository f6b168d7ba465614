import type { Convolution, Network, Operation } from '../src/ncnn/read-network.ts';

/** Planar samples, [channel][row][column]. */
export type Planes = { channels: number; height: number; width: number; samples: Float32Array };

/**
 * Runs a network in plain loops, one image at a time, with double-precision sums: the reference that optimized
 * runtimes are compared with. The output is clamped to 0..1, like that of the converted model.
 */
export function runReference(network: Network, image: Planes): Planes {
  const blobs = new Map([[network.input, image]]);
  const blob = (name: string) => {
    const planes = blobs.get(name);
    if (!planes) throw new Error(`blob ${name} does not exist`);
    return planes;
  };
  for (const operation of network.operations) blobs.set(operation.output, runOperation(operation, blob));
  const output = blob(network.output);
  return { ...output, samples: output.samples.map((value) => Math.min(1, Math.max(0, value))) };
}

function runOperation(operation: Operation, blob: (name: string) => Planes): Planes {
  switch (operation.kind) {
    case 'convolution':
      return convolve(operation, blob(operation.input));
    case 'prelu':
      return prelu(operation.slopes, blob(operation.input));
    case 'concat':
      return concat(operation.inputs.map(blob));
    case 'weighted-sum':
      return weightedSum(operation.inputs.map(blob), operation.coefficients);
    case 'nearest':
      return nearest(operation.scale, blob(operation.input));
    case 'pixel-shuffle':
      return pixelShuffle(operation.block, blob(operation.input));
  }
}

/** Returns new planes with each sample computed from its position. */
function fill(shape: Omit<Planes, 'samples'>, sample: (channel: number, y: number, x: number) => number): Planes {
  const { channels, height, width } = shape;
  const samples = new Float32Array(channels * height * width);
  let index = 0;
  for (let channel = 0; channel < channels; channel++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) samples[index++] = sample(channel, y, x);
    }
  }
  return { channels, height, width, samples };
}

/** Returns a sample, or zero outside the image. */
function at({ height, width, samples }: Planes, place: [channel: number, y: number, x: number]): number {
  const [channel, y, x] = place;
  if (y < 0 || x < 0 || y >= height || x >= width) return 0;
  return samples[(channel * height + y) * width + x] ?? 0;
}

function convolve(layer: Convolution, input: Planes): Planes {
  const { inChannels, outChannels, kernel, pad, weights, bias, leak } = layer;
  const height = input.height + 2 * pad - kernel + 1;
  const width = input.width + 2 * pad - kernel + 1;
  return fill({ channels: outChannels, height, width }, (out, y, x) => {
    let sum = bias[out] ?? 0;
    let weight = out * inChannels * kernel * kernel;
    for (let channel = 0; channel < inChannels; channel++) {
      for (let row = 0; row < kernel; row++) {
        for (let column = 0; column < kernel; column++) {
          sum += (weights[weight++] ?? 0) * at(input, [channel, y + row - pad, x + column - pad]);
        }
      }
    }
    return leak !== undefined && sum < 0 ? sum * leak : sum;
  });
}

const prelu = (slopes: Float32Array, input: Planes): Planes =>
  fill(input, (channel, y, x) => {
    const value = at(input, [channel, y, x]);
    return value < 0 ? value * (slopes[slopes.length === 1 ? 0 : channel] ?? 0) : value;
  });

function concat(inputs: Planes[]): Planes {
  const [first] = inputs;
  if (!first) throw new Error('nothing to concatenate');
  const samples = Float32Array.from(inputs.flatMap((input) => [...input.samples]));
  return { ...first, channels: inputs.reduce((sum, input) => sum + input.channels, 0), samples };
}

function weightedSum(inputs: Planes[], coefficients: number[]): Planes {
  const [first] = inputs;
  if (!first) throw new Error('nothing to add');
  return fill(first, (channel, y, x) =>
    inputs.reduce((sum, input, i) => sum + (coefficients[i] ?? 0) * at(input, [channel, y, x]), 0),
  );
}

const nearest = (scale: number, input: Planes): Planes =>
  fill({ channels: input.channels, height: input.height * scale, width: input.width * scale }, (channel, y, x) =>
    at(input, [channel, Math.floor(y / scale), Math.floor(x / scale)]),
  );

/** Moves channel c * block * block + row * block + column to the pixel (row, column) of channel c's block. */
const pixelShuffle = (block: number, input: Planes): Planes =>
  fill(
    { channels: input.channels / block ** 2, height: input.height * block, width: input.width * block },
    (channel, y, x) => {
      const source = channel * block ** 2 + (y % block) * block + (x % block);
      return at(input, [source, Math.floor(y / block), Math.floor(x / block)]);
    },
  );
