import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { correctBlocks } from '../../src/engine/upscaler/match-color.ts';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { upscale } from '../../src/engine/upscaler/upscale.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, type Image, makeImage, makePhoto, maxDifference } from '../support/images.ts';
import { openStubNetwork } from '../support/stub-network.ts';
import { worstBlock } from '../support/worst-block.ts';

let blurring: Network;
let soft: Network;
let faithful: Network;
beforeAll(async () => {
  blurring = await openStubNetwork({ mix: 0.15 });
  soft = await openStubNetwork({ mix: 0.08 });
  faithful = await openStubNetwork({ mix: 0.02 });
});
afterAll(async () => {
  await Promise.all([blurring, soft, faithful].map((network) => network.close()));
});

const tile = { core: 104, overlap: 8, fade: 2 };
const draw = (image: Image, network: Network) =>
  readAll(upscale(streamOf(image), { network, tile, signal: new AbortController().signal, onTile: () => {} }));
const settle = (image: Image, large: Image) =>
  readAll(correctBlocks(streamOf({ ...large, data: large.data.slice() }), streamOf(image)));

const tones = [
  [128, 0, 0],
  [0, 0, 255],
  [255, 255, 0],
  [0, 60, 20],
  [0, 0, 0],
  [255, 255, 255],
  [90, 0, 160],
];
const patches = makeImage(
  { width: 96, height: 80 },
  (x, y) => tones[(Math.floor(x / 16) + 3 * Math.floor(y / 16)) % tones.length] ?? [],
);
const strokes = makeImage({ width: 100, height: 70 }, (x, y) =>
  y % 16 < 10 && ((x >> 1) * 7 + (y >> 2) * 3) % 5 < 2 ? [255, 255, 255] : [0, 0, 180],
);
const stripes = makeImage({ width: 50, height: 39, channels: 1 }, (x) => [x % 5 < 2 ? 250 : 5]);
const images: [string, Image, () => Network][] = [
  ['saturated patches', patches, () => blurring],
  ['the same in 16 bits', deepen(patches), () => blurring],
  ['strokes of white on blue', strokes, () => soft],
  ['strokes in 16 bits', deepen(strokes), () => soft],
  ['stripes of grey', stripes, () => soft],
];

describe('correctBlocks', () => {
  it.each(images)('matches the light of every block: %s', async (_name, image, network) => {
    const large = await draw(image, network());
    expect(worstBlock(image, large)).toBeGreaterThan(1.5);
    expect(worstBlock(image, await settle(image, large))).toBeLessThanOrEqual(0.9);
  });

  it.each(images)('moves samples toward their source without overshooting: %s', async (_name, image, network) => {
    const large = await draw(image, network());
    const settled = await settle(image, large);
    const { width, channels } = large;
    let passed = 0;
    for (let i = 0; i < settled.data.length; i++) {
      const [x, y] = [Math.floor(i / channels) % width, Math.floor(i / channels / width)];
      const aim = image.data[((y >> 2) * image.width + (x >> 2)) * channels + (i % channels)] ?? 0;
      const [before, after] = [large.data[i] ?? 0, settled.data[i] ?? 0];
      if (after < Math.min(before, aim) || after > Math.max(before, aim)) passed++;
    }
    expect(passed).toBe(0);
  });

  it('does not change blocks that match', async () => {
    const photo = makePhoto({ width: 70, height: 50 });
    const large = await draw(photo, faithful);
    expect(maxDifference(await settle(photo, large), large)).toBe(0);
  });

  it('does not change the neighbors of a wrong block', async () => {
    const grey = makeImage({ width: 64, height: 64 }, () => [120, 130, 140]);
    const wrong = makeImage({ width: 256, height: 256 }, (x, y) =>
      x >> 6 === 1 && y >> 6 === 2 ? [126, 130, 140] : [120, 130, 140],
    );
    const settled = await settle(grey, wrong);
    const at = (x: number, y: number) => settled.data[(y * 256 + x) * 3];
    expect([at(63, 160), at(128, 160), at(96, 127), at(96, 192)]).toEqual([120, 120, 120, 120]);
    expect(at(96, 160)).toBeLessThan(123);
  });

  it('does not correct the colors of a broken image', async () => {
    const colors = makeImage({ width: 96, height: 80 }, (x) => tones[x >> 5] ?? []);
    const black = makeImage({ width: 384, height: 320 }, () => [0, 0, 0]);
    expect(maxDifference(await settle(colors, black), black)).toBe(0);
  });
});
