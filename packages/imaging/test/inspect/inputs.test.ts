import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/inspect/inspect.ts';
import { insertChunks, makePngFile, pngChunk } from '../hostile/png-file.ts';
import { makeTiffFile } from '../hostile/tiff-file.ts';
import { decodeImage } from '../support/decode-image.ts';
import { toSharp } from '../support/image-files.ts';
import { deepen, type Image, makeImage, makePhoto, maxDifference, psnr } from '../support/images.ts';

const photo = makePhoto({ width: 60, height: 44 });
const grey = makePhoto({ width: 60, height: 44, channels: 1 });
const cutOut = makeImage({ width: 40, height: 30, channels: 4 }, (x, y) => [x * 6, 255 - y * 8, 90, x < 20 ? 255 : 9]);
const greyAlpha = makeImage({ width: 40, height: 30, channels: 2 }, (x, y) => [x * 6, y * 8]);
const plain = { orientation: 1, isPalette: false, hasAlpha: false, hasProfile: false, frames: 1, bitDepth: 8 };

/** Every kind of file: how it is made, what is told of it, and what comes out (`near`: decibels when it is lossy). */
type Kind = { name: string; make: () => Promise<Buffer>; facts: Partial<Inspection>; image: Image; near?: number };
const kinds: Kind[] = [
  {
    name: 'JPEG',
    make: () => toSharp(photo).jpeg({ quality: 98, chromaSubsampling: '4:4:4' }).toBuffer(),
    facts: { format: 'jpeg', channels: 3, space: 'rgb', decodesWhole: false },
    image: photo,
    near: 38,
  },
  {
    name: 'progressive grey JPEG',
    make: () => toSharp(grey).jpeg({ quality: 98, progressive: true }).toBuffer(),
    facts: { format: 'jpeg', channels: 1, space: 'grey', decodesWhole: true },
    image: grey,
    near: 40,
  },
  {
    name: 'PNG',
    make: () => toSharp(photo).png().toBuffer(),
    facts: { format: 'png', channels: 3, space: 'rgb', decodesWhole: false },
    image: photo,
  },
  {
    name: 'interlaced RGBA PNG',
    make: () => toSharp(cutOut).png({ progressive: true }).toBuffer(),
    facts: { format: 'png', channels: 4, hasAlpha: true, decodesWhole: true },
    image: cutOut,
  },
  {
    name: 'grey and alpha PNG',
    make: () => toSharp(greyAlpha).png().toBuffer(),
    facts: { format: 'png', channels: 2, space: 'grey', hasAlpha: true },
    image: greyAlpha,
  },
  {
    name: '16-bit PNG',
    make: () => toSharp(deepen(photo)).png().toBuffer(),
    facts: { format: 'png', channels: 3, bitDepth: 16 },
    image: deepen(photo),
  },
  {
    name: '16-bit grey PNG',
    make: () => toSharp(deepen(grey)).png().toBuffer(),
    facts: { format: 'png', channels: 1, space: 'grey', bitDepth: 16 },
    image: deepen(grey),
  },
  {
    name: '1-bit PNG',
    make: async () => makePngFile({ width: 16, height: 2, bits: 1, rows: Buffer.from([0, 0xf0, 0x0f, 0, 0xaa, 0xaa]) }),
    facts: { format: 'png', channels: 1, space: 'grey', bitDepth: 1 },
    image: makeImage({ width: 16, height: 2, channels: 1 }, (x, y) => [
      255 * ((y === 0 ? x < 4 || x > 11 : x % 2 === 0) ? 1 : 0),
    ]),
  },
  {
    name: 'palette PNG with a transparent color',
    make: async () => {
      const palette = pngChunk('PLTE', Buffer.from([255, 0, 0, 0, 0, 255]));
      const rows = Buffer.from([0, 0b01000000]);
      const chunks = [palette, pngChunk('tRNS', Buffer.from([0]))];
      return makePngFile({ width: 2, height: 1, bits: 1, colorType: 3, rows, chunks });
    },
    facts: { format: 'png', channels: 4, isPalette: true, bitDepth: 8, hasAlpha: true },
    image: makeImage({ width: 2, height: 1, channels: 4 }, (x) => (x === 0 ? [255, 0, 0, 0] : [0, 0, 255, 255])),
  },
  {
    name: 'RGB PNG with a transparent color',
    make: async () =>
      insertChunks(
        await toSharp(makeImage({ width: 2, height: 1 }, (x) => [x, 2, 3]))
          .png()
          .toBuffer(),
        [pngChunk('tRNS', Buffer.from([0, 1, 0, 2, 0, 3]))],
      ),
    facts: { format: 'png', channels: 4, hasAlpha: true },
    image: makeImage({ width: 2, height: 1, channels: 4 }, (x) => [x, 2, 3, x === 1 ? 0 : 255]),
  },
  {
    name: 'lossless WebP',
    make: () => toSharp(cutOut).webp({ lossless: true, exact: true }).toBuffer(),
    facts: { format: 'webp', channels: 4, hasAlpha: true, decodesWhole: true },
    image: cutOut,
  },
  {
    name: 'lossy WebP',
    make: () => toSharp(photo).webp({ quality: 95 }).toBuffer(),
    facts: { format: 'webp', channels: 3, decodesWhole: true },
    image: photo,
    near: 30,
  },
  {
    name: 'GIF',
    make: () => toSharp(photo).gif({ dither: 0 }).toBuffer(),
    facts: { format: 'gif', channels: 3, isPalette: true, bitDepth: 8, decodesWhole: true },
    image: photo,
    near: 30,
  },
  {
    name: 'tiled TIFF',
    make: () => toSharp(photo).tiff({ tile: true, tileWidth: 32, tileHeight: 16, compression: 'lzw' }).toBuffer(),
    facts: { format: 'tiff', channels: 3, space: 'rgb', decodesWhole: false },
    image: photo,
  },
  {
    name: 'TIFF in strips with alpha',
    make: () => toSharp(cutOut).tiff({ compression: 'deflate' }).toBuffer(),
    facts: { format: 'tiff', channels: 4, hasAlpha: true },
    image: cutOut,
  },
  {
    name: '16-bit grey TIFF, white is zero',
    make: async () => {
      const data = Uint8Array.from({ length: 32 }, (_, i) => (i % 2 === 0 ? 0 : 255 - i));
      return makeTiffFile({ width: 16, height: 1, photometric: 0, samples: 1, bits: 16, data });
    },
    facts: { format: 'tiff', channels: 1, space: 'grey', bitDepth: 16 },
    image: {
      ...{ width: 16, height: 1, channels: 1 },
      data: Uint16Array.from({ length: 16 }, (_, i) => 65_535 - (255 - (i * 2 + 1)) * 256),
    },
  },
  {
    name: '1-bit TIFF',
    make: async () =>
      makeTiffFile({ width: 8, height: 1, photometric: 1, samples: 1, bits: 1, data: Uint8Array.of(0b11000101) }),
    facts: { format: 'tiff', channels: 1, bitDepth: 1 },
    image: makeImage({ width: 8, height: 1, channels: 1 }, (x) => [[0, 1, 5, 7].includes(x) ? 255 : 0]),
  },
  {
    name: '8-bit AVIF',
    make: () => toSharp(photo).avif({ quality: 95, effort: 0, chromaSubsampling: '4:4:4' }).toBuffer(),
    facts: { format: 'avif', channels: 3, decodesWhole: true },
    image: photo,
    near: 36,
  },
  {
    name: '10-bit AVIF',
    make: () => toSharp(photo).avif({ quality: 95, effort: 0, bitdepth: 10, chromaSubsampling: '4:4:4' }).toBuffer(),
    facts: { format: 'avif', channels: 3, bitDepth: 10 },
    image: deepen(photo),
    near: 36,
  },
];

