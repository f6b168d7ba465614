import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/inspect/inspect.ts';
import { insertChunks, pngChunk } from '../hostile/png-file.ts';
import { decodeImage } from '../support/decode-image.ts';
import { toSharp } from '../support/image-files.ts';
import { type Image, makeImage, makePhoto, psnr } from '../support/images.ts';

const [width, height] = [64, 40];
const upright = makePhoto({ width, height });
/** The sample of the stored image at x, y is the upright one at these coordinates (EXIF 2.32, tag 0x0112). */
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
function store(orientation: number): Image {
  const size = orientation > 4 ? { width: height, height: width } : { width, height };
  return makeImage(size, (x, y) => {
    const [u, v] = uprightOf[orientation]?.(x, y) ?? [0, 0];
    return [...upright.data.subarray((v * width + u) * 3, (v * width + u) * 3 + 3)];
  });
}

/** An EXIF block that holds nothing but an orientation. */
const exifOf = (orientation: number) =>
  Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]);

const writers: Record<string, (image: Image, orientation: number) => Promise<Buffer>> = {
  jpeg: (image, orientation) => toSharp(image).withMetadata({ orientation }).jpeg({ quality: 98 }).toBuffer(),
  webp: (image, orientation) => toSharp(image).withMetadata({ orientation }).webp({ lossless: true }).toBuffer(),
  tiff: (image, orientation) => toSharp(image).withMetadata({ orientation }).tiff({ compression: 'lzw' }).toBuffer(),
  png: async (image, orientation) =>
    insertChunks(await toSharp(image).png().toBuffer(), [pngChunk('eXIf', exifOf(orientation))]),
};

describe.each(Object.keys(writers))('%s', (format) => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('of orientation %s is upright without the tag', async (orientation) => {
    const file = await (writers[format] as (typeof writers)[string])(store(orientation), orientation);
    const facts = { format, width, height, orientation, decodesWhole: format === 'webp' || orientation > 2 };
    expect(await inspect(file)).toMatchObject(facts);
    const { image, header } = await decodeImage(file);
    expect(psnr(image, upright)).toBeGreaterThan(format === 'jpeg' ? 30 : 90);
    expect(header.orientation ?? 1).toBe(1);
  });

  it('is cropped and shrunk upright', async () => {
    const file = await (writers[format] as (typeof writers)[string])(store(6), 6);
    const { image, pipeline } = await decodeImage(file, { width: 20, height: 20, fit: 'cover' });
    expect(pipeline.crop).toEqual({ left: 12, top: 0, width: 40, height: 40 });
    const wanted = makeImage({ width: 20, height: 20 }, (x, y) =>
      [0, 1, 2].map((c) => {
        const at = (i: number, j: number) => upright.data[((y * 2 + j) * width + 12 + x * 2 + i) * 3 + c] ?? 0;
        return (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4;
      }),
    );
    expect(psnr(image, wanted)).toBeGreaterThan(28);
  });
});
