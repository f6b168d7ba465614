import { expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { encodeNotes } from '../../src/engine/steps/encode.ts';
import { decodeFile, encodeAs, toSharp } from '../support/image-files.ts';
import { deepen, type Image, makeImage, maxDifference, pickChannel } from '../support/images.ts';
import { processFile, toReadable } from '../support/run-job.ts';

const palette = [
  [0, 0, 0, 255],
  [255, 0, 77, 255],
  [41, 173, 255, 255],
  [1, 2, 3, 255],
  [126, 37, 83, 0],
];
/** Pixel art of 5 colors. One of them is invisible. */
const sprite = makeImage({ width: 13, height: 9, channels: 4 }, (x, y) => palette[(x * x + 3 * y + x * y) % 5] ?? []);

function repeat(image: Image, factor: number): Image {
  const { channels } = image;
  return makeImage({ width: image.width * factor, height: image.height * factor, channels }, (x, y) => {
    const at = (Math.floor(y / factor) * image.width + Math.floor(x / factor)) * channels;
    return [...image.data.subarray(at, at + channels)];
  });
}

const colorsOf = ({ data, channels }: Image) => {
  const colors = new Set<string>();
  for (let i = 0; i < data.length; i += channels) colors.add(data.subarray(i, i + channels).join());
  return [...colors].sort();
};

/** Gives invisible pixels one color, because GIF doesn't store their colors. */
const hideColors = (image: Image): Image => {
  const data = image.data.slice();
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 0) data.fill(0, i, i + 3);
  return { ...image, data };
};

it.each([
  ['png', 2],
  ['png', 5],
  ['webp', 3],
  ['tiff', 2],
  ['jxl', 2],
] as const)('repeats each pixel with its alpha and hidden color in %s at %dx', async (format, scaleFactor) => {
  const { result, report } = await processFile(await encodeAs(sprite, 'png'), {
    ...{ engine: 'nearest', format, scaleFactor, quality: 80 },
  });
  const decoded = await decodeFile(await toReadable(result));
  expect(maxDifference(decoded, repeat(sprite, scaleFactor))).toBe(0);
  expect(colorsOf(decoded)).toEqual(colorsOf(sprite));
  expect(report).toMatchObject({ engine: 'nearest', model: null, tiles: 0, notes: [] });
});

