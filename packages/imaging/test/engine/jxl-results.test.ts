import { describe, expect, it } from 'vitest';
import { deltaE } from '../../src/color/color-difference.ts';
import { toLinear } from '../../src/color/encoding.ts';
import { guardedSharp } from '../../src/decoders.ts';
import { writeJxlContainer } from '../../src/engine/jxl/write-jxl.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { splitJxlContainer } from '../../src/jxl/open-container.ts';
import { jxlFixture } from '../hostile/jxl-file.ts';
import { decodeImage } from '../support/decode-image.ts';
import { toSharp } from '../support/image-files.ts';
import { deepen, depthOf, type Image, makeImage, makePhoto, maxDifference, pickChannel } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';

const size = { width: 64, height: 48 };
const photo = makePhoto(size);
const fade = (width: number, height: number) => {
  const { data } = makePhoto({ width, height });
  const at = (x: number, y: number) => (y * width + x) * 3;
  return makeImage({ width, height, channels: 4 }, (x, y) => [
    ...data.subarray(at(x, y), at(x, y) + 3),
    (255 * x) / width,
  ]);
};

async function encodeAndDecode(image: Image, quality: number) {
  const file = await toSharp(image).png().toBuffer();
  const { result, report } = await processFile(file, { format: 'jxl', scaleFactor: 1, quality });
  return { result, report, ...(await decodeImage(result)) };
}

it('keeps the colors of flat shapes, at the quality of lossless files, when it has few colors', async () => {
  const disc = makeImage({ width: 64, height: 64, channels: 4 }, (x, y) => {
    const isInside = Math.hypot(x - 31.5, y - 31.5) < 24;
    return isInside ? [220, 30, 30, 255] : [0, 0, 0, 0];
  });
  const file = await toSharp(disc).png().toBuffer();
  for (const recipe of [{ scaleFactor: 0.25 }, { scaleFactor: 1 }]) {
    const { result, report } = await processFile(file, { format: 'jxl', quality: 80, ...recipe });
    expect(report.quality).toBe(100);
    const { image } = await decodeImage(result);
    for (let i = 0; i < image.data.length; i += 4)
      if (image.data[i + 3] === 255) expect([...image.data.subarray(i, i + 3)]).toEqual([220, 30, 30]);
  }
});

it('keeps gray with few colors and transparency as it is', async () => {
  const disc = makeImage({ width: 64, height: 64, channels: 2 }, (x, y) => {
    return Math.hypot(x - 31.5, y - 31.5) < 24 ? [220, 255] : [0, 0];
  });
  const { image, report } = await encodeAndDecode(disc, 80);
  expect(report.quality).toBe(100);
  expect(maxDifference(image, disc)).toBe(0);
});

/** Mean CIEDE2000 of two images of 8 bits. */
function meanDifference(a: Image, b: Image): number {
  const light = ({ data, channels }: Image, pixel: number) => {
    const at = (c: number) => toLinear((data[pixel * channels + (channels < 3 ? 0 : c)] ?? 0) / 255);
    return [at(0), at(1), at(2)] as const;
  };
  const pixels = a.width * a.height;
  let sum = 0;
  for (let pixel = 0; pixel < pixels; pixel++) sum += deltaE(light(a, pixel), light(b, pixel));
  return sum / pixels;
}

describe('a JPEG XL result', () => {
  it.each([
    ['color', photo],
    ['grey', makePhoto({ ...size, channels: 1 })],
  ] as const)('has the colors of its source: %s', async (_, source) => {
    const { image, result, report } = await encodeAndDecode(source, 95);
    expect(image.channels).toBe(source.channels);
    expect(meanDifference(image, source)).toBeLessThan(1.6);
    expect(await inspect(result)).toMatchObject({ ...size, format: 'jxl', hasProfile: false, frames: 1 });
    expect(report).toMatchObject({ format: 'jxl', quality: 95, sizeBytes: result.length, notes: [] });
  });

  it('keeps transparency as it is', async () => {
    const source = fade(64, 48);
    const { image } = await encodeAndDecode(source, 80);
    expect(maxDifference(pickChannel(image, 3), pickChannel(source, 3))).toBe(0);
  });

  // The last image is sent to the encoder in several parts.
  it.each([
    ['8 bits', photo],
    ['16 bits', deepen(photo)],
    ['16 bits and transparency', deepen(fade(800, 700))],
  ] as const)('is lossless at quality 100, with %s', async (_, source) => {
    const { image } = await encodeAndDecode(source, 100);
    expect(depthOf(image)).toBe(depthOf(source));
    expect(maxDifference(image, source)).toBe(0);
  });

  it('keeps its profile, and the colors in it', async () => {
    const file = await toSharp(photo).withIccProfile('p3').png().toBuffer();
    const { result } = await processFile(file, { format: 'jxl', scaleFactor: 1 });
    expect(await inspect(result)).toMatchObject({ hasProfile: true });
    const shown = (png: Buffer) => guardedSharp(png).toColorspace('srgb').raw().toBuffer();
    const back = await processFile(result, { format: 'png', scaleFactor: 1 });
    const [wanted, found] = [await shown(file), await shown(back.result)];
    expect(meanDifference({ ...photo, data: found }, { ...photo, data: wanted })).toBeLessThan(1.6);
  });

  it('is upright, with EXIF data of its own size', async () => {
    const turned = toSharp(photo)
      .withExif({ IFD0: { Model: 'Camera' } })
      .withMetadata({ orientation: 6 });
    const { result } = await processFile(await turned.jpeg().toBuffer(), { format: 'jxl', metadata: 'all' });
    expect(await inspect(result)).toMatchObject({ width: 96, height: 128, orientation: 1 });
    const { exif = Buffer.alloc(0) } = splitJxlContainer(result, () => true);
    expect(exif.toString('latin1')).toContain('Camera');
    const fields = [exif.indexOf('\x02\xa0\x04\0', 'latin1'), exif.indexOf('\x03\xa0\x04\0', 'latin1')];
    expect(fields.map((at) => exif.readUInt32LE(at + 8))).toEqual([96, 128]);
  });
});

describe('writeJxlContainer', () => {
  const [exif, xmp] = [Buffer.from('II*\0'), '<x/>'];

  it('returns a codestream without metadata as it is', () =>
    expect(writeJxlContainer({ codestream: jxlFixture('photo') })).toEqual(jxlFixture('photo')));

  it.each(['photo', 'turned'] as const)('adds metadata to %s.jxl', (name) => {
    const { codestream } = splitJxlContainer(jxlFixture(name), () => true);
    const file = writeJxlContainer({ codestream, exif, xmp });
    expect(splitJxlContainer(file, () => true)).toEqual({ codestream, exif, xmp: Buffer.from(xmp) });
    const again = splitJxlContainer(writeJxlContainer({ codestream: file, xmp: '<y/>' }), () => true);
    // Only the first packet is read.
    expect(again).toEqual({ codestream, exif, xmp: Buffer.from(xmp), unread: true });
  });
});
