import { describe, expect, it } from 'vitest';
import { limits } from '../policy/limits.ts';
import { fitsMask, parseBase64Mask, parseMask, readMaskSize } from './mask.ts';

/** The header of a PNG of 300 x 200 pixels, with `interlace` as its interlace method. */
const makePng = (interlace = 0, length = 60) => {
  const file = new Uint8Array(length);
  file.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  file.set([0, 0, 1, 44, 0, 0, 0, 200, 8, 0, 0, 0, interlace], 16);
  return file;
};
const base64 = Buffer.from(makePng()).toString('base64');

describe('parseMask', () => {
  it('returns a PNG as base64', () => {
    expect(parseMask(makePng())).toBe(base64);
    expect(readMaskSize(base64)).toEqual({ width: 300, height: 200 });
    expect(parseMask(makePng(0, limits.maskBytes))).toHaveLength(4 * Math.ceil(limits.maskBytes / 3));
  });
  it.each([
    ['another format', new TextEncoder().encode('GIF89a'.repeat(10)), "must be a PNG that isn't interlaced."],
    ['a cut header', makePng().subarray(0, 28), "must be a PNG that isn't interlaced."],
    ['an interlaced PNG', makePng(1), "must be a PNG that isn't interlaced."],
    ['a large file', makePng(0, limits.maskBytes + 1), 'is too large. The maximum is 32 KB. Use a smaller PNG.'],
  ])('rejects %s', (_, file, reason) => {
    expect(() => parseMask(file)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', param: 'mask', message: `"mask" ${reason}` }),
    );
  });
});

describe('parseBase64Mask', () => {
  it('accepts base64 with and without the prefix of a data URL', () => {
    expect(parseBase64Mask(base64)).toBe(base64);
    expect(parseBase64Mask(` data:image/png;base64,${base64}\n`)).toBe(base64);
  });
  it.each([
    ['', 'must be a PNG in base64.'],
    ['white', 'must be a PNG in base64.'],
    [`${base64}!!!!`, 'must be a PNG in base64.'],
    ['AAAA'.repeat(12_000), 'is too large. The maximum is 32 KB. Use a smaller PNG.'],
  ])('rejects other text', (text, reason) => {
    expect(() => parseBase64Mask(text)).toThrow(`"mask" ${reason}`);
  });
});

it.each([
  [{ width: 300, height: 200 }, true],
  [{ width: 150, height: 100 }, true],
  // 300 x 200 reduced to 100 pixels: 66.7 is rounded.
  [{ width: 100, height: 67 }, true],
  [{ width: 100, height: 65 }, false],
  [{ width: 200, height: 300 }, false],
  [{ width: 100, height: 70 }, false],
  [{ width: 600, height: 400 }, false],
])('decides whether a mask of %j fits an image of 300 x 200 pixels: %s', (mask, fits) => {
  expect(fitsMask(mask, { width: 300, height: 200 })).toBe(fits);
});