describe('an image', () => {
  it.each(kinds)('of kind $name is inspected and decoded', async ({ make, facts, image, near }) => {
    const file = await make();
    const { width, height } = image;
    expect(await inspect(file)).toMatchObject({ ...plain, width, height, ...facts });
    const decoded = await decodeImage(file);
    expect(decoded).toMatchObject({ notes: [], animation: null });
    if (near) expect(psnr(decoded.image, image)).toBeGreaterThan(near);
    else expect(maxDifference(decoded.image, image)).toBe(0);
  });

  it('of 16 bits is reduced to 8 when the output supports no more', async () => {
    const file = await toSharp(deepen(photo)).png().toBuffer();
    const { image } = await decodeImage(file, { format: 'jpeg' });
    expect(maxDifference(image, photo)).toBe(0);
  });

  it('is cropped and shrunk by the pipeline', async () => {
    const large = makePhoto({ width: 400, height: 300 });
    const file = await toSharp(large).png().toBuffer();
    const { image, pipeline } = await decodeImage(file, { width: 50, height: 50, fit: 'cover' });
    expect(pipeline).toMatchObject({ shrinks: true, crop: { left: 50, top: 0, width: 300, height: 300 } });
    const wanted = makeImage({ width: 50, height: 50 }, (x, y) =>
      [0, 1, 2].map((c) => {
        let sum = 0;
        for (let j = 0; j < 6; j++)
          for (let i = 0; i < 6; i++) sum += large.data[((y * 6 + j) * 400 + 50 + x * 6 + i) * 3 + c] ?? 0;
        return sum / 36;
      }),
    );
    expect(psnr(image, wanted)).toBeGreaterThan(34);
  });

  it('of a multi-page TIFF is its first page, with a note', async () => {
    const data = new Uint8Array(12).fill(77);
    const file = makeTiffFile({ width: 2, height: 2, photometric: 2, samples: 3, bits: 8, data, pages: 3 });
    expect(await inspect(file)).toMatchObject({ width: 2, height: 2, frames: 1 });
    expect((await decodeImage(file)).notes).toEqual(['The file has several pages. Only the first one was processed.']);
  });

  it('of an animated PNG is its first frame, with a note', async () => {
    const file = insertChunks(await toSharp(photo).png().toBuffer(), [
      pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
    ]);
    expect(await inspect(file)).toMatchObject({ frames: 1 });
    const { notes, image } = await decodeImage(file);
    expect(notes).toEqual(['Only the first frame of the animation was processed.']);
    expect(maxDifference(image, photo)).toBe(0);
  });
});

