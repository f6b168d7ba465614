import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { readPixelTraits } from './read-pixel-traits.ts';

const opaque = { width: 16, height: 16, channels: 3, background: 'teal' } as const;
const clear = { ...opaque, channels: 4, background: '#00808080' } as const;
const plain = { hasAlpha: false, isPalette: false, bitDepth: 8 };

it.each([
  ['a JPEG', sharp({ create: opaque }).jpeg(), plain],
  ['an opaque PNG', sharp({ create: opaque }).png(), plain],
  ['a PNG with an alpha channel', sharp({ create: clear }).png(), { ...plain, hasAlpha: true }],
  ['a PNG with a palette', sharp({ create: opaque }).png({ palette: true }), { ...plain, isPalette: true }],
  [
    'a PNG with a clear color',
    sharp({ create: clear }).png({ palette: true }),
    { ...plain, isPalette: true, hasAlpha: true },
  ],
  ['a PNG with 16 bits', sharp({ create: opaque }).toColorspace('rgb16').png(), { ...plain, bitDepth: 16 }],
  ['an opaque WebP', sharp({ create: opaque }).webp(), plain],
  ['a clear WebP', sharp({ create: clear }).webp(), { ...plain, hasAlpha: true }],
  ['an opaque lossless WebP', sharp({ create: opaque }).webp({ lossless: true }), plain],
  ['a clear lossless WebP', sharp({ create: clear }).webp({ lossless: true }), { ...plain, hasAlpha: true }],
  [
    'a clear GIF',
    sharp({ create: { ...clear, background: '#00000000' } }).gif(),
    { ...plain, isPalette: true, hasAlpha: true },
  ],
  ['an opaque AVIF', sharp({ create: opaque }).avif(), plain],
  ['a clear AVIF', sharp({ create: clear }).avif(), { ...plain, hasAlpha: true }],
] as const)('reads the traits of %s', async (_, image, traits) => {
  const file = await image.toBuffer();
  const { format } = await sharp(file).metadata();
  expect(readPixelTraits(file)).toEqual({ ...traits, format: format === 'heif' ? 'avif' : format });
});

it.each([
  ['photo.heic', false],
  ['alpha.heic', true],
])('reads the traits of %s', async (name, hasAlpha) => {
  const file = await readFile(new URL(`../../../../../packages/imaging/test/fixtures/heic/${name}`, import.meta.url));
  expect(readPixelTraits(file)).toEqual({ ...plain, format: 'heic', hasAlpha });
});

it('reads the transparency of a GIF whose image leaves a part of the canvas free', () => {
  const comment = [0x21, 0xfe, 2, 65, 66, 0];
  const image = [0x2c, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0, 0x3b];
  const head = Buffer.from('GIF89a\x02\0\x01\0\x80\0\0', 'latin1');
  const file = Buffer.concat([head, Buffer.alloc(6), Buffer.from([...comment, ...image])]);
  expect(readPixelTraits(file)?.hasAlpha).toBe(false);
  file.writeUInt16LE(3, 6);
  expect(readPixelTraits(file)?.hasAlpha).toBe(true);
});

it('returns undefined for other and truncated files', async () => {
  expect(readPixelTraits(await sharp({ create: opaque }).tiff().toBuffer())).toBeUndefined();
  expect(readPixelTraits(new Uint8Array())).toBeUndefined();
});
