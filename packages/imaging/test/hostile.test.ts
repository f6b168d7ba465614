import { readdir } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import { AppError } from '@uprez/contracts/app-error';
import { describe, expect, it } from 'vitest';
import { guardedSharp } from '../src/decoders.ts';
import { runPlan } from '../src/engine/run-plan.ts';
import { inspect } from '../src/inspect/inspect.ts';
import { encodeAs, makePhoto, makePicture, toSharp } from './pictures.ts';
import { enlargeFile, makeJobDir, planFor, runJob } from './run-job.ts';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** A well-formed PNG of any size in a few bytes; `rows` of its grey pixels are there. */
function makePng(width: number, height: number, rows = 1): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const pixels = deflateSync(Buffer.alloc(Math.min(1_000_000, (width + 1) * rows)));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

async function failure(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${error}`);
  return error;
}

/** What a person reads: a sentence of ours that ends with what it cost, and nothing of the decoder's. */
function expectSentence(error: AppError): void {
  expect(error.message).toMatch(/^[A-Z].*\. Nothing was charged\.$/);
  expect(error.message).not.toMatch(/vips|buffer|pngload|sharp/i);
}

const photo = makePhoto({ width: 120, height: 90 });

describe('inspect refuses', () => {
  const files: [string, string, () => Promise<Buffer> | Buffer][] = [
    ['empty_file', 'nothing', () => Buffer.alloc(0)],
    ['unsupported_format', 'text', () => Buffer.from('just some words')],
    ['unsupported_format', 'a libvips file', () => Buffer.from('b6a6f208', 'hex')],
    ['unsupported_format', 'a TIFF', () => toSharp(photo).tiff().toBuffer()],
    ['unsupported_format', 'a GIF', () => toSharp(photo).gif().toBuffer()],
    [
      'unsupported_format',
      'an SVG',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ['unsupported_format', 'an AVIF', () => toSharp(photo).avif({ effort: 0 }).toBuffer()],
    ['corrupt_image', 'a PNG cut in its header', async () => (await encodeAs(photo, 'png')).subarray(0, 20)],
    ['corrupt_image', 'a JPEG cut in its header', async () => (await encodeAs(photo, 'jpeg')).subarray(0, 100)],
    ['corrupt_image', 'a WebP cut in its header', async () => (await encodeAs(photo, 'webp')).subarray(0, 22)],
    ['corrupt_image', 'a PNG of no width', () => makePng(0, 10)],
    ['side_too_long', 'a wide strip', () => makePng(786_464, 32)],
    ['side_too_long', 'a tall strip', () => makePng(32, 786_464)],
    ['too_many_pixels', 'a bomb', () => makePng(30_000, 30_000)],
  ];
  it.each(files)('with %s: %s', async (code, _name, make) => {
    const error = await failure(inspect(await make()));
    expect(error.code).toBe(code);
    expectSentence(error);
  });

  it('and says what a HEIC photo needs', async () => {
    const file = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
    expect((await failure(inspect(file))).message).toContain('HEIC photo');
  });
});

describe('inspect accepts', () => {
  it('a picture at the limits', async () => {
    expect(await inspect(makePng(32_767, 3_051))).toMatchObject({ width: 32_767, height: 3_051, channels: 1 });
  });

  it('tells what a progressive JPEG, an alpha channel and a profile are', async () => {
    const progressive = await toSharp(photo).jpeg({ progressive: true }).withIccProfile('srgb').toBuffer();
    expect(await inspect(progressive)).toMatchObject({ decodesWhole: true, hasProfile: true, hasAlpha: false });
    expect(await inspect(await encodeAs(photo, 'jpeg'))).toMatchObject({ decodesWhole: false, hasProfile: false });
  });
});

describe('the engine refuses', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('a %s cut in its pixels', async (format) => {
    const file = await encodeAs(photo, format);
    const cut = file.subarray(0, Math.floor(file.length * 0.6));
    const error = await failure(inspect(cut).then(() => enlargeFile(cut)));
    expect(error.code).toBe('corrupt_image');
    expectSentence(error);
  });

  it('a PNG with a changed byte in its pixels', async () => {
    const file = await encodeAs(photo, 'png');
    file.writeUInt8(file.readUInt8(600) ^ 0xff, 600);
    expect((await failure(enlargeFile(file))).code).toBe('corrupt_image');
  });

  it('a header that promises more pixels than there are', async () => {
    expect((await failure(enlargeFile(makePng(3_000, 2_000, 5)))).code).toBe('corrupt_image');
  });

  it('another picture than the planned one', async () => {
    const plan = await planFor(await encodeAs(photo, 'png'));
    const other = await encodeAs(makePhoto({ width: 121, height: 90 }), 'png');
    expect((await failure(runJob(other, plan))).code).toBe('processing_crashed');
  });

  it('a picture over the limits, whatever the plan says, before it decodes a pixel', async () => {
    const plan = await planFor(await encodeAs(photo, 'png'));
    const start = performance.now();
    expect((await failure(runJob(makePng(786_464, 32), plan))).code).toBe('side_too_long');
    expect((await failure(runJob(makePng(30_000, 30_000), plan))).code).toBe('too_many_pixels');
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('and leaves no intermediate behind', async () => {
    const file = await encodeAs(photo, 'jpeg');
    const plan = await planFor(file);
    const { dir, remove } = await makeJobDir(file.subarray(0, Math.floor(file.length * 0.6)));
    const signal = new AbortController().signal;
    await failure(runPlan({ plan, dir, networks: {}, device: 'cpu', signal, onProgress: () => {} }));
    expect(await readdir(dir)).toEqual(['source']);
    await remove();
  });
});

describe('decoders', () => {
  it('refuse a path in a format of ours, and buffers in others', async () => {
    const { dir, remove } = await makeJobDir(await encodeAs(photo, 'png'));
    await expect(guardedSharp(`${dir}/source`).metadata()).rejects.toThrow();
    const tiff = await toSharp(photo).tiff().toBuffer();
    await expect(guardedSharp(tiff).metadata()).rejects.toThrow();
    await remove();
  });
});

describe('animations are refused by name', () => {
  const sentence = /animated/;

  it('WebP', async () => {
    const pages = [0, 120].map((blue) => makePicture({ width: 40, height: 30 }, (x) => [x, 255 - x, blue]));
    const frames = await Promise.all(pages.map((page) => encodeAs(page, 'png')));
    const file = await guardedSharp(frames, { join: { animated: true } })
      .webp({ delay: [100, 100] })
      .toBuffer();
    expect((await guardedSharp(file).metadata()).pages).toBe(2);
    await expect(inspect(file)).rejects.toMatchObject({ code: 'unsupported_format', message: sentence });
  });

  it('PNG, by its acTL chunk and not by a text that holds that word', async () => {
    const still = await encodeAs(
      makePicture({ width: 40, height: 30 }, (x) => [x, x, x]),
      'png',
    );
    const header = 8 + 25;
    const withChunk = (extra: Buffer) => Buffer.concat([still.subarray(0, header), extra, still.subarray(header)]);
    const animated = withChunk(chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])));
    await expect(inspect(animated)).rejects.toMatchObject({ code: 'unsupported_format', message: sentence });
    const talking = withChunk(chunk('tEXt', Buffer.from('Comment\0acTL', 'latin1')));
    expect(await inspect(talking)).toMatchObject({ frames: 1 });
  });
});
