import { describe, expect, it } from 'vitest';
import { describeUnsupported } from './describe-unsupported.ts';
import { sniffFormat } from './sniff-format.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const ftyp = (brands: string) =>
  bytes(`\0\0\0${String.fromCharCode(8 + brands.length + 4)}ftyp${brands.slice(0, 4)}\0\0\0\0${brands.slice(4)}`);

describe('sniffFormat', () => {
  it.each([
    ['\xff\xd8\xff\xe0', 'JPEG', 'jpeg'],
    ['\x89PNG\r\n\x1a\n', 'PNG', 'png'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'WebP', 'webp'],
    ['GIF89a', 'GIF', undefined],
    ['II*\0', 'TIFF', undefined],
    ['BM\x36\0', 'BMP', undefined],
    ['%PDF-1.7', 'PDF', undefined],
    ['<svg xmlns="http://www.w3.org/2000/svg">', 'SVG', undefined],
    ['\xef\xbb\xbf<?xml version="1.0"?>\n<svg/>', 'SVG', undefined],
  ])('%j is %s', (text, name, readable) => {
    expect(sniffFormat(bytes(text))).toMatchObject({ name, ...(readable ? { readable } : {}) });
    expect(sniffFormat(bytes(text))?.readable).toBe(readable);
  });

  it.each([
    ['heicmif1heic', 'HEIC'],
    ['mif1mif1heic', 'HEIC'],
    ['mif1mif1avif', 'AVIF'],
    ['avifavifmif1', 'AVIF'],
    ['isomisommp42', 'video'],
  ])('brands %s are %s', (brands, name) => {
    expect(sniffFormat(ftyp(brands))?.name).toBe(name);
  });

  it.each(['', 'hello', '\xb6\xa6\xf2\x08', 'RIFF\0\0\0\0WAVE', '\xff\xd8', '<?xml version="1.0"?><html/>'])(
    '%j is unknown',
    (text) => {
      expect(sniffFormat(bytes(text))).toBeUndefined();
    },
  );
});

describe('describeUnsupported', () => {
  it('says what the file is and what to do', () => {
    expect(describeUnsupported('HEIC')).toBe(
      "This file is a HEIC photo. Convert it to JPEG first, or set your phone's camera to Most Compatible. Nothing was charged.",
    );
    expect(describeUnsupported('GIF')).toBe(
      'This is a GIF file. Save it as JPEG, PNG or WebP first. Nothing was charged.',
    );
    expect(describeUnsupported('SVG')).toMatch(/^This is an SVG file\./);
  });
});
