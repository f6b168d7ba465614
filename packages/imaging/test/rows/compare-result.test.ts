import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { srgb } from '../../src/color/encoding.ts';
import { resample } from '../../src/engine/rows/resample.ts';
import { openVipsFile } from '../../src/engine/rows/row-file.ts';
import { compareColors, compareResult, scoreFidelity } from '../../src/engine/steps/compare-result.ts';
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

it('compares the colors of a thousand frames', async () => {
  const size = { width: 128, height: 128_000, channels: 1, depth: 8 } as const;
  const rows = (value: number) => ({
    ...size,
    readRows: async (_: number, count: number) => new Uint8Array(count * size.width).fill(value),
  });
  const compared = { source: rows(100), pixels: rows(101), frames: 1_000, encodings: [srgb, srgb] as const };
  const { meanDeltaE, worstDeltaE } = await compareColors(compared);
  expect(meanDeltaE).toBeGreaterThan(0);
  expect(worstDeltaE).toBeCloseTo(meanDeltaE, 5);
});

it.each([
  ['data', true],
  [undefined, false],
] as const)('compares the colors of pixels with an alpha of 0 if alpha is %s', async (alpha, differs) => {
  const rows = (value: number) => ({
    ...{ width: 16, height: 16, channels: 4, depth: 8 as const, ...(alpha && { alpha }) },
    readRows: async (_: number, count: number) => new Uint8Array(count * 64).map((_, i) => (i % 4 === 3 ? 0 : value)),
  });
  const compared = { source: rows(100), pixels: rows(120), frames: 1, encodings: [srgb, srgb] as const };
  expect((await compareColors(compared)).meanDeltaE > 1).toBe(differs);
  expect((await compareResult(compared)).similarity < 1).toBe(differs);
});

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

  it('compares a result that is smaller than its source', async () => {
    const small = await readAll(resample(streamOf(photo), { width: 45, height: 60 }));
    const { similarity, meanDeltaE } = await compare(photo, small);
    expect(similarity).toBeGreaterThan(0.99);
    expect(meanDeltaE).toBeLessThan(2);
  });

  it('ignores invisible pixels', async () => {
    const cutOut = (hidden: number) =>
      makeImage({ width: 40, height: 40, channels: 4 }, (x) => (x < 20 ? [200, 40, 40, 255] : [hidden, hidden, 0, 0]));
    expect(await compare(cutOut(0), cutOut(255))).toEqual({ meanDeltaE: 0, worstDeltaE: 0, similarity: 1 });
  });
});

describe('the similarity', () => {
  const flat = (value: number) => makeImage({ width: 24, height: 8 }, () => Array(3).fill(value));
  const stripes = (contrast: number) =>
    makeImage({ width: 24, height: 8 }, (x) => Array(3).fill(128 + (x % 2 ? contrast : -contrast)));

  it('is that of the formula for flat windows and for less contrast', async () => {
    const [c1, c2] = [2.55 ** 2, 7.65 ** 2];
    const luminance = (2 * 100 * 110 + c1) / (100 ** 2 + 110 ** 2 + c1);
    expect((await compare(flat(100), flat(110))).similarity).toBeCloseTo(luminance, 5);
    const structure = (2 * 40 * 20 + c2) / (40 ** 2 + 20 ** 2 + c2);
    expect((await compare(stripes(40), stripes(20))).similarity).toBeCloseTo(structure, 5);
  });

  it('is negative for inverted detail, and counts every window alike', async () => {
    const inverted = (await compare(stripes(40), stripes(-40))).similarity;
    expect(inverted).toBeLessThan(-0.9);
    const oneOfThree = change(stripes(40), (value, i) => (i % 72 < 24 ? 256 - value : value));
    expect((await compare(stripes(40), oneOfThree)).similarity).toBeCloseTo((2 + inverted) / 3, 5);
  });

  it.each([1.25, 1.6, 2.37, 5])('is close to 1 for an image resampled by %d', async (factor) => {
    const size = { width: Math.round(90 * factor), height: Math.round(120 * factor) };
    const { similarity } = await compare(photo, await readAll(resample(streamOf(photo), size)));
    expect(similarity).toBeGreaterThan(0.99);
  });

  it('notices lost detail in any part of a high image', async () => {
    const tall = makePhoto({ width: 40, height: 3_000 });
    const lost = change(tall, (value, i) => (i > tall.data.length * 0.75 ? 128 : value)).data;
    const half = Uint8Array.from(lost, (value, i) => Math.round((value + (tall.data[i] ?? 0)) / 2));
    const { similarity } = await compare(tall, { ...tall, data: half });
    expect(similarity).toBeGreaterThan(0.75);
    expect(similarity).toBeLessThan(0.98);
  });
});

describe('the score', () => {
  const scoreOf = async (result: Image) => scoreFidelity(await compare(photo, result)).score;
  /** Noise of a linear congruential generator (Numerical Recipes). */
  const noisy = (strength: number) => {
    let seed = 1;
    return change(photo, (value) => {
      seed = (1_664_525 * seed + 1_013_904_223) % 2 ** 32;
      return Math.max(0, Math.min(255, value + strength * (seed / 2 ** 31 - 1)));
    });
  };
  const tinted = (amount: number) => change(photo, (value, i) => (i % 3 === 2 ? Math.min(255, value + amount) : value));

  it('is 100 for the same image, and falls with noise and with a color cast', async () => {
    expect(await scoreOf(photo)).toBe(100);
    for (const worse of [noisy, tinted]) {
      const scores = [];
      for (const amount of [0, 6, 12, 24, 48]) scores.push(await scoreOf(worse(amount)));
      for (let i = 1; i < scores.length; i++) expect(scores[i]).toBeLessThan(scores[i - 1] ?? 0);
    }
  });

  it('consists of both parts', () => {
    const parts = { worstDeltaE: 0, similarity: 0.9, meanDeltaE: 10 };
    expect(scoreFidelity(parts)).toEqual({ score: 45, structure: 0.9, color: 10 });
    expect(scoreFidelity({ ...parts, similarity: -0.2 }).score).toBe(0);
  });
});
