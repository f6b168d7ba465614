import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matchColor } from '../../src/engine/upscaler/match-color.ts';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { upscale } from '../../src/engine/upscaler/upscale.ts';
import { darkImages, listDarkChanges } from '../support/dark-images.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, type Image, makeImage, makePhoto, maxDifference } from '../support/images.ts';
import { openStubNetwork } from '../support/stub-network.ts';
import { worstBlock } from '../support/worst-block.ts';

let dim: Network;
let bright: Network;
let faithful: Network;
let soft: Network;
beforeAll(async () => {
  dim = await openStubNetwork({ gain: 0.93 });
  bright = await openStubNetwork({ gain: 1.05 });
  faithful = await openStubNetwork();
  soft = await openStubNetwork({ gain: 0.97, mix: 0.08 });
});
afterAll(async () => {
  await Promise.all([dim, bright, faithful, soft].map((network) => network.close()));
});

const signal = new AbortController().signal;
const draw = (network: Network, core: number) => (stream: ReturnType<typeof streamOf>) =>
  upscale(stream, { network, tile: { core, overlap: 8, fade: 2 }, signal, onTile: () => {} });
const corrected = (image: Image, network: Network, core = 104) =>
  readAll(matchColor(streamOf(image), draw(network, core)));
const plain = (image: Image, network: Network) => readAll(draw(network, 104)(streamOf(image)));

const photo = makePhoto({ width: 96, height: 80 });
const patch = (i: number) =>
  [
    [255, 0, 0],
    [0, 200, 0],
    [0, 0, 255],
    [255, 255, 0],
    [0, 160, 255],
    [255, 0, 255],
    [90, 0, 0],
    [0, 60, 20],
    [255, 120, 0],
  ][i] ?? [];

const colors: [string, Image][] = [
  ['a photo', photo],
  ['a photo in 16 bits', deepen(photo)],
  ['grey', makePhoto({ width: 50, height: 70, channels: 1 })],
  [
    'saturated patches',
    makeImage({ width: 96, height: 96 }, (x, y) => patch(Math.floor(x / 32) + 3 * Math.floor(y / 32))),
  ],
  ['near white', makeImage({ width: 64, height: 64 }, (x, y) => [253 - x / 8, 255 - y / 8, 250])],
  ['near black', makeImage({ width: 64, height: 64 }, (x, y) => [2 + x / 8, 3 + y / 8, 5])],
];
describe('matchColor', () => {
  it.each(colors)('matches the light of each block: %s', async (_name, image) => {
    for (const network of [dim, bright]) {
      expect(worstBlock(image, await plain(image, network))).toBeGreaterThan(0.4);
      expect(worstBlock(image, await corrected(image, network))).toBeLessThanOrEqual(1);
    }
  });

  it('matches the light of blocks at hard edges that the network blurs', async () => {
    const tones = [
      [128, 0, 0],
      [0, 0, 255],
      [0, 60, 20],
      [255, 0, 255],
      [0, 0, 0],
      [255, 255, 255],
    ];
    const small = makeImage({ width: 96, height: 96 }, (x, y) => tones[((x >> 4) + 5 * (y >> 4)) % 6] ?? []);
    expect(worstBlock(small, await plain(small, soft))).toBeGreaterThan(2);
    expect(worstBlock(small, await corrected(small, soft))).toBeLessThanOrEqual(1);
  });

  it('preserves white and black', async () => {
    const page = makeImage({ width: 90, height: 70 }, (x, y) =>
      x > 40 && y > 20 && (x + y) % 3 ? [0, 0, 0] : [255, 255, 255],
    );
    for (const network of [dim, bright]) {
      const large = await corrected(page, network);
      for (let y = 0; y < 64; y++)
        expect(new Set(large.data.subarray(y * 1_080, (y + 1) * 1_080))).toEqual(new Set([255]));
      const black = makeImage({ width: 20, height: 20 }, () => [0, 0, 0]);
      expect(Math.max(...(await corrected(black, network)).data)).toBe(0);
    }
  });

  it('does not change the output of an accurate network', async () => {
    const stripes = makeImage({ width: 64, height: 64 }, (x) => (x % 8 < 4 ? [200, 190, 180] : [190, 180, 170]));
    expect(maxDifference(await corrected(stripes, faithful), await plain(stripes, faithful))).toBeLessThanOrEqual(1);
  });

  it('changes a dark line in a bright area, and a bright area next to black, only slightly', async () => {
    const line = makeImage({ width: 64, height: 64, channels: 1 }, (x) => [x === 30 ? 10 : 230]);
    const before = await plain(line, dim);
    const after = await corrected(line, dim);
    const at = (image: Image, x: number) => image.data[128 * 256 + x] ?? 0;
    expect(Math.abs(at(after, 122) - at(before, 122))).toBeLessThanOrEqual(6);
    const half = makeImage({ width: 64, height: 64, channels: 1 }, (x) => [x < 32 ? 0 : 250]);
    expect(Math.abs(at(await corrected(half, faithful), 140) - 250)).toBeLessThanOrEqual(4);
  });

  it.each(darkImages)('adds no light to the dark of %s', async (_name, image) => {
    for (const network of [dim, soft]) {
      const changes = listDarkChanges(image, await corrected(image, network));
      expect(changes.length).toBeGreaterThan(10_000);
      expect(Math.abs(changes.reduce((sum, change) => sum + change, 0) / changes.length)).toBeLessThanOrEqual(0.5);
      expect(changes[Math.floor(0.99 * changes.length)]).toBeLessThanOrEqual(3);
    }
  });

  it.each([16, 24, 40])('does not depend on tiles: cores of %d', async (core) => {
    expect(maxDifference(await corrected(photo, dim, core), await corrected(photo, dim))).toBeLessThanOrEqual(2);
  });

  it.each([
    [1, 1],
    [5, 3],
    [13, 11],
    [12, 20],
  ])('supports an image of %d x %d', async (width, height) => {
    const flat = (size: { width: number; height: number }) => makeImage(size, () => [200, 90, 30]);
    const large = await corrected(flat({ width, height }), dim);
    expect(maxDifference(large, flat({ width: width * 4, height: height * 4 }))).toBeLessThanOrEqual(1);
  });
});
