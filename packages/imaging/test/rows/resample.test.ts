import { describe, expect, it } from 'vitest';
import { resample } from '../../src/engine/rows/resample.ts';
import { decodeFile, encodeAs } from '../support/image-files.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, type Image, makeImage, makePhoto, maxDifference, psnr } from '../support/images.ts';
import { plainBicubic } from '../support/plain-bicubic.ts';
import { processFile } from '../support/run-job.ts';

/** Center of brightness. */
function centroid({ width, data }: Image) {
  let [sum, x, y] = [0, 0, 0];
  data.forEach((value, i) => {
    sum += value;
    x += value * (i % width);
    y += value * Math.floor(i / width);
  });
  return { x: x / sum, y: y / sum };
}

const blob = makeImage({ width: 48, height: 40, channels: 1 }, (x, y) => [
  255 * Math.exp(-((x - 21) ** 2 + (y - 17.5) ** 2) / 18),
]);

describe('resample', () => {
  it.each([
    [2, 2],
    [4, 3],
    [1.37, 7.9],
  ])('upscales by %s and %s like a centered bicubic', async (across, down) => {
    const photo = makePhoto({ width: 61, height: 47 });
    const size = { width: Math.round(61 * across), height: Math.round(47 * down) };
    const ours = await readAll(resample(streamOf(photo), size));
    expect(maxDifference(ours, plainBicubic(photo, size))).toBeLessThanOrEqual(1);
  });

  it.each([2, 3, 1.5, 8, 0.5, 0.25])('does not shift at factor %s', async (factor) => {
    const size = { width: Math.round(48 * factor), height: Math.round(40 * factor) };
    const before = centroid(blob);
    const after = centroid(await readAll(resample(streamOf(blob), size)));
    expect(Math.abs(after.x - ((before.x + 0.5) * factor - 0.5))).toBeLessThanOrEqual(0.05);
    expect(Math.abs(after.y - ((before.y + 0.5) * factor - 0.5))).toBeLessThanOrEqual(0.05);
  });

  it('keeps a flat image flat, including its borders', async () => {
    const flat = makeImage({ width: 31, height: 17 }, () => [12, 140, 251]);
    for (const size of [
      { width: 97, height: 50 },
      { width: 11, height: 5 },
      { width: 1, height: 1 },
    ]) {
      const out = await readAll(resample(streamOf(flat), size));
      expect(
        maxDifference(
          out,
          makeImage(size, () => [12, 140, 251]),
        ),
      ).toBe(0);
    }
  });

  it('averages a fine checkerboard when shrinking', async () => {
    const board = makeImage({ width: 64, height: 64, channels: 1 }, (x, y) => [(x + y) % 2 ? 255 : 0]);
    const out = await readAll(resample(streamOf(board), { width: 16, height: 16 }));
    const inner = out.data.filter((_, i) => i % 16 > 1 && i % 16 < 14 && i > 32 && i < 224);
    expect(Math.max(...inner.map((value) => Math.abs(value - 127.5)))).toBeLessThan(4);
  });

  it('upscales a single pixel', async () => {
    const dot = makeImage({ width: 1, height: 1 }, () => [1, 2, 3]);
    const out = await readAll(resample(streamOf(dot), { width: 8, height: 8 }));
    expect(
      maxDifference(
        out,
        makeImage({ width: 8, height: 8 }, () => [1, 2, 3]),
      ),
    ).toBe(0);
  });
});

describe('sharpening an upscaled image', () => {
  const sharpened = (image: Image, factor: number) => {
    const size = { width: Math.round(image.width * factor), height: Math.round(image.height * factor) };
    return readAll(resample(streamOf(image), { ...size, sharpen: true }));
  };

  it.each([2, 3, 1.5, 8])('does not shift at factor %s', async (factor) => {
    const [before, after] = [centroid(blob), centroid(await sharpened(blob, factor))];
    expect(Math.abs(after.x - ((before.x + 0.5) * factor - 0.5))).toBeLessThanOrEqual(0.05);
    expect(Math.abs(after.y - ((before.y + 0.5) * factor - 0.5))).toBeLessThanOrEqual(0.05);
  });

  it('overshoots an edge by at most 16% within three pixels', async () => {
    const edge = makeImage({ width: 32, height: 6, channels: 1 }, (x) => [x < 16 ? 60 : 160]);
    const row = (await sharpened(edge, 4)).data.subarray(0, 128);
    expect(Math.max(...row)).toBeLessThanOrEqual(176);
    expect(Math.min(...row)).toBeGreaterThanOrEqual(44);
    expect([...new Set(row.subarray(0, 64 - 16))]).toEqual([60]);
    expect([...new Set(row.subarray(64 + 16))]).toEqual([160]);
  });

  it.each([
    [1, 1],
    [2, 3],
    [5, 4],
    [31, 17],
  ])('keeps a flat %d x %d flat', async (width, height) => {
    const flat = (size: { width: number; height: number }) => makeImage(size, () => [12, 140, 251]);
    const out = await sharpened(flat({ width, height }), 3);
    expect(maxDifference(out, flat({ width: width * 3, height: height * 3 }))).toBe(0);
  });

  it('has no effect when a side shrinks', async () => {
    const photo = makePhoto({ width: 60, height: 50 });
    const size = { width: 120, height: 20 };
    const plain = await readAll(resample(streamOf(photo), size));
    expect(maxDifference(await readAll(resample(streamOf(photo), { ...size, sharpen: true })), plain)).toBe(0);
  });
});

describe('16 bits', () => {
  const photo = makePhoto({ width: 61, height: 47 });
  it.each([
    [150, 99],
    [30, 20],
  ])('resample to %d x %d like 8 bits, with higher precision', async (width, height) => {
    const coarse = await readAll(resample(streamOf(photo), { width, height }));
    const fine = await readAll(resample(streamOf(deepen(photo)), { width, height }));
    expect(maxDifference(fine, deepen(coarse))).toBeLessThanOrEqual(129);
    expect(new Set(fine.data).size).toBeGreaterThan(256);
  });
});

describe('standard engine', () => {
  it.each([2, 4, 2.7])('beats a centered bicubic at x%s', async (factor) => {
    const large = makePhoto({ width: 240, height: 180 });
    const small = await readAll(
      resample(streamOf(large), { width: Math.round(240 / factor), height: Math.round(180 / factor) }),
    );
    const { result, report } = await processFile(await encodeAs(small, 'png'), { scaleFactor: factor });
    const ours = await decodeFile(result);
    expect({ width: report.width, height: report.height }).toEqual({ width: ours.width, height: ours.height });
    const target = await readAll(resample(streamOf(large), ours));
    expect(psnr(ours, target)).toBeGreaterThan(psnr(plainBicubic(small, ours), target) + 0.3);
  });
});
