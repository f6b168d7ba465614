import { AppError } from '@uprez/contracts/errors/app-error';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/inspect/inspect.ts';
import { type BmpFile, makeBmpFile, wrapBmp } from '../hostile/bmp-file.ts';
import { decodeImage } from '../support/decode-image.ts';
import { type Image, makeImage, makePhoto, maxDifference } from '../support/images.ts';

/** Odd sides, so that rows end within a byte and need padding. */
const size = { width: 13, height: 7 };
const photo = makePhoto(size);
const rgba = makeImage({ ...size, channels: 4 }, (x, y) => [x * 19, y * 30, 200, 255 - x * 10]);
const paletteOf = (colors: number) => Array.from({ length: colors }, (_, i) => [i * 7, 255 - i * 5, (i * 31) % 256]);
/** An image of palette colors, and its indices, one channel. */
function indexed(colors: number) {
  const indices = makeImage({ ...size, channels: 1 }, (x, y) => [(x + y * 3) % colors]);
  const palette = paletteOf(colors);
  const image = makeImage(size, (x, y) => palette[indices.data[y * size.width + x] ?? 0] ?? []);
  return { indices, palette, image };
}
const word24 = ([r = 0, g = 0, b = 0]: number[]) => (r << 16) | (g << 8) | b;
const quantized = (image: Image, bits: number[]) =>
  makeImage(image, (x, y) =>
    bits.map((n, c) => {
      const most = 2 ** n - 1;
      return Math.round((Math.round(((image.data[(y * size.width + x) * 3 + c] ?? 0) * most) / 255) * 255) / most);
    }),
  );
const pack565 = ([r = 0, g = 0, b = 0]: number[]) =>
  (Math.round((r * 31) / 255) << 11) | (Math.round((g * 63) / 255) << 5) | Math.round((b * 31) / 255);
const pack555 = ([r = 0, g = 0, b = 0]: number[]) =>
  (Math.round((r * 31) / 255) << 10) | (Math.round((g * 31) / 255) << 5) | Math.round((b * 31) / 255);

const byIndex = (bits: 1 | 2 | 4 | 8, kind: Partial<BmpFile> = {}) => {
  const { indices, palette, image } = indexed(2 ** bits);
  return { file: makeBmpFile(indices, { bits, palette, ...kind }, ([index = 0]) => index), image };
};

