import { deflateSync } from 'node:zlib';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { makeAnimatedWebp, makeGif, makeTinyWebp } from './animations.ts';
import { wrapBmp } from './bmp-file.ts';
import type { Bomb } from './bomb.ts';
import { everyScan, makeProgressiveJpeg } from './costly/jpeg.ts';
import { heicBombs } from './heic-bombs.ts';
import { jxlAnimation, jxlFrameOf, jxlOf } from './jxl-file.ts';
import { insertChunks, makePngFile, pngChunk } from './png-file.ts';
import { makeTiffFile } from './tiff-file.ts';

const photo = makePhoto({ width: 16, height: 16 });
const greyTiff = (width: number, height: number, pages = 1) =>
  makeTiffFile({ width, height, photometric: 1, samples: 1, bits: 8, data: new Uint8Array(4), pages });

/** Returns an AVIF whose container has other dimensions. */
export async function avifOf(width: number, height: number): Promise<Buffer> {
  const file = await toSharp(photo).avif({ effort: 0 }).toBuffer();
  const at = file.indexOf('ispe');
  file.writeUInt32BE(width, at + 8);
  file.writeUInt32BE(height, at + 12);
  return file;
}

/** Returns a baseline JPEG whose frame header has other dimensions. */
async function jpegOf(width: number, height: number): Promise<Buffer> {
  const file = await encodeAs(photo, 'jpeg');
  const at = file.indexOf(Buffer.from([0xff, 0xc0, 0, 17]));
  file.writeUInt16BE(height, at + 5);
  file.writeUInt16BE(width, at + 7);
  return file;
}

const still = () => toSharp(photo).webp({ lossless: true }).toBuffer();

/** Small files that declare or decompress to too much data, and are rejected by their headers. */
export const bombs: Bomb[] = [
  { name: 'wide PNG strip', code: 'side_too_long', make: () => makePngFile({ width: 786_464, height: 32 }) },
  { name: 'tall PNG strip', code: 'side_too_long', make: () => makePngFile({ width: 32, height: 786_464 }) },
  {
    name: 'PNG of 900 megapixels',
    code: 'too_many_pixels',
    make: () => makePngFile({ width: 30_000, height: 30_000 }),
  },
  {
    name: 'PNG of the largest sides',
    code: ['side_too_long', 'corrupt_image'],
    make: () => makePngFile({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }),
  },
  {
    name: 'animated PNG of 5,000 frames',
    code: 'too_many_frames',
    make: () =>
      insertChunks(makePngFile({ width: 9, height: 1 }), [pngChunk('acTL', Buffer.from([0, 0, 19, 136, 0, 0, 0, 0]))]),
  },
  { name: 'WebP of 268 megapixels', code: 'too_many_pixels', make: () => makeTinyWebp(16_383, 16_383) },
  {
    name: 'WebP of 5,000 frames',
    code: 'too_many_frames',
    make: async () => makeAnimatedWebp(await still(), { width: 16, height: 16, frames: 5_000 }),
  },
  {
    name: 'WebP of few frames on a vast canvas',
    code: 'too_many_frames',
    make: async () => makeAnimatedWebp(await still(), { width: 9_999, height: 9_999, frames: 3 }),
  },
  {
    name: 'WebP on the largest canvas',
    code: ['side_too_long', 'corrupt_image'],
    make: async () => makeAnimatedWebp(await still(), { width: 2 ** 24 - 1, height: 2 ** 24 - 1, frames: 2 }),
  },
  {
    name: 'GIF of 5,000 frames',
    code: 'too_many_frames',
    make: () => makeGif({ width: 16, height: 16, frames: 5_000 }),
  },
  {
    name: 'GIF of a million frames',
    code: 'too_many_frames',
    make: () => makeGif({ width: 1, height: 1, frames: 1_000_000 }),
  },
  {
    name: 'GIF of 900 frames that are large together',
    code: 'too_many_frames',
    make: () => makeGif({ width: 1_900, height: 1_900, frames: 900 }),
  },
  { name: 'TIFF of 20,000 pages', code: 'too_many_frames', make: () => greyTiff(2, 2, 20_000) },
  { name: 'TIFF of 3,600 megapixels', code: 'side_too_long', make: () => greyTiff(60_000, 60_000) },
  { name: 'TIFF of 900 megapixels', code: 'too_many_pixels', make: () => greyTiff(30_000, 30_000) },
  {
    name: 'TIFF of the largest sides',
    code: ['side_too_long', 'corrupt_image'],
    make: () => greyTiff(2 ** 31, 2 ** 31),
  },
  {
    name: 'TIFF of 4,096 channels',
    code: 'unsupported_format',
    make: () => makeTiffFile({ width: 9, height: 9, photometric: 2, samples: 4_096, bits: 8, data: new Uint8Array(4) }),
  },
  {
    name: 'BMP of 900 megapixels',
    code: 'too_many_pixels',
    make: () => wrapBmp({ width: 30_000, height: 30_000 }, Buffer.alloc(9), { bits: 24 }),
  },
  {
    name: 'BMP of the largest sides',
    code: 'side_too_long',
    make: () => wrapBmp({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }, Buffer.alloc(9), { bits: 24, isTopDown: true }),
  },
  { name: 'AVIF of 3,600 megapixels', code: 'side_too_long', make: () => avifOf(60_000, 60_000) },
  { name: 'AVIF of 900 megapixels', code: 'too_many_pixels', make: () => avifOf(30_000, 30_000) },
  {
    name: 'AVIF of the largest sides',
    code: ['side_too_long', 'corrupt_image'],
    make: () => avifOf(2 ** 32 - 1, 2 ** 32 - 1),
  },
  ...heicBombs,
  { name: 'JPEG XL of 4 billion pixels', code: 'side_too_long', make: () => jxlOf(65_536, 65_536) },
  { name: 'JPEG XL of the largest sides', code: 'side_too_long', make: () => jxlOf(2 ** 30, 2 ** 30) },
  { name: 'JPEG XL animation with a billion repetitions', code: 'unsupported_format', make: jxlAnimation },
  { name: 'JPEG XL of 900 megapixels', code: 'too_many_pixels', make: () => jxlOf(30_000, 30_000) },
  { name: 'JPEG XL with a frame of 4 billion pixels', code: 'image_too_complex', make: () => jxlFrameOf(63_246) },
  {
    name: 'JPEG of 882 scans',
    code: 'image_too_complex',
    make: () => makeProgressiveJpeg({ width: 2_000, height: 1_000, components: 1, scans: everyScan(1) }),
  },
  { name: 'JPEG of 4,290 megapixels', code: 'side_too_long', make: () => jpegOf(65_500, 65_500) },
  { name: 'JPEG of 900 megapixels', code: 'too_many_pixels', make: () => jpegOf(30_000, 30_000) },
];

