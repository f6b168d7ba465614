import { expect, it } from 'vitest';
import { chroma, chromaticities, cicp, flatBmp, flatPng, gama, srgbChunk } from '../../test/support/color-files.ts';
import { guardedSharp } from '../decoders.ts';
import { decodeBmp } from '../engine/steps/decode-bmp.ts';
import { makeSrgbConverter, toPlainFile } from './plain-file.ts';
import { readBmpColor } from './read-bmp-color.ts';
import { listPngChunks } from './read-png-color.ts';

const brown = [200, 80, 60];
const toBytes = (file: Buffer) => Uint8Array.from(file);

it.each([
  ['linear light', [229, 152, 133], [gama(100_000)]],
  ['Display P3', [216, 69, 50], [cicp(12, 13), srgbChunk]],
  ['Adobe RGB', [230, 79, 56], [gama(45_455), chromaticities(...chroma.adobe)]],
  ['a tiny gamma', brown, [gama(1)]],
])('a PNG with %s is read without its description', async (_title, wanted, chunks) => {
  const plain = toPlainFile(toBytes(flatPng(brown, chunks)));
  if (!plain) throw new Error('the file is left as it is');
  expect(listPngChunks(plain.file).map(({ name }) => name)).toEqual(['IHDR']);
  const samples = await guardedSharp(Buffer.from(plain.file)).raw().toBuffer();
  expect([...samples.subarray(0, 3)]).toEqual(brown);
  makeSrgbConverter(plain.encoding, 3)?.(samples);
  for (const [i, value] of wanted.entries()) expect(Math.abs((samples[i] ?? 0) - value)).toBeLessThanOrEqual(2);
});

it('a BMP is read without its description', () => {
  const plain = toPlainFile(toBytes(flatBmp(brown, { gamma: [1, 1, 1] })));
  if (!plain) throw new Error('the file is left as it is');
  expect(readBmpColor(plain.file)).toEqual({ kind: 'srgb' });
  const { data } = decodeBmp(Buffer.from(plain.file));
  makeSrgbConverter(plain.encoding, 3)?.(data);
  expect([...data.subarray(0, 3)]).toEqual([229, 152, 133]);
});

it.each([
  ['without a description', flatPng(brown, [])],
  ['of 16 bits', flatPng([1, 2, 3], [gama(100_000)], { bits: 16 })],
  ['that is no PNG or BMP', Buffer.from('GIF89a')],
])('a file %s is left as it is', (_title, file) => {
  expect(toPlainFile(toBytes(file))).toBeUndefined();
});