describe('BMP', () => {
  const kinds: [string, () => { file: Buffer; image: Image }][] = [
    ['1 bit', () => byIndex(1)],
    ['2 bits', () => byIndex(2)],
    ['4 bits', () => byIndex(4)],
    ['8 bits', () => byIndex(8)],
    ['8 bits, from the top', () => byIndex(8, { isTopDown: true })],
    ['4 bits, OS/2', () => byIndex(4, { headerBytes: 12 })],
    ['8 bits, pixels farther on', () => byIndex(8, { gap: 6 })],
    ['16 bits', () => ({ file: makeBmpFile(photo, { bits: 16 }, pack555), image: quantized(photo, [5, 5, 5]) })],
    [
      '16 bits with masks',
      () => ({
        file: makeBmpFile(photo, { bits: 16, compression: 3, masks: [0xf800, 0x7e0, 0x1f] }, pack565),
        image: quantized(photo, [5, 6, 5]),
      }),
    ],
    ['24 bits', () => ({ file: makeBmpFile(photo, { bits: 24 }, word24), image: photo })],
    [
      '24 bits, from the top',
      () => ({ file: makeBmpFile(photo, { bits: 24, isTopDown: true }, word24), image: photo }),
    ],
    ['32 bits', () => ({ file: makeBmpFile(photo, { bits: 32 }, word24), image: photo })],
    [
      '32 bits with alpha',
      () => ({
        file: makeBmpFile(
          rgba,
          { bits: 32, compression: 3, headerBytes: 108, masks: [0xff, 0xff00, 0xff0000, 0xff000000] },
          ([r = 0, g = 0, b = 0, a = 0]) => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0,
        ),
        image: rgba,
      }),
    ],
    [
      '32 bits with an alpha that is zero everywhere',
      () => ({
        file: makeBmpFile(
          photo,
          { bits: 32, compression: 3, headerBytes: 108, masks: [0xff0000, 0xff00, 0xff, 0xff000000] },
          word24,
        ),
        image: makeImage({ ...size, channels: 4 }, (x, y) => [
          ...photo.data.subarray((y * size.width + x) * 3, (y * size.width + x) * 3 + 3),
          255,
        ]),
      }),
    ],
    [
      'a palette of greys',
      () => ({
        file: makeBmpFile(
          makeImage({ ...size, channels: 1 }, (x, y) => [x + y]),
          { bits: 8, palette: Array.from({ length: 256 }, (_, i) => [255 - i, 255 - i, 255 - i]) },
          ([index = 0]) => index,
        ),
        image: makeImage({ ...size, channels: 1 }, (x, y) => [255 - x - y]),
      }),
    ],
  ];
  it.each(kinds)('of %s is read', async (_name, make) => {
    const { file, image } = make();
    const { channels } = image;
    const facts = {
      format: 'bmp',
      ...size,
      channels,
      bitDepth: 8,
      hasAlpha: channels === 4,
      space: channels === 1 ? 'grey' : 'rgb',
    };
    expect(await inspect(file)).toMatchObject(facts);
    expect(maxDifference((await decodeImage(file)).image, image)).toBe(0);
  });

  /** Six by three; rows from the bottom up. */
  const small = { width: 6, height: 3 };
  const colors = paletteOf(16);
  const painted = (rows: number[][]) => makeImage(small, (x, y) => colors[rows[y]?.[x] ?? 0] ?? []);
  const runs8: BmpFile = { bits: 8, compression: 1, palette: colors };
  const runs4: BmpFile = { bits: 4, compression: 2, palette: colors };
  const runs: { name: string; kind: BmpFile; code: number[]; rows: number[][] }[] = [
    {
      name: '8 bits: runs, literals, an early end of line',
      kind: runs8,
      code: [6, 3, 0, 0, 0, 3, 1, 2, 9, 0, 2, 5, 0, 0, 2, 7, 0, 1],
      rows: [
        [7, 7, 0, 0, 0, 0],
        [1, 2, 9, 5, 5, 0],
        [3, 3, 3, 3, 3, 3],
      ],
    },
    {
      name: '8 bits: a jump',
      kind: runs8,
      code: [1, 4, 0, 2, 2, 1, 2, 6, 0, 1],
      rows: [
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 6, 6, 0],
        [4, 0, 0, 0, 0, 0],
      ],
    },
    {
      name: '4 bits: two colors in turn, an odd literal',
      kind: runs4,
      code: [6, 0x3a, 0, 0, 0, 5, 0x12, 0x34, 0x50, 0, 0, 0, 3, 0x77, 0, 1],
      rows: [
        [7, 7, 7, 0, 0, 0],
        [1, 2, 3, 4, 5, 0],
        [3, 10, 3, 10, 3, 10],
      ],
    },
    {
      name: '8 bits: a run past the end of its row, and no end of file',
      kind: runs8,
      code: [200, 3, 0, 0, 6, 1, 0, 0, 6, 2],
      rows: [
        [2, 2, 2, 2, 2, 2],
        [1, 1, 1, 1, 1, 1],
        [3, 3, 3, 3, 3, 3],
      ],
    },
  ];
  it.each(runs)('decodes run lengths: $name', async ({ kind, code, rows }) => {
    const { image } = await decodeImage(wrapBmp(small, Buffer.from(code), kind));
    expect(maxDifference(image, painted(rows))).toBe(0);
  });

  it.each([
    ['a short header', Buffer.from('BM just words, no image')],
    ['a depth that does not exist', wrapBmp(size, Buffer.alloc(999), { bits: 24, headerBytes: 40 }).fill(7, 28, 29)],
    ['no width', wrapBmp({ width: 0, height: 9 }, Buffer.alloc(9), { bits: 8 })],
    ['run-length code of a depth that has none', wrapBmp(size, Buffer.alloc(999), { bits: 24, compression: 1 })],
  ])('with %s is corrupt', async (_name, file) => {
    await expect(inspect(file)).rejects.toMatchObject({ code: 'corrupt_image' });
  });

  it.each([
    ['pixels', wrapBmp({ width: 900, height: 900 }, Buffer.alloc(5_000), { bits: 24 })],
    ['run-length code', wrapBmp(small, Buffer.from([6, 3, 0]), { bits: 8, compression: 1 })],
    ['literals', wrapBmp(small, Buffer.from([0, 200, 1, 2]), { bits: 8, compression: 1 })],
  ])('without all of its %s is corrupt', async (_name, file) => {
    const error = await decodeImage(file).catch((reason) => reason);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'corrupt_image' });
  });

  it('with an embedded JPEG is rejected with a specific message', async () => {
    await expect(inspect(wrapBmp(size, Buffer.alloc(99), { bits: 24, compression: 4 }))).rejects.toThrow(
      'contains a JPEG or PNG',
    );
  });
});