const zeros = (count: number) => deflateSync(Buffer.alloc(count), { level: 9 });
const tinyPng = () => makePngFile({ width: 4, height: 1, rows: Buffer.alloc(5) });

/** Files within the limits with the highest cost: missing pixels, or metadata that decompresses to 50 MB. */
export const heavy: { name: string; isWhole: boolean; make: Bomb['make'] }[] = [
  {
    name: 'PNG of 100 megapixels without them',
    isWhole: false,
    make: () => makePngFile({ width: 10_000, height: 10_000 }),
  },
  { name: 'WebP of 100 megapixels without them', isWhole: false, make: () => makeTinyWebp(10_000, 10_000) },
  { name: 'AVIF of 64 megapixels without them', isWhole: false, make: () => avifOf(8_000, 8_000) },
  { name: 'JPEG of 100 megapixels without them', isWhole: false, make: () => jpegOf(10_000, 10_000) },
  { name: 'TIFF of 100 megapixels without them', isWhole: false, make: () => greyTiff(10_000, 10_000) },
  { name: 'JPEG XL of 100 megapixels without them', isWhole: false, make: () => jxlOf(10_000, 10_000) },
  { name: 'JPEG XL with a frame of 349 megapixels', isWhole: false, make: () => jxlFrameOf(18_688) },
  {
    name: 'BMP of 100 megapixels in two bytes',
    isWhole: true,
    make: () =>
      wrapBmp({ width: 10_000, height: 10_000 }, Buffer.from([0, 1]), {
        bits: 8,
        compression: 1,
        palette: [[1, 2, 3]],
      }),
  },
  {
    name: 'PNG with a profile of 50 MB',
    isWhole: true,
    make: () => insertChunks(tinyPng(), [pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), zeros(50e6)]))]),
  },
  {
    name: 'PNG with a text of 50 MB',
    isWhole: true,
    make: () => insertChunks(tinyPng(), [pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), zeros(50e6)]))]),
  },
  {
    name: 'GIF of 1,000 frames',
    isWhole: true,
    make: () => makeGif({ width: 60, height: 60, frames: 1_000 }),
  },
];
