import type { ChainLayer } from '@uprez/models/onnx/read-chain';
import { positions, tileSide } from './winograd-kernels.ts';

/** Rows of a strip, and input rows of the previous strip that each convolution reads again. */
export const stripRows = 16;
export const keptRows = 2;
/** Tiles that are multiplied together. Their samples fit into the L2 cache. */
export const blockTiles = 24;

/**
 * Memory addresses of a convolution: its packed weights, its input including the rows kept from the previous strip
 * (`source`), and the copy of these rows (`kept`).
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
 * Memory layout of a chain of convolutions for images of one width. Numbers are bytes, except `columns`: the image's
 * columns, rounded up to a multiple of the tile side. Buffers have an extra column of zeros on each side, and the
 * samples of a pixel are adjacent.
 */
export type ChainLayout = {
  columns: number;
  threads: number;
  layers: LayerPlace[];
  result: number;
  /** Buffers of each thread for the samples and products of one block. */
  scratch: { samples: number; products: number }[];
  bytes: number;
};

/** 32-bit words for thread synchronization: `taken + i` counts the blocks of layer `i` that threads have taken. */
export const syncWords = { job: 0, ended: 1, arrived: 2, taken: 16 } as const;
const headerBytes = 1_024;

/** Rounds up to a multiple of 4, because the samples of a pixel are read four at a time. */
export const padChannels = (channels: number): number => 4 * Math.ceil(channels / 4);
export const pixelBytesOf = (channels: number): number => 4 * channels;
export const rowBytesOf = ({ columns }: Pick<ChainLayout, 'columns'>, channels: number): number =>
  (columns + 2) * pixelBytesOf(channels);

/** Assigns memory addresses to the data of a chain. */
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
  // The output of a layer is the input of the next one, so two buffers alternate.
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

/** Writes the weights of a chain to memory: for each position, the weights of each input for all outputs. */
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

/** Returns the weights of a 3x3 kernel at all positions: G k G^T, in double precision. */
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
