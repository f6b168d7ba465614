import { describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { decodeImage } from '../support/decode-image.ts';
import { encodeAs } from '../support/image-files.ts';
import { type Image, makeImage, maxDifference, psnr } from '../support/images.ts';

const size = { width: 48, height: 36 };
const frames = [0, 1, 2, 3].map((frame) =>
  makeImage(size, (x, y) => (Math.hypot(x - 10 - frame * 8, y - 18) < 8 ? [250, 240, 10] : [30, 60, 90 + frame * 40])),
);
const delays = [40, 120, 200, 60];

async function animate(format: 'gif' | 'webp'): Promise<Buffer> {
  const files = await Promise.all(frames.map((frame) => encodeAs(frame, 'png')));
  return guardedSharp(files, { join: { animated: true } })
    .toFormat(format, { lossless: true, delay: delays, loop: 3 })
    .toBuffer();
}

/** The colors of one frame out of a stack. */
const frameOf = ({ data, channels }: Image, { width, height }: typeof size, frame: number) =>
  makeImage({ width, height }, (x, y) => {
    const at = ((frame * height + y) * width + x) * channels;
    return [...data.subarray(at, at + 3)];
  });

describe.each(['gif', 'webp'] as const)('an animated %s', (format) => {
  it('is inspected and decoded with all frames and delays', async () => {
    const file = await animate(format);
    expect(await inspect(file)).toMatchObject({ format, ...size, frames: 4, decodesWhole: true });
    const { image, animation, notes, header } = await decodeImage(file, { format: 'webp' });
    expect({ animation, notes }).toEqual({ animation: { delays, loop: 3 }, notes: [] });
    expect(header.pageHeight).toBe(36);
    expect(image).toMatchObject({ width: 48, height: 144 });
    for (const [i, frame] of frames.entries())
      expect(maxDifference(frameOf(image, size, i), frame)).toBeLessThanOrEqual(format === 'gif' ? 8 : 0);
  });

  it('is cropped and shrunk frame by frame', async () => {
    const recipe = { format: 'webp', width: 18, height: 18, fit: 'cover' } as const;
    const { image, pipeline } = await decodeImage(await animate(format), recipe);
    expect(pipeline.crop).toEqual({ left: 6, top: 0, width: 36, height: 36 });
    expect(image).toMatchObject({ width: 18, height: 72 });
    for (const [i, frame] of frames.entries()) {
      const wanted = makeImage({ width: 18, height: 18 }, (x, y) =>
        [0, 1, 2].map((c) => {
          const at = (u: number, v: number) => frame.data[((y * 2 + v) * 48 + 6 + x * 2 + u) * 3 + c] ?? 0;
          return (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4;
        }),
      );
      expect(psnr(frameOf(image, { width: 18, height: 18 }, i), wanted)).toBeGreaterThan(22);
    }
  });

  it('does not blend adjacent frames when shrinking', async () => {
    const bands = [0, 1, 2].map((frame) =>
      makeImage(size, (_, y) => (y < 12 ? [250, frame * 80, 0] : y < 24 ? [9, 9, 9] : [0, 200, 250])),
    );
    const files = await Promise.all(bands.map((band) => encodeAs(band, 'png')));
    const file = await guardedSharp(files, { join: { animated: true } })
      .toFormat(format, { lossless: true, delay: delays.slice(0, 3) })
      .toBuffer();
    const { image, header, animation } = await decodeImage(file, { format: 'webp', width: 16 });
    expect(animation?.delays).toEqual(delays.slice(0, 3));
    expect(header).toMatchObject({ pages: 3, pageHeight: 12 });
    for (const [i, band] of bands.entries()) {
      const alone = await decodeImage(await encodeAs(band, 'png'), { width: 16 });
      const frame = frameOf(image, { width: 16, height: 12 }, i);
      expect(maxDifference(frame, alone.image)).toBeLessThanOrEqual(format === 'gif' ? 8 : 1);
    }
  });

  it('becomes its first frame, with a note, when the output supports only one', async () => {
    const { image, animation, notes } = await decodeImage(await animate(format), { format: 'png' });
    expect({ animation, notes }).toEqual({
      animation: null,
      notes: ['Only the first frame of the animation was processed.'],
    });
    expect(maxDifference(frameOf(image, size, 0), frames[0] as Image)).toBeLessThanOrEqual(format === 'gif' ? 8 : 0);
  });
});

describe('an animation with an EXIF orientation', () => {
  it('is not rotated', async () => {
    const files = await Promise.all(frames.map((frame) => encodeAs(frame, 'png')));
    const file = await guardedSharp(files, { join: { animated: true } })
      .withMetadata({ orientation: 6 })
      .webp({ lossless: true, delay: delays })
      .toBuffer();
    expect((await guardedSharp(file).metadata()).orientation).toBe(6);
    expect(await inspect(file)).toMatchObject({ ...size, orientation: 1, frames: 4 });
    for (const [format, height] of [
      ['webp', 144],
      ['png', 36],
    ] as const) {
      const { image } = await decodeImage(file, { format });
      expect(image).toMatchObject({ width: 48, height });
      expect(psnr(frameOf(image, size, 0), frames[0] as Image)).toBeGreaterThan(40);
    }
  });
});

describe('a GIF that draws over its frames', () => {
  /** Two frames of 4x4 in two colors and a transparent one: all red, then one blue pixel drawn over it. */
  const file = Buffer.concat([
    Buffer.from('GIF89a\x04\0\x04\0\x81\0\0', 'latin1'),
    Buffer.from([255, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0, 0]),
    Buffer.from([0x21, 0xf9, 4, 0, 5, 0, 0, 0, 0x2c, 0, 0, 0, 0, 4, 0, 4, 0, 0, 2]),
    ...lzw(Array<number>(16).fill(0)),
    Buffer.from([0x21, 0xf9, 4, 0, 9, 0, 0, 0, 0x2c, 2, 0, 1, 0, 1, 0, 1, 0, 0, 2]),
    ...lzw([1]),
    Buffer.from([0x3b]),
  ]);
  it('decodes each frame as viewers do', async () => {
    const { image, animation } = await decodeImage(file, { format: 'webp' });
    expect(animation?.delays).toEqual([50, 90]);
    const wanted = makeImage({ width: 4, height: 8 }, (x, y) => (y === 5 && x === 2 ? [0, 0, 255] : [255, 0, 0]));
    expect(maxDifference(frameOf(image, { width: 4, height: 8 }, 0), wanted)).toBe(0);
  });
});

/** Data sub-blocks of a GIF whose codes never grow: a clear code before each two samples, three bits a code. */
function lzw(samples: number[]): Buffer[] {
  const [clear, end] = [4, 5];
  const codes = [...samples.flatMap((sample, i) => (i % 2 === 0 ? [clear, sample] : [sample])), end];
  const bits = codes.flatMap((code) => [code & 1, (code >> 1) & 1, code >> 2]);
  const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, i) =>
    bits.slice(i * 8, i * 8 + 8).reduce((byte, bit, k) => byte | (bit << k), 0),
  );
  return [Buffer.from([bytes.length, ...bytes, 0])];
}
