import { limits } from '@uprez/contracts/policy/limits';
import { describe, expect, it } from 'vitest';
import { countAv1Pixels } from '../../src/heif/read-av1-config.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { makeAvifGrid, makeCroppedHeic } from '../hostile/costly/heif.ts';
import { everyScan, makeProgressiveJpeg } from '../hostile/costly/jpeg.ts';
import { makePngOfBlocks } from '../hostile/costly/png.ts';
import { makeLabTiff, makeTiffOfBlocks, makeTiffOfScans } from '../hostile/costly/tiff.ts';
import { toSharp } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { pipelineFor } from '../support/run-job.ts';

const photo = toSharp(makePhoto({ width: 640, height: 480 }));
const decodedPixels = async (file: Buffer) => (await inspect(file)).decodedPixels;

describe('a file of an ordinary encoder', () => {
  it.each([
    ['baseline JPEG', () => photo.jpeg()],
    ['progressive JPEG', () => photo.jpeg({ progressive: true })],
    ['PNG', () => photo.png({ progressive: true, compressionLevel: 0 })],
    ['WebP', () => photo.webp({ quality: 100 })],
    ['AVIF', () => photo.avif({ effort: 0, quality: 90 })],
    ['TIFF', () => photo.tiff({ compression: 'lzw', tile: true })],
    ['TIFF with JPEG data', () => photo.tiff({ compression: 'jpeg', quality: 95 })],
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

  it('costs nothing for what follows its end, such as a video', async () => {
    const file = jpegOf(100);
    expect(await decodedPixels(Buffer.concat([file, Buffer.alloc(100_000, 1)]))).toBe(await decodedPixels(file));
  });

  it('is damaged with more segments than encoders write, also between its scans', async () => {
    const empty = Buffer.from([0xff, 0xfe, 0, 2]);
    const segments = Buffer.alloc((limits.inspectionSteps.jpeg + 1) * empty.length, empty);
    const file = Buffer.concat([jpegOf(2).subarray(0, -2), segments]);
    await expect(inspect(file)).rejects.toMatchObject({ code: 'corrupt_image', limitName: 'image_structure' });
  });

  it('costs each time that a run decodes it', async () => {
    const [plain, costly] = [jpegOf(1), jpegOf(100)];
    const seconds = async (file: Buffer, width: number) =>
      (await pipelineFor(file, { width, format: 'jpeg' })).estimate.seconds;
    const extra = async (width: number) => (await seconds(costly, width)) - (await seconds(plain, width));
    expect((await extra(800)) / (await extra(2_000))).toBeCloseTo(2);
  });
});

it('costs the bytes of a PNG that hold no pixels', async () => {
  expect(await decodedPixels(makePngOfBlocks(10_000))).toBeGreaterThan(25_000);
});

describe('a TIFF', () => {
  it('costs the conversion of Lab colors', async () => {
    expect(await decodedPixels(await makeLabTiff(50))).toBe(8 * 50 ** 2);
  });

  it('costs all scans of each tile, also where tiles share their data', async () => {
    const one = await decodedPixels(makeTiffOfScans({ across: 1 }));
    expect(await decodedPixels(makeTiffOfScans({ across: 3 }))).toBe(9 * (one ?? 0));
  });

  it('is refused with more scans than encoders write', async () => {
    await expect(inspect(makeTiffOfScans({ side: 1_024, across: 1 }))).rejects.toMatchObject({
      code: 'image_too_complex',
    });
  });

  it('costs the bytes of strips that hold no pixels, also where strips share them', async () => {
    expect(await decodedPixels(makeTiffOfBlocks({ rows: 10, sizeBytes: 1_000 }))).toBeGreaterThan(25_000);
  });
});

describe('an AVIF', () => {
  it('costs each of its tiles, and not only the part that it shows', async () => {
    expect(await decodedPixels(await makeAvifGrid({ across: 4, shown: 64 }))).toBe(16 * 64 ** 2);
    expect(await decodedPixels(await makeAvifGrid({ across: 4 }))).toBeUndefined();
  });

  it('costs each of its frames', async () => {
    const file = await photo.avif({ effort: 0 }).toBuffer();
    const at = file.indexOf('mdat') + 4;
    const stream = file.subarray(at);
    expect(countAv1Pixels(Buffer.concat([stream, stream, stream]), () => {})).toBe(3 * 640 * 480);
  });

  it('is refused when its tiles are more than three times the largest image', async () => {
    const file = await makeAvifGrid({ side: 2_048, across: 9, shown: 64 });
    await expect(inspect(file)).rejects.toMatchObject({ code: 'image_too_complex' });
  });
});

it('costs all tiles of a HEIC, and not only the part that it shows', async () => {
  expect(await decodedPixels(makeCroppedHeic({ columns: 2, rows: 2 }))).toBe(4 * 64 ** 2);
});