describe('shrinking while decoding does not shift', () => {
  const spots = makeImage({ width: 1_201, height: 803 }, (x, y) => {
    const near = Math.min(...[120, 1_080].map((u) => Math.min(...[80, 720].map((v) => Math.hypot(x - u, y - v)))));
    return Array<number>(3).fill(255 * Math.exp(-(near ** 2) / 900));
  });
  it.each(['jpeg', 'png', 'webp'] as const)('%s', async (format) => {
    const file = await toSharp(spots).toFormat(format, { quality: 98, lossless: true }).toBuffer();
    const { image } = await decodeImage(file, { width: 150 });
    const [across, down] = [image.width / 1_201, image.height / 803];
    for (const [u, v] of [
      [120, 80],
      [1_080, 80],
      [120, 720],
      [1_080, 720],
    ] as const) {
      const found = centroid(image, (u + 0.5) * across - 0.5, (v + 0.5) * down - 0.5);
      expect(Math.abs(found.x), `${u}, ${v}`).toBeLessThanOrEqual(0.05);
      expect(Math.abs(found.y), `${u}, ${v}`).toBeLessThanOrEqual(0.05);
    }
  });
});

/** Center of brightness around a place, relative to it. */
function centroid({ width, data }: Image, u: number, v: number) {
  let [sum, x, y] = [0, 0, 0];
  for (let j = Math.ceil(v - 9); j <= v + 9; j++)
    for (let i = Math.ceil(u - 9); i <= u + 9; i++) {
      const value = Math.max(0, (data[(j * width + i) * 3] ?? 0) - 4);
      [sum, x, y] = [sum + value, x + value * (i - u), y + value * (j - v)];
    }
  return { x: x / sum, y: y / sum };
}
