import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/inspect/inspect.ts';
import { everyScan, makeProgressiveJpeg } from '../hostile/costly/jpeg.ts';
import { toSharp } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { planFor } from '../support/run-job.ts';

const photo = toSharp(makePhoto({ width: 640, height: 480 }));
const decodedPixels = async (file: Buffer) => (await inspect(file)).decodedPixels;

describe('a file of an ordinary encoder', () => {
  it.each([
    ['baseline JPEG', () => photo.jpeg()],
    ['progressive JPEG', () => photo.jpeg({ progressive: true })],
    ['JPEG of the best quality', () => photo.jpeg({ quality: 100, mozjpeg: true, chromaSubsampling: '4:4:4' })],
  ])('costs its pixels: %s', async (_name, encode) => {
    expect(await decodedPixels(await encode().toBuffer())).toBeUndefined();
  });
});

describe('a progressive JPEG', () => {
  const jpegOf = (scans: number, components: 1 | 3 | 4 = 1) =>
    makeProgressiveJpeg({ width: 1_600, height: 800, components, scans: everyScan(components, scans) });
  const blocks = 20_000;

  it('costs a pixel for each block of each scan and for each byte', async () => {
    const [few, many] = await Promise.all([80, 100].map((scans) => decodedPixels(jpegOf(scans))));
    const perScan = ((many ?? 0) - (few ?? 0)) / 20;
    expect(perScan).toBeGreaterThan(blocks);
    expect(perScan).toBeLessThan(blocks * 2);
  });

  it('counts the blocks of all components of a scan', async () => {
    const [grey, color] = await Promise.all([decodedPixels(jpegOf(100)), decodedPixels(jpegOf(100, 4))]);
    expect((color ?? 0) - (grey ?? 0)).toBeGreaterThanOrEqual(14 * 3 * blocks);
  });

  it('is refused with more scans than encoders write', async () => {
    await expect(inspect(jpegOf(101))).rejects.toMatchObject({ code: 'image_too_complex', meta: { limit: 100 } });
  });

  it('costs each time that a run decodes it', async () => {
    const [plain, costly] = [jpegOf(1), jpegOf(100)];
    const seconds = async (file: Buffer, width: number) =>
      (await planFor(file, { width, format: 'jpeg' })).estimate.seconds;
    const extra = async (width: number) => (await seconds(costly, width)) - (await seconds(plain, width));
    expect((await extra(800)) / (await extra(2_000))).toBeCloseTo(2);
  });
});
