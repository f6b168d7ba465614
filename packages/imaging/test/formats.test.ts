import { describe, expect, it } from 'vitest';
import { guardedSharp } from '../src/decoders.ts';
import { inspect } from '../src/inspect/inspect.ts';
import {
  decodeFile,
  encodeAs,
  makePhoto,
  makePicture,
  maxDifference,
  type Picture,
  pickChannel,
  psnr,
  toSharp,
} from './pictures.ts';
import { plainBicubic } from './plain-bicubic.ts';
import { enlargeFile } from './run-job.ts';

const photo = makePhoto({ width: 90, height: 70 });
const grey = makePhoto({ width: 60, height: 50, channels: 1 });

/** A disc of colour on full transparency that hides black. */
const cutOut = makePicture({ width: 80, height: 80, channels: 4 }, (x, y) =>
  Math.hypot(x - 39.5, y - 39.5) < 27 ? [220, 60, 30, 255] : [0, 0, 0, 0],
);

function overlap(a: Picture, b: Picture): number {
  let [both, either] = [0, 0];
  a.data.forEach((value, i) => {
    const [inA, inB] = [value > 127, (b.data[i] ?? 0) > 127];
    if (inA && inB) both++;
    if (inA || inB) either++;
  });
  return both / either;
}

describe('formats', () => {
  const matrix = (['jpeg', 'png', 'webp'] as const).flatMap((from) =>
    (['jpeg', 'png', 'webp'] as const).map((to) => [from, to] as const),
  );
  it.each(matrix)('%s becomes %s', async (from, to) => {
    const file = await encodeAs(photo, from);
    const { result, thumbnail, report } = await enlargeFile(file, { format: to, scaleFactor: 1.5, quality: 95 });
    expect(await inspect(result)).toMatchObject({ format: to, width: 135, height: 105, channels: 3, orientation: 1 });
    expect(report).toMatchObject({ width: 135, height: 105, sizeBytes: result.length, engine: 'standard', tiles: 0 });
    expect(Object.keys(report.stagesMs).sort()).toEqual(
      ['check', 'decode', 'encode', 'enlarge', 'resample', 'thumbnail'].sort(),
    );
    expect(psnr(await decodeFile(result), plainBicubic(photo, { width: 135, height: 105 }))).toBeGreaterThan(34);
    expect(await inspect(thumbnail)).toMatchObject({ format: 'webp', width: 135, height: 105 });
  });

  it('factor 1 to PNG keeps every pixel', async () => {
    const { result } = await enlargeFile(await encodeAs(photo, 'png'), { scaleFactor: 1 });
    expect(maxDifference(await decodeFile(result), photo)).toBe(0);
  });

  it('bounds the thumbnail to 320 pixels', async () => {
    const wide = makePhoto({ width: 400, height: 100 });
    const { thumbnail } = await enlargeFile(await encodeAs(wide, 'png'), { scaleFactor: 1 });
    expect(await inspect(thumbnail)).toMatchObject({ width: 320, height: 80 });
  });

  it.each(['png', 'jpeg'] as const)('grey stays grey in %s', async (format) => {
    const { result } = await enlargeFile(await encodeAs(grey, 'png'), { format });
    expect((await inspect(result)).channels).toBe(1);
    expect(psnr(await decodeFile(result), plainBicubic(grey, { width: 120, height: 100 }))).toBeGreaterThan(38);
  });

  it('lower quality makes a smaller file', async () => {
    const file = await encodeAs(photo, 'png');
    const sizes = await Promise.all(
      [95, 60].map(async (quality) => (await enlargeFile(file, { format: 'webp', quality })).result.length),
    );
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 0.8);
  });

  it('converts an embedded profile to sRGB and drops the rest of the metadata', async () => {
    const file = await toSharp(photo)
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: 'someone' } })
      .jpeg()
      .toBuffer();
    const before = await guardedSharp(file).metadata();
    expect([before.hasProfile, !!before.exif]).toEqual([true, true]);
    const { result } = await enlargeFile(file, { scaleFactor: 1 });
    const after = await guardedSharp(result).metadata();
    expect([after.hasProfile, !!after.exif]).toEqual([false, false]);
    // sharp wrote the P3 file from sRGB samples, so converting back must give those samples again.
    expect(psnr(await decodeFile(result), photo)).toBeGreaterThan(30);
  });

  it('reads 16 bits a sample', async () => {
    const file = await toSharp(photo).toColourspace('rgb16').png().toBuffer();
    expect((await inspect(file)).bitDepth).toBe(16);
    const { result } = await enlargeFile(file, { scaleFactor: 1 });
    expect(maxDifference(await decodeFile(result), photo)).toBeLessThanOrEqual(1);
  });

  it('reads CMYK as colour', async () => {
    const file = await toSharp(photo).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer();
    expect((await inspect(file)).channels).toBe(4);
    const { result } = await enlargeFile(file, { scaleFactor: 1 });
    const picture = await decodeFile(result);
    expect(picture.channels).toBe(3);
    expect(psnr(picture, photo)).toBeGreaterThan(18);
  });
});

