import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resample } from '../../src/engine/rows/resample.ts';
import { openVipsFile } from '../../src/engine/rows/row-file.ts';
import { compareResult } from '../../src/engine/steps/compare-result.ts';
import { toSharp } from '../support/image-files.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, type Image, makeImage, makePhoto } from '../support/images.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-compare-test-'));
});
afterAll(() => rm(dir, { recursive: true }));

async function compare(source: Image, result: Image, frames = 1) {
  const paths = [join(dir, 'source.v'), join(dir, 'result.v')] as const;
  await Promise.all([toSharp(source).toFile(paths[0]), toSharp(result).toFile(paths[1])]);
  const [wanted, found] = [await openVipsFile(paths[0]), await openVipsFile(paths[1])];
  try {
    return await compareResult({ source: wanted, pixels: found, frames });
  } finally {
    await Promise.all([wanted.close(), found.close()]);
  }
}

const photo = makePhoto({ width: 90, height: 120 });
const large = () => readAll(resample(streamOf(photo), { width: 270, height: 360 }));
const change = (image: Image, edit: (value: number, i: number) => number): Image => ({
  ...image,
  data: Uint8Array.from(image.data, edit),
});
const failed = { code: 'output_check_failed' };

describe('compareResult', () => {
  it('accepts an upscaled image in any depth', async () => {
    const result = await large();
    for (const [source, pixels] of [
      [photo, result],
      [deepen(photo), result],
      [photo, deepen(result)],
      [await readAll(resample(streamOf(photo), { width: 23, height: 31 })), result],
    ] as const) {
      const { meanDeltaE, worstDeltaE } = await compare(source, pixels);
      expect(meanDeltaE).toBeLessThan(2);
      expect(worstDeltaE).toBeLessThan(4);
    }
  });

  it('measures a color cast as CIEDE2000', async () => {
    const grey = makeImage({ width: 64, height: 64 }, () => [119, 119, 119]);
    const cast = makeImage({ width: 64, height: 64 }, () => [119, 119, 139]);
    const { meanDeltaE, worstDeltaE } = await compare(grey, cast);
    expect(meanDeltaE).toBeGreaterThan(8);
    expect(meanDeltaE).toBeLessThan(14);
    expect(worstDeltaE).toBeCloseTo(meanDeltaE, 5);
  });

  const broken: [string, (image: Image) => Image][] = [
    ['black', (image) => change(image, () => 0)],
    ['white', (image) => change(image, () => 255)],
    ['inverted', (image) => change(image, (value) => 255 - value)],
    ['half black', (image) => change(image, (value, i) => (i > image.data.length / 2 ? 0 : value))],
    ['one channel lost', (image) => change(image, (value, i) => (i % 3 === 0 ? 0 : value))],
  ];
  it.each(broken)('rejects a result that is %s', async (_name, breakIt) => {
    await expect(compare(photo, breakIt(await large()))).rejects.toMatchObject(failed);
  });

  it('rejects another number of channels', async () => {
    await expect(compare(photo, makePhoto({ width: 90, height: 120, channels: 1 }))).rejects.toMatchObject(failed);
  });

  it('rejects exchanged frames', async () => {
    const frames = (first: number, second: number) =>
      makeImage({ width: 40, height: 80 }, (_x, y) => Array(3).fill(y < 40 ? first : second));
    expect((await compare(frames(30, 220), frames(30, 220), 2)).worstDeltaE).toBe(0);
    await expect(compare(frames(30, 220), frames(220, 30), 2)).rejects.toMatchObject(failed);
  });

  it('accepts a smoothed dither with equal light', async () => {
    const dither = makeImage({ width: 64, height: 64 }, (x, y) => Array(3).fill((x + y) % 2 ? 255 : 0));
    const smooth = makeImage({ width: 256, height: 256 }, () => [188, 188, 188]);
    expect((await compare(dither, smooth)).worstDeltaE).toBeLessThan(1);
  });

  it('ignores invisible pixels', async () => {
    const cutOut = (hidden: number) =>
      makeImage({ width: 40, height: 40, channels: 4 }, (x) => (x < 20 ? [200, 40, 40, 255] : [hidden, hidden, 0, 0]));
    expect((await compare(cutOut(0), cutOut(255))).worstDeltaE).toBe(0);
  });
});
