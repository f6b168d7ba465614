import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import { positions, tileSide } from './winograd-kernels.ts';

/** Number of rows in a strip, and number of input rows from the previous strip that each convolution reads again. */
export const stripRows = 16;
export const keptRows = 2;
/** Number of tiles that are multiplied together. It's small enough for their samples to fit into the L2 cache. */
export const blockTiles = 24;

/**
 * Channel counts and memory addresses of a convolution. `source`: its input, which starts with the rows kept from the
 * previous strip. `kept`: a copy of these rows.
 */
export type LayerPlace = {
  inputs: number;
  outputs: number;
  weights: number;
  bias: number;
  slopes: number;
  source: number;
  kept: number;
};

/**
 * Memory layout of a chain of convolutions for images of one width. Addresses and sizes are in bytes. `columns`: width
 * of the image in pixels, rounded up to a multiple of the tile side. Each row has an extra pixel of zeros on each side,
 * and the samples of a pixel are adjacent.
 */
export type ChainLayout = {
  columns: number;
  threads: number;
  layers: LayerPlace[];
  result: number;
  /** One entry per thread: offsets of its buffers for the samples and products of one block. */
  scratch: { samples: number; products: number }[];
  bytes: number;
};

/**
 * Indexes of the 32-bit words that synchronize the threads. `taken + i` counts the blocks of layer `i` that threads
 * have taken.
 */
export const syncWords = { job: 0, ended: 1, arrived: 2, taken: 16 } as const;
const headerBytes = 1_024;

/** Rounds up to a multiple of 4, because the samples of a pixel are read four at a time. */
export const padChannels = (channels: number): number => 4 * Math.ceil(channels / 4);
export const pixelBytesOf = (channels: number): number => 4 * channels;
export const rowBytesOf = ({ columns }: Pick<ChainLayout, 'columns'>, channels: number): number =>
  (columns + 2) * pixelBytesOf(channels);

export function makeChainLayout(chain: ChainLayer[], width: number, threads: number): ChainLayout {
  let end = headerBytes;
  const take = (bytes: number) => {
    const start = end;
    end += 64 * Math.ceil(bytes / 64);
    return start;
  };
  const columns = tileSide * Math.ceil(width / tileSide);
  const takeRows = (rows: number, channels: number) => take(rows * rowBytesOf({ columns }, channels));
  const widest = Math.max(...chain.map(({ outChannels }) => outChannels));
  // Two buffers alternate, because the output of a layer is the input of the next layer.
  const buffers = [takeRows(stripRows + keptRows, widest), takeRows(stripRows + keptRows, widest)];
  const result = takeRows(stripRows + keptRows, chain.at(-1)?.outChannels ?? 0);
  const first = takeRows(stripRows + keptRows, padChannels(chain[0]?.inChannels ?? 0));
  const layers = chain.map(({ inChannels, outChannels }, i): LayerPlace => {
    const inputs = padChannels(inChannels);
    return {
      ...{ inputs, outputs: outChannels, weights: take(4 * positions * inputs * outChannels) },
      ...{ bias: take(4 * outChannels), slopes: take(4 * outChannels) },
      ...{ source: i === 0 ? first : (buffers[i % 2] as number), kept: takeRows(keptRows, inputs) },
    };
  });
  const blockBytes = 4 * positions * blockTiles * widest;
  const scratch = Array.from({ length: threads }, () => ({ samples: take(blockBytes), products: take(blockBytes) }));
  return { columns, threads, layers, result, scratch, bytes: end };
}

/** The matrix G of the weight transform, for the points 0, 1, -1, 2, -2, and infinity. */
const transform = [
  [1 / 4, 0, 0],
  [-1 / 6, -1 / 6, -1 / 6],
  [-1 / 6, 1 / 6, -1 / 6],
  [1 / 24, 1 / 12, 1 / 6],
  [1 / 24, -1 / 12, 1 / 6],
  [0, 0, 1],
] as const;

/**
 * Writes the transformed weights, biases, and slopes of a chain to memory. Weights are ordered by position, then by
 * input, then by output.
 */
export function packChain(chain: ChainLayer[], { layers }: ChainLayout, memory: Float32Array): void {
  for (const [i, { inChannels, outChannels, weights, bias, slopes }] of chain.entries()) {
    const place = layers[i] as LayerPlace;
    memory.set(bias, place.bias / 4);
    memory.set(slopes ?? new Float32Array(outChannels).fill(1), place.slopes / 4);
    for (let input = 0; input < inChannels; input++)
      for (let output = 0; output < outChannels; output++) {
        const at = 9 * (output * inChannels + input);
        const packed = transformKernel(weights.subarray(at, at + 9));
        for (let p = 0; p < positions; p++)
          memory[place.weights / 4 + (p * place.inputs + input) * outChannels + output] = packed[p] as number;
      }
  }
}

/** Transforms a 3x3 kernel k into one weight per position. Computes G k G^T in double precision. */
function transformKernel(kernel: Float32Array): number[] {
  return transform.flatMap((down) =>
    transform.map((across) => {
      let sum = 0;
      for (let y = 0; y < 3; y++)
        for (let x = 0; x < 3; x++) sum += (down[y] as number) * (across[x] as number) * (kernel[3 * y + x] as number);
      return sum;
    }),
  );
}
