import { readFile } from 'node:fs/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { makeTiffFile, type TiffFile } from '../hostile/tiff-file.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { makeJobDir } from '../support/run-job.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const photo = makePhoto({ width: 60, height: 44 });
const tiff = (changes: Partial<TiffFile>) =>
  makeTiffFile({
    ...{ width: 2, height: 1, photometric: 1, samples: 1, bits: 8, data: new Uint8Array(64) },
    ...changes,
  });

/** What a person reads: a sentence of ours that ends with what it cost, and nothing of the decoder's. */
export function expectSentence(error: unknown): asserts error is AppError {
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${error}`);
  const { message } = error;
  expect(message).toMatch(/^[A-Z].*\.$/);
  expect(message).not.toMatch(/vips|buffer|\bload|sharp|lib(png|jpeg|tiff|heif)/i);
}

const refused = (file: Buffer) => inspect(file).catch((reason) => reason);

describe('an unsupported file is rejected with its type', () => {
  it.each([
    ['HEIC animation', bytes('\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08moov')],
    ['camera raw', bytes('II*\0\x10\0\0\0CR\x02\0')],
    ['camera raw', bytes('\0\0\0\x18ftypcrx \0\0\0\x01crx isom')],
    ['camera raw', bytes('FUJIFILMCCD-RAW 0201')],
    ['camera raw', tiff({ photometric: 32_803, bits: 16 })],
    ['camera raw', tiff({ entries: [[50_706, 1, [1]]] })],
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['PDF', bytes('%PDF-1.7\n')],
    ['JPEG 2000', bytes('\0\0\0\x0cjP  \r\n\x87\n')],
    ['Photoshop', bytes('8BPS\0\x01')],
    ['icon', bytes('\0\0\x01\0\x01\0')],
    ['OpenEXR', bytes('v/1\x01\x02')],
    ['Radiance HDR', bytes('#?RADIANCE\n')],
    ['PPM', bytes('P6 1 1 255 abc')],
    ['video', bytes('\0\0\0\x18ftypisom\0\0\0\0mp42isom')],
    ['ZIP', bytes('PK\x03\x04\x14\0')],
    ['AVIF animation', bytes('\0\0\0\x18ftypavis\0\0\0\0avismsf1\0\0\0\x08moov')],
  ])('%s', async (name, file) => {
    const error = await refused(file);
    expectSentence(error);
    expect(error).toMatchObject({ code: 'unsupported_format', message: expect.stringContaining(name) });
  });

  it('including raw files with a preview', async () => {
    const preview = tiff({ photometric: 2, samples: 3, entries: [[330, 4, [0]]] });
    const sensor = makeTiffFile({
      width: 4,
      height: 4,
      photometric: 32_803,
      samples: 1,
      bits: 16,
      data: new Uint8Array(32),
    });
    const file = Buffer.concat([preview, sensor]);
    const at = preview.length + sensor.readUInt32LE(4);
    // The one entry of tag 330 points to the directory of the second file.
    const entry = file.indexOf(Buffer.from([0x4a, 1, 4, 0, 1, 0, 0, 0]));
    file.writeUInt32LE(at, entry + 8);
    expect(await refused(file)).toMatchObject({ message: expect.stringContaining('camera raw') });
  });

  it.each([
    ['text', bytes('just some words')],
    ['HTML', bytes('<?xml version="1.0"?><html/>')],
    ["libvips' own", Buffer.concat([Buffer.from('b6a6f208', 'hex'), Buffer.alloc(999)])],
  ])('or as an unknown type: %s', async (_name, file) => {
    const error = await refused(file);
    expectSentence(error);
    expect(error.code).toBe('unsupported_format');
  });

  it('and an empty file as empty_file', async () => {
    expect(await refused(Buffer.alloc(0))).toMatchObject({ code: 'empty_file' });
  });
});

describe('a TIFF with measurement data is rejected', () => {
  it.each([
    ['floating point', tiff({ bits: 32, photometric: 2, samples: 3, entries: [[339, 3, [3, 3, 3]]] })],
    ['32 bits', tiff({ bits: 32 })],
    ['12 bits', tiff({ bits: 12 })],
    ['signed numbers', tiff({ bits: 16, entries: [[339, 3, [2]]] })],
    ['ICC Lab', tiff({ photometric: 9, samples: 3 })],
    ['five inks', tiff({ photometric: 5, samples: 7 })],
    ['plain YCbCr', tiff({ photometric: 6, samples: 3 })],
  ])('%s', async (_name, file) => {
    const error = await refused(file);
    expectSentence(error);
    expect(error).toMatchObject({ code: 'unsupported_format', message: expect.stringContaining('8 or 16 bits') });
  });
});

describe('decoders', () => {
  it('open no other format', async () => {
    const others = [
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj',
      'P6 1 1 255 abc',
      '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\nabcd',
      'v/1\x01\x02\0\0\0',
      'SIMPLE  =                    T',
    ];
    for (const other of others) await expect(guardedSharp(bytes(other)).metadata(), other).rejects.toThrow();
    const { dir, remove } = await makeJobDir(Buffer.alloc(0));
    await toSharp(photo).toFile(`${dir}/own.v`);
    const own = await readFile(`${dir}/own.v`);
    await expect(guardedSharp(own).metadata()).rejects.toThrow();
    await remove();
  });

  it.each(['jpeg', 'png', 'webp'] as const)('open no %s by path', async (format) => {
    const { dir, remove } = await makeJobDir(await encodeAs(photo, format));
    await expect(guardedSharp(`${dir}/source`).metadata()).rejects.toThrow();
    await remove();
  });
});