describe('alpha', () => {
  it.each(['png', 'webp'] as const)('keeps the shape in %s and shows no dark rim', async (format) => {
    const { result } = await enlargeFile(await encodeAs(cutOut, 'png'), { format, scaleFactor: 3 });
    const picture = await decodeFile(result);
    expect(picture.channels).toBe(4);
    const wanted = plainBicubic(pickChannel(cutOut, 3), picture);
    expect(overlap(pickChannel(picture, 3), wanted)).toBeGreaterThanOrEqual(0.99);
    for (let i = 0; i < picture.data.length; i += 4)
      if ((picture.data[i + 3] ?? 0) > 16) expect(picture.data[i] ?? 0).toBeGreaterThan(200);
  });

  it('lies on white in JPEG', async () => {
    const { result } = await enlargeFile(await encodeAs(cutOut, 'png'), { format: 'jpeg' });
    const { data, channels } = await decodeFile(result);
    expect(channels).toBe(3);
    expect(Math.min(...data.subarray(0, 30))).toBeGreaterThan(250);
  });

  it('grey with alpha keeps both', async () => {
    const picture = makePicture({ width: 40, height: 40, channels: 2 }, (x) => [x * 6, x < 20 ? 255 : 0]);
    const { result } = await enlargeFile(await encodeAs(picture, 'png'));
    expect(await inspect(result)).toMatchObject({ channels: 2, hasAlpha: true });
  });

  it('reads a palette with a transparent colour', async () => {
    const file = await toSharp(cutOut).png({ palette: true, colours: 8 }).toBuffer();
    const { result } = await enlargeFile(file);
    const alpha = pickChannel(await decodeFile(result), 3);
    expect(overlap(alpha, plainBicubic(pickChannel(cutOut, 3), alpha))).toBeGreaterThanOrEqual(0.99);
  });
});

describe('EXIF orientation', () => {
  const upright = makePhoto({ width: 64, height: 40 });
  /** The sample of the stored picture at x, y is the upright one at these coordinates (EXIF 2.32, tag 0x0112). */
  const [width, height] = [64, 40];
  const uprightOf: Record<number, (x: number, y: number) => [number, number]> = {
    1: (x, y) => [x, y],
    2: (x, y) => [width - 1 - x, y],
    3: (x, y) => [width - 1 - x, height - 1 - y],
    4: (x, y) => [x, height - 1 - y],
    5: (x, y) => [y, x],
    6: (x, y) => [width - 1 - y, x],
    7: (x, y) => [width - 1 - y, height - 1 - x],
    8: (x, y) => [y, height - 1 - x],
  };
  const store = (orientation: number) => {
    const size = orientation > 4 ? { width: height, height: width } : { width, height };
    return makePicture(size, (x, y) => {
      const [u, v] = uprightOf[orientation]?.(x, y) ?? [0, 0];
      return [...upright.data.subarray((v * width + u) * 3, (v * width + u) * 3 + 3)];
    });
  };
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('%s comes out upright, without the tag', async (orientation) => {
    const file = await toSharp(store(orientation)).withMetadata({ orientation }).jpeg({ quality: 98 }).toBuffer();
    expect(await inspect(file)).toMatchObject({ width, height, orientation });
    const { result } = await enlargeFile(file, { scaleFactor: 1 });
    expect(psnr(await decodeFile(result), upright)).toBeGreaterThan(30);
    expect((await guardedSharp(result).metadata()).orientation).toBeUndefined();
  });
});
