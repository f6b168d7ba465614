import { thumbHashToRGBA } from 'thumbhash';
import { describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { encodeNotes } from '../../src/engine/steps/encode.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { decodeFile, encodeAs, toSharp } from '../support/image-files.ts';
import { deepen, type Image, makeImage, makePhoto, maxDifference, pickChannel, psnr } from '../support/images.ts';
import { plainBicubic } from '../support/plain-bicubic.ts';
import { processFile, toReadable } from '../support/run-job.ts';

const photo = makePhoto({ width: 90, height: 70 });
/** A disc of color on full transparency that hides black. */
const cutOut = makeImage({ width: 80, height: 80, channels: 4 }, (x, y) =>
  Math.hypot(x - 39.5, y - 39.5) < 27 ? [220, 60, 30, 255] : [0, 0, 0, 0],
);

function overlap(a: Image, b: Image): number {
  let [both, either] = [0, 0];
  a.data.forEach((value, i) => {
    const [inA, inB] = [value > 127, (b.data[i] ?? 0) > 127];
    if (inA && inB) both++;
    if (inA || inB) either++;
  });
  return both / either;
}

describe('pixels', () => {
  it('are unchanged at factor 1, including 16 bits', async () => {
    const { result } = await processFile(await encodeAs(photo, 'png'), { scaleFactor: 1 });
    expect(maxDifference(await decodeFile(result), photo)).toBe(0);
    const deep = await processFile(await toSharp(deepen(photo)).png().toBuffer(), { scaleFactor: 1, format: 'tiff' });
    const raw = await guardedSharp(deep.result).toColorspace('rgb16').raw({ depth: 'ushort' }).toBuffer();
    const words = new Uint16Array(raw.buffer, raw.byteOffset, raw.length / 2);
    expect(Buffer.compare(Buffer.from(words.buffer), Buffer.from(Uint16Array.from(deepen(photo).data).buffer))).toBe(0);
  });

  it('are those of the crop', async () => {
    const recipe = { width: 60, height: 60, fit: 'cover' } as const;
    const { result } = await processFile(await encodeAs(photo, 'png'), recipe);
    const part = { left: 10, top: 0, width: 70, height: 70 };
    const wanted = await toSharp(photo).extract(part).resize(60, 60).png().toBuffer();
    expect(psnr(await decodeFile(result), await decodeFile(wanted))).toBeGreaterThan(30);
  });

  it('have a thumbnail of at most 320 pixels and a ThumbHash of the same colors', async () => {
    const wide = makeImage({ width: 400, height: 100 }, () => [200, 60, 20]);
    const { thumbnail, report } = await processFile(await encodeAs(wide, 'png'), { scaleFactor: 1, format: 'jpeg' });
    expect(await inspect(thumbnail)).toMatchObject({ format: 'webp', width: 320, height: 80 });
    const { w, h, rgba } = thumbHashToRGBA(Buffer.from(report.thumbhash, 'base64'));
    expect(w / h).toBeGreaterThan(2);
    for (const [i, value] of [200, 60, 20].entries()) expect(Math.abs((rgba[i] ?? 0) - value)).toBeLessThan(12);
  });
});

describe('transparency', () => {
  it.each(['png', 'webp', 'avif', 'jxl', 'tiff'] as const)(
    'keeps its shape in %s and shows no dark rim',
    async (format) => {
      const { result, report } = await processFile(await encodeAs(cutOut, 'png'), { format, scaleFactor: 3 });
      const image = await decodeFile(await toReadable(result));
      expect(image.channels).toBe(4);
      const wanted = plainBicubic(pickChannel(cutOut, 3), image);
      expect(overlap(pickChannel(image, 3), wanted)).toBeGreaterThanOrEqual(0.99);
      for (let i = 0; i < image.data.length; i += 4)
        if ((image.data[i + 3] ?? 0) > 16) expect(image.data[i] ?? 0).toBeGreaterThan(190);
      expect(report.notes).toEqual([]);
    },
  );

  it.each([1, 2])('is filled with the background color in JPEG, with a note, at factor %d', async (scaleFactor) => {
    const recipe = { format: 'jpeg', background: '#10c020', scaleFactor } as const;
    const { result, report } = await processFile(await encodeAs(cutOut, 'png'), recipe);
    const { data, channels } = await decodeFile(result);
    expect(channels).toBe(3);
    for (const [i, value] of [0x10, 0xc0, 0x20].entries()) expect(Math.abs((data[i] ?? 0) - value)).toBeLessThan(6);
    expect(report.notes).toEqual([encodeNotes.flattened]);
  });

  it('that no pixel uses has no note', async () => {
    const opaque = makeImage({ width: 20, height: 20, channels: 4 }, (x, y) => [x * 9, y * 9, 50, 255]);
    const { report } = await processFile(await encodeAs(opaque, 'png'), { format: 'jpeg' });
    expect(report.notes).toEqual([]);
  });
});

describe('an image of few colors', () => {
  /** `count` colors with as many opacities, in the order of a noise. */
  const drawing = (count: number, channels: 3 | 4) =>
    makeImage({ width: 61, height: 47, channels }, (x, y) => {
      const i = (x * 31 + y * 17) % count;
      return [(i * 37) % 256, (i * 91) % 256, i, (i * 53) % 256];
    });
  it.each([
    [2, 3],
    [16, 3],
    [256, 3],
    [3, 4],
    [200, 4],
  ] as const)('writes an exact palette for %d colors and %d channels', async (count, channels) => {
    const image = drawing(count, channels);
    const file = await toSharp(image).withIccProfile('p3').png().toBuffer();
    const { result } = await processFile(file, { scaleFactor: 1 });
    const { isPalette, bitsPerSample, icc } = await guardedSharp(result).metadata();
    expect([isPalette, bitsPerSample]).toEqual([true, { 2: 1, 3: 2, 16: 4, 200: 8, 256: 8 }[count]]);
    expect(icc?.length).toBeGreaterThan(100);
    const samples = (png: Buffer) => guardedSharp(png, { ignoreIcc: true }).raw().toBuffer();
    expect((await samples(result)).equals(await samples(file))).toBe(true);
  });

  it('of 257 colors has no palette', async () => {
    const { result } = await processFile(await encodeAs(drawing(257, 4), 'png'), { scaleFactor: 1 });
    expect(await inspect(result)).toMatchObject({ isPalette: false, channels: 4 });
  });
});

describe('animations', () => {
  const size = { width: 32, height: 24 };
  const frames = [0, 1, 2].map((frame) =>
    makeImage({ ...size, channels: 4 }, (x, y) =>
      Math.hypot(x - 8 - frame * 8, y - 12) < 6 ? [250, 40 + frame * 90, 10, 255] : [0, 0, 0, 0],
    ),
  );
  const make = async (format: 'gif' | 'webp') => {
    const files = await Promise.all(frames.map((frame) => encodeAs(frame, 'png')));
    return guardedSharp(files, { join: { animated: true } })
      .toFormat(format, { lossless: true, delay: [40, 120, 200], loop: 3 })
      .toBuffer();
  };
  const matrix = (['gif', 'webp'] as const).flatMap((from) =>
    (['gif', 'webp'] as const).flatMap((to) => [0.5, 2].map((factor) => [from, to, factor] as const)),
  );
  it.each(matrix)('%s to %s at factor %d: frames, delays, loop, transparency', async (from, format, scaleFactor) => {
    const { result, report } = await processFile(await make(from), { format, scaleFactor });
    const header = await guardedSharp(result, { pages: -1 }).metadata();
    expect(header).toMatchObject({ pages: 3, width: 32 * scaleFactor, pageHeight: 24 * scaleFactor });
    expect(header).toMatchObject({ delay: [40, 120, 200], loop: 3, hasAlpha: true });
    expect(report).toMatchObject({ frames: 3, height: 24 * scaleFactor });
    const stack = await guardedSharp(result, { pages: -1 }).raw().toBuffer({ resolveWithObject: true });
    for (const frame of [0, 1, 2]) {
      const at = (x: number, y: number) => {
        const [column, row] = [x * scaleFactor, (frame * 24 + y) * scaleFactor].map(Math.floor);
        const from = ((row ?? 0) * stack.info.width + (column ?? 0)) * 4;
        return [...stack.data.subarray(from, from + 4)];
      };
      const [red = 0, green = 0, , alpha] = at(8 + frame * 8, 12);
      expect([red > 230, Math.abs(green - 40 - frame * 90) < 12, (alpha ?? 0) > 250, at(31, 1)[3]]).toEqual([
        true,
        true,
        true,
        0,
      ]);
    }
  });

  it('become their first frame in PNG, with a note', async () => {
    const { result, report } = await processFile(await make('gif'), { format: 'png' });
    expect(await inspect(result)).toMatchObject({ frames: 1, width: 64, height: 48 });
    expect(report.notes.join()).toContain('first frame');
  });

  it('of a photo lose colors in GIF, with a note', async () => {
    const { report } = await processFile(await encodeAs(photo, 'png'), { format: 'gif' });
    expect(report.notes).toEqual([encodeNotes.palette]);
  });
});
