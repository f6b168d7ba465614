import { expect, it } from 'vitest';
import { readTags } from '../../test/support/exiftool.ts';
import { decodeFile, toSharp } from '../../test/support/image-files.ts';
import { makeImage, makePhoto, maxDifference } from '../../test/support/images.ts';
import { aiSourceType } from '../engine/metadata/xmp/ai-mark.ts';
import { markFile } from './mark-file.ts';

const photo = makePhoto({ width: 37, height: 20 });
const transparent = makeImage({ width: 37, height: 20, channels: 4 }, (x, y) => [x * 6, y * 12, 90, x * 6]);

it.each([
  ['jpeg', 'a JPEG', toSharp(photo).jpeg()],
  ['webp', 'a lossy WebP', toSharp(photo).webp({ quality: 80 })],
  ['webp', 'a lossless WebP', toSharp(photo).webp({ lossless: true })],
  ['webp', 'a lossy WebP with transparency', toSharp(transparent).webp({ quality: 80 })],
  ['webp', 'a lossless WebP with transparency', toSharp(transparent).webp({ lossless: true })],
] as const)('marks a %s without changing its pixels: %s', async (format, _, image) => {
  const file = await image.toBuffer();
  const marked = Buffer.from(markFile(file, format));
  const [tags = {}] = await readTags([marked]);
  expect(tags['XMP-iptcExt:DigitalSourceType']).toBe(aiSourceType);
  const [wanted, found] = [await decodeFile(file), await decodeFile(marked)];
  expect(found.channels).toBe(wanted.channels);
  expect(maxDifference(found, wanted)).toBe(0);
});
