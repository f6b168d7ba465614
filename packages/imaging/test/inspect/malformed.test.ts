import { AppError } from '@uprez/contracts/errors/app-error';
import { isFullRun } from '@uprez/testing/config';
import { beforeAll, describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { keepJxlWorker } from '../../src/engine/jxl/open-jxl-worker.ts';
import { decode } from '../../src/engine/steps/decode.ts';
import { makeBmpFile } from '../hostile/bmp-file.ts';
import { corruptions, truncations } from '../hostile/damage.ts';
import { heicFixture, makeGrid } from '../hostile/heif-file.ts';
import { jxlFixture } from '../hostile/jxl-file.ts';
import { insertChunks, pngChunk } from '../hostile/png-file.ts';
import { decodeImage } from '../support/decode-image.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { makeImage, makePhoto, maxDifference } from '../support/images.ts';
import { pipelineFor, processFile } from '../support/run-job.ts';

// A thread for each of the copies would take most of the time.
beforeAll(() => keepJxlWorker(1));

const copies = isFullRun ? 800 : 24;
const photo = makePhoto({ width: 48, height: 32 });
const noise = makeImage({ width: 48, height: 32 }, (x, y) =>
  [0, 1, 2].map((k) => (x * 7919 + y * 104_729 + k * 31) % 256),
);

const files: Record<string, () => Promise<Buffer>> = {
  jpeg: () => encodeAs(noise, 'jpeg'),
  'progressive jpeg': () => toSharp(noise).jpeg({ progressive: true }).withIccProfile('srgb').toBuffer(),
  'cmyk jpeg': () => toSharp(noise).toColorspace('cmyk').jpeg().toBuffer(),
  png: () => encodeAs(noise, 'png'),
  'interlaced png': () => toSharp(noise).png({ progressive: true }).toBuffer(),
  'palette png': () => toSharp(noise).png({ palette: true }).toBuffer(),
  webp: () => toSharp(noise).webp().toBuffer(),
  'lossless webp': () => encodeAs(noise, 'webp'),
  'animated webp': async () => joined([photo, noise], 'webp'),
  gif: () => toSharp(noise).gif().toBuffer(),
  'animated gif': async () => joined([photo, noise], 'gif'),
  tiff: () => toSharp(noise).tiff({ compression: 'lzw' }).toBuffer(),
  'jpeg tiff in tiles': () => toSharp(noise).tiff({ tile: true, tileWidth: 16, tileHeight: 16 }).toBuffer(),
  bmp: async () => makeBmpFile(noise, { bits: 24 }, ([r = 0, g = 0, b = 0]) => (r << 16) | (g << 8) | b),
  avif: () => toSharp(noise).avif({ effort: 0 }).toBuffer(),
  jxl: async () => jxlFixture('lossy'),
  heic: async () => heicFixture('photo'),
  'heic with transparency': async () => heicFixture('alpha'),
  'heic grid': async () => makeGrid({ columns: 2, rows: 2, width: 100, height: 100 }),
};

async function joined(images: (typeof photo)[], format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(images.map((image) => encodeAs(image, 'png')));
  return guardedSharp(frames, { join: { animated: true } })
    .toFormat(format, { delay: [50, 50] })
    .toBuffer();
}

/** What became of a file: `accepted`, or the code of a rejection that a person can read. Anything else is an error. */
async function verdict(file: Buffer): Promise<string> {
  try {
    await decodeImage(file, { format: 'webp', width: 40, height: 40, fit: 'inside' });
    return 'accepted';
  } catch (error) {
    // `makePipeline` rejects images that are too large, which these tests do not mean.
    if (error instanceof Error && !(error instanceof AppError) && /The result would be|limit/.test(error.message))
      return 'rejected';
    if (!(error instanceof AppError)) throw error;
    expect(error.message).toMatch(/^[A-Z].*\.$/);
    expect(error.message).not.toMatch(/vips|buffer|sharp|lib(png|jpeg|tiff|heif)/i);
    return error.code;
  }
}
const rejections = [
  'corrupt_image',
  'unsupported_format',
  'empty_file',
  'side_too_long',
  'too_many_pixels',
  'too_many_frames',
  'image_too_complex',
  'rejected',
];

describe.each(Object.keys(files))('a %s', (name) => {
  const make = files[name] as () => Promise<Buffer>;

  it('that is complete is accepted', async () => {
    expect(await verdict(await make())).toBe('accepted');
  });

  it('that is truncated is rejected', async () => {
    const verdicts = await Promise.all(truncations(await make()).map(verdict));
    for (const [tenth, one] of verdicts.entries()) {
      // A decoder may have all rows before the last bytes: the end mark, a checksum, metadata.
      if (tenth < 8) expect(['corrupt_image', 'unsupported_format'], `${tenth + 1}/11: ${one}`).toContain(one);
      else expect([...rejections, 'accepted']).toContain(one);
    }
  });

  it('with changed bytes is accepted or rejected without a crash', async () => {
    for (const file of corruptions(await make(), { seed: name.length * 7 + 1, count: copies }))
      expect([...rejections, 'accepted']).toContain(await verdict(file));
  });
});

describe('a JPEG with an error that viewers ignore', () => {
  const at = (file: Buffer, ...marker: number[]) => file.indexOf(Buffer.from([0xff, ...marker]));
  const defects: Record<string, (file: Buffer) => Buffer> = {
    'loose bytes between its segments': (file) => {
      const start = at(file, 0xda);
      return Buffer.concat([file.subarray(0, start), Buffer.from([0, 1, 2]), file.subarray(start)]);
    },
    'impossible scan parameters': (file) => {
      const start = at(file, 0xda);
      file.fill(0, start + 5 + (file[start + 4] ?? 0) * 2, start + 8 + (file[start + 4] ?? 0) * 2);
      return file;
    },
  };
  it.each(Object.keys(defects))('is repaired: %s', async (name) => {
    const whole = await encodeAs(photo, 'jpeg');
    const defective = (defects[name] as (file: Buffer) => Buffer)(Buffer.from(whole));
    await expect(guardedSharp(defective, { failOn: 'warning' }).raw().toBuffer()).rejects.toThrow();
    const { image } = await decodeImage(defective);
    expect(maxDifference(image, (await decodeImage(whole)).image)).toBe(0);
    expect(await verdict(defective.subarray(0, defective.length * 0.7))).toBe('corrupt_image');
  });
});

describe('a full disk', () => {
  it('is not reported as corrupt_image', async () => {
    const file = await encodeAs(photo, 'png');
    const failure = await decode(file, await pipelineFor(file), '/nonexistent/decoded.v').catch((reason) => reason);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(AppError);
  });
});

describe('a wrong signature', () => {
  it.each(Object.keys(files))('of a %s is rejected', async (name) => {
    const file = await (files[name] as () => Promise<Buffer>)();
    file.fill(0x20, 0, 12);
    expect(await verdict(file)).toBe('unsupported_format');
  });
});

const secret = '<script>alert("passenger-8c1f")</script>';
const passenger = Buffer.from(`PK\x03\x04${secret}%PDF-1.7`, 'latin1');

describe('a polyglot file', () => {
  const outputs = ['png', 'jpeg', 'webp'] as const;
  const stowaways: Record<string, () => Promise<Buffer>> = {
    ...Object.fromEntries(
      Object.entries(files).map(([name, make]) => [
        `${name} with a tail`,
        async () => Buffer.concat([await make(), passenger]),
      ]),
    ),
    'png with a text': async () =>
      insertChunks(await encodeAs(photo, 'png'), [
        pngChunk('tEXt', Buffer.from(`Comment\0${secret}`)),
        pngChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${secret}`)),
        pngChunk('heLo', passenger),
      ]),
    'jpeg with a comment': async () => {
      const file = await encodeAs(photo, 'jpeg');
      const length = passenger.length + 2;
      const comment = Buffer.concat([Buffer.from([0xff, 0xfe, length >> 8, length & 255]), passenger]);
      return Buffer.concat([file.subarray(0, 2), comment, file.subarray(2)]);
    },
    'gif with a comment': async () => {
      const file = await toSharp(photo).gif().toBuffer();
      const start = 13 + 3 * 2 ** (((file[10] ?? 0) & 7) + 1);
      const comment = Buffer.concat([Buffer.from([0x21, 0xfe, passenger.length]), passenger, Buffer.from([0])]);
      return Buffer.concat([file.subarray(0, start), comment, file.subarray(start)]);
    },
    'jpeg with EXIF': () =>
      toSharp(photo)
        .withExif({ IFD0: { ImageDescription: secret, Copyright: secret } })
        .jpeg()
        .toBuffer(),
  };
  it.each(Object.keys(stowaways))('%s is decoded by its signature, without the other content', async (name) => {
    const file = await (stowaways[name] as () => Promise<Buffer>)();
    expect(file.includes('passenger-8c1f')).toBe(true);
    for (const format of outputs) {
      const { result, thumbnail } = await processFile(file, { format, scaleFactor: 1.5 });
      expect(result.includes('passenger-8c1f')).toBe(false);
      expect(thumbnail.includes('passenger-8c1f')).toBe(false);
    }
  });
});
