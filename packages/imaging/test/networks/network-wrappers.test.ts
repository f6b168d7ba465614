import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { cacheTiles, limitMemory } from '../../src/engine/upscaler/network-wrappers.ts';
import { skipFlatTiles } from '../../src/engine/upscaler/skip-flat-tiles.ts';
import { upscale } from '../../src/engine/upscaler/upscale.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { type Image, makeImage, makePhoto, maxDifference } from '../support/images.ts';
import { openStubNetwork } from '../support/stub-network.ts';

let network: Network;
beforeAll(async () => {
  network = await openStubNetwork();
});
afterAll(() => network.close());

const overlap = 8;
const signal = new AbortController().signal;
/** The sides of all tiles that reach the network; those above `largest` fail as onnxruntime does without memory. */
function watch(largest = Number.POSITIVE_INFINITY): { sides: number[]; watched: Network } {
  const sides: number[] = [];
  const run = (tile: Float32Array, side: number) => {
    if (side > largest) throw new Error('Failed to allocate memory for requested buffer of size 1073741824');
    sides.push(side);
    return network.run(tile, side);
  };
  return { sides, watched: { ...network, run } };
}
const drawWith = (network: Network, image: Image, core = 64) =>
  readAll(upscale(streamOf(image), { network, tile: { core, overlap, fade: 2 }, signal, onTile: () => {} }));

type Pressure = { maxBytes?: number; largest?: number; side: number };

describe('limitMemory', () => {
  const photo = makePhoto({ width: 70, height: 64 });
  it.each([
    ['resident bytes above the bound', { maxBytes: 1, side: 48 }],
    ['a network that fails for memory', { largest: 60, side: 48 }],
    ['one that fails for halves too', { largest: 40, side: 32 }],
  ])('divides tiles without changing the image: %s', async (_name, { maxBytes, largest, side }: Pressure) => {
    const { sides, watched } = watch(largest);
    const divided = await drawWith(limitMemory(watched, { maxBytes, overlap }), photo);
    expect(new Set(sides)).toEqual(new Set([side]));
    expect(maxDifference(divided, await drawWith(network, photo))).toBeLessThanOrEqual(1);
  });

  it('does not divide tiles while memory is available', async () => {
    const { sides, watched } = watch();
    await drawWith(limitMemory(watched, { maxBytes: 2 ** 50, overlap }), photo);
    expect(new Set(sides)).toEqual(new Set([80]));
  });

  it('divides the first tile into four parts for early progress and reports each', async () => {
    const { sides, watched } = watch();
    const shares: number[] = [];
    const onPart = (share: number) => void shares.push(share);
    const wide = makePhoto({ width: 140, height: 64 });
    const drawn = await drawWith(
      limitMemory(watched, { maxBytes: undefined, overlap, startsSmall: true, onPart }),
      wide,
    );
    expect(sides).toEqual([48, 48, 48, 48, 80, 80]);
    expect(shares).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(maxDifference(drawn, await drawWith(network, wide))).toBeLessThanOrEqual(1);
  });

  it('throws the error when the smallest tile fails, and other errors immediately', async () => {
    const { watched } = watch(10);
    await expect(drawWith(limitMemory(watched, { maxBytes: undefined, overlap }), photo)).rejects.toThrow('allocate');
    let calls = 0;
    const run = () => {
      calls++;
      throw new Error('bad shape');
    };
    const broken = limitMemory({ ...network, run }, { maxBytes: undefined, overlap });
    await expect(drawWith(broken, photo)).rejects.toThrow('bad shape');
    expect(calls).toBe(1);
  });
});

describe('skipFlatTiles', () => {
  const paper = makeImage({ width: 200, height: 200 }, (x, y) =>
    x < 30 && y < 30 ? [x * 8, y * 8, 60] : [250, 250, 240],
  );

  it('runs the network only for tiles of several colors', async () => {
    const { sides, watched } = watch();
    const drawn = await drawWith(skipFlatTiles(watched), paper, 40);
    expect(maxDifference(drawn, await drawWith(network, paper, 40))).toBe(0);
    // Of 25 tiles, one sees the patch.
    expect(sides.length).toBe(1);
  });
});

describe('cacheTiles', () => {
  it('runs static tiles once and evicts the least recently used result', async () => {
    const { sides, watched } = watch();
    const [resultBytes, tiles] = [3 * (40 + 2 * overlap) ** 2 * 16 * 4, 4];
    const remembering = cacheTiles(watched, tiles * resultBytes);
    const frame = makePhoto({ width: 80, height: 80 });
    const moved = { ...frame, data: frame.data.slice().fill(9, 0, 30) };
    for (const image of [frame, frame, moved]) {
      expect(maxDifference(await drawWith(remembering, image, 40), await drawWith(network, image, 40))).toBe(0);
    }
    expect(sides.length).toBe(5);
    await drawWith(remembering, makePhoto({ width: 120, height: 80, channels: 1 }), 40);
    await drawWith(remembering, frame, 40);
    expect(sides.length).toBe(5 + 6 + 4);
  });
});
