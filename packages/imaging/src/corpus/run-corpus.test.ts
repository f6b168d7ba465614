import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { expect, it } from 'vitest';
import { checkInput, checkOutput } from '../pipeline/check-pipeline.ts';
import { describeUnsupported } from '../sniff/describe-unsupported.ts';
import { findMismatch } from './run-corpus.ts';

it.each(Object.keys(errorCodes) as ErrorCode[])(
  'accepts the title of %s unless operators should see the error',
  (code) => {
    const mismatch = findMismatch(code, errorCodes[code].title);
    expect(mismatch).toBe(errorCodes[code].report ? `ended in ${code}` : undefined);
  },
);

it.each([
  ['unsupported_format', describeUnsupported('HEIF')],
  ['unsupported_format', describeUnsupported('OpenEXR')],
  ['too_many_pixels', checkInput({ width: 20_000, height: 20_000, frames: 1 })?.detail],
  ['too_many_frames', checkInput({ width: 900, height: 900, frames: 900 })?.detail],
  ['output_too_large', checkOutput({ width: 20_000, height: 10, format: 'webp', frames: 1 }, 1e9)?.detail],
] as const)('accepts our own message for %s: %s', (code, sentence) => {
  expect(findMismatch(code, String(sentence))).toBeUndefined();
});

it.each([
  'VipsJpeg: premature end of JPEG image',
  'Input buffer has corrupt header: pngload_buffer: end of stream',
  'The image is damaged: pngload_buffer: libspng read error.',
  'Input image exceeds pixel limit',
  "ENOENT: no such file or directory, open '/tmp/x/source'.",
  'The file /tmp/uprez/job/source is gone.',
  "Cannot read properties of undefined (reading 'width').",
  'tiff2vips: samples_per_pixel 7 not supported.',
  'corrupt',
  '',
])('reports foreign words: %s', (sentence) => {
  expect(findMismatch('corrupt_image', sentence)).toBe('was refused in words that are not ours');
});