it('keeps the palette of a PNG and gray with 16 bits', async () => {
  const indexed = await guardedSharp(await encodeAs(sprite, 'png'))
    .png({ palette: true, colors: 8 })
    .toBuffer();
  const { result } = await processFile(indexed, { engine: 'nearest', format: 'png', scaleFactor: 2 });
  expect(maxDifference(await decodeFile(result), repeat(await decodeFile(indexed), 2))).toBe(0);
  expect((await guardedSharp(result).metadata()).isPalette).toBe(true);
  const gray: Image = { width: 3, height: 2, channels: 1, data: Uint16Array.from([0, 1, 257, 30_001, 65_534, 65_535]) };
  const deep = await guardedSharp(gray.data, { raw: { width: 3, height: 2, channels: 1 } })
    .toColorspace('grey16')
    .png()
    .toBuffer();
  const doubled = await processFile(deep, { engine: 'nearest', scaleFactor: 2 });
  const { data } = await guardedSharp(doubled.result)
    .toColorspace('grey16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  expect([...samples.subarray(0, 6)]).toEqual([0, 0, 1, 1, 257, 257]);
  expect([...samples.subarray(18)]).toEqual([30_001, 30_001, 65_534, 65_534, 65_535, 65_535]);
});

it('keeps every color of an animation as GIF and as WebP', async () => {
  const [width, height, frames] = [17, 11, 4];
  // Each frame has other colors, more than 256 in total, which are close to each other.
  const colorAt = (x: number, y: number) => {
    const frame = Math.floor(y / height);
    return (x + y) % 9 === 0 ? [0, 0, 0, 0] : [60 * frame + (x % 16), 100 + (y % height), 7 * frame + (x % 5), 255];
  };
  const stack = makeImage({ width, height: height * frames, channels: 4 }, colorAt);
  const source = await guardedSharp(stack.data, {
    raw: { width, height: height * frames, channels: 4, pageHeight: height },
  })
    .webp({ lossless: true, exact: true, delay: [50, 70, 90, 110], loop: 3 })
    .toBuffer();
  for (const format of ['gif', 'webp'] as const) {
    const { result, report } = await processFile(source, { engine: 'nearest', format, scaleFactor: 3 });
    const { data, info } = await guardedSharp(result, { animated: true })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const decoded = { width: info.width, height: info.height, channels: 4, data } as const;
    expect(maxDifference(hideColors(decoded), hideColors(repeat(stack, 3)))).toBe(0);
    expect(report).toMatchObject({ frames: 4, notes: [] });
    expect(await guardedSharp(result).metadata()).toMatchObject({ pages: 4, loop: 3, delay: [50, 70, 90, 110] });
  }
});

it('writes a GIF of an image with 16 bits in its 8-bit colors', async () => {
  const deep = await toSharp(deepen(sprite)).png().toBuffer();
  const { result, report } = await processFile(deep, { engine: 'nearest', format: 'gif', scaleFactor: 2 });
  expect(maxDifference(hideColors(await decodeFile(result)), hideColors(repeat(sprite, 2)))).toBe(0);
  expect(report.bitDepth).toBe(8);
});

it('writes a GIF of 256 colors exactly, and notes when colors are lost', async () => {
  const full = makeImage({ width: 64, height: 40 }, (x, y) => [(x * 4 + (y % 4)) % 256, 17, 40]);
  const { result, report } = await processFile(await encodeAs(full, 'png'), { engine: 'nearest', format: 'gif' });
  const shown = await decodeFile(await guardedSharp(result).removeAlpha().png().toBuffer());
  expect(maxDifference(shown, repeat(full, 2))).toBe(0);
  expect(report.notes).toEqual([]);
  const more = makeImage({ width: 64, height: 40 }, (x, y) => [x * 4, y * 6, 40]);
  const reduced = await processFile(await encodeAs(more, 'png'), { engine: 'nearest', format: 'gif' });
  expect(reduced.report.notes).toEqual(['The colors were reduced to 256 per frame, the maximum of GIF.']);
  const lossy = await processFile(await encodeAs(full, 'png'), { engine: 'nearest', format: 'jpeg' });
  expect(lossy.report.notes).toEqual([
    'The output format is lossy, so the pixels may differ slightly. Use PNG to keep them exactly.',
  ]);
});

it.each(['nearest', 'standard'] as const)('notes that GIF has no partial transparency, with %s', async (engine) => {
  const run = async (alphas: number[]) => {
    const image = makeImage({ width: 12, height: 8, channels: 4 }, (x) => [200, 40, 30, alphas[x % 4] ?? 0]);
    const made = await processFile(await encodeAs(image, 'png'), { engine, format: 'gif', scaleFactor: 1 });
    const shown = pickChannel(await decodeFile(made.result), 3).data;
    return { notes: made.report.notes, alphas: [...shown.subarray(0, 4)] };
  };
  expect(await run([0, 127, 128, 255])).toEqual({ notes: [encodeNotes.opacity], alphas: [0, 0, 255, 255] });
  expect(await run([0, 255, 0, 255])).toEqual({ notes: [], alphas: [0, 255, 0, 255] });
});

it.each([{ width: 26 }, { height: 27 }, { longSide: 52 }, { scaleFactor: 1 }] as const)(
  'accepts %o, which is a whole multiple',
  async (size) => {
    const { result } = await processFile(await encodeAs(sprite, 'png'), { engine: 'nearest', format: 'png', ...size });
    const decoded = await decodeFile(result);
    expect(maxDifference(decoded, repeat(sprite, decoded.width / sprite.width))).toBe(0);
  },
);
