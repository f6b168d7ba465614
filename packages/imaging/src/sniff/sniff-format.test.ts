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
    ['GIF89a', 'GIF', 'gif'],
    ['GIF87a', 'GIF', 'gif'],
    ['II*\0', 'TIFF', 'tiff'],
    ['MM\0+', 'TIFF', 'tiff'],
    ['BM\x36\0', 'BMP', 'bmp'],
    ['II*\0\x10\0\0\0CR\x02', 'camera raw', undefined],
    ['\0\0\x01\0\x01\0', 'icon', undefined],
    ['8BPS\0\x01', 'Photoshop', undefined],
    ['\xff\x0a', 'JPEG XL', 'jxl'],
    ['P6\n3 2', 'PPM', undefined],
    ['\0\0\x02 and pixels TRUEVISION-XFILE.\0', 'TGA', undefined],
    ['%PDF-1.7', 'PDF', undefined],
    ['<svg xmlns="http://www.w3.org/2000/svg">', 'SVG', undefined],
    ['\xef\xbb\xbf<?xml version="1.0"?>\n<svg/>', 'SVG', undefined],
  ])('detects %j as %s', (text, name, readable) => {
    expect(sniffFormat(bytes(text))).toMatchObject({ name, ...(readable ? { readable } : {}) });
    expect(sniffFormat(bytes(text))?.readable).toBe(readable);
  });

  it.each([
    ['heicmif1heic', 'HEIC'],
    ['mif1mif1heic', 'HEIC'],
    ['mif1mif1avif', 'AVIF'],
    ['avifavifmif1', 'AVIF'],
    ['avisavismsf1', 'AVIF'],
    ['crx crx isom', 'camera raw'],
    ['isomisommp42', 'video'],
  ])('detects the brands %s as %s', (brands, name) => {
    const readable = { AVIF: 'avif', HEIC: 'heic' }[name];
    expect(sniffFormat(ftyp(brands))).toEqual(readable ? { name, readable } : { name });
  });

  it.each(['', 'hello', '\xb6\xa6\xf2\x08', 'RIFF\0\0\0\0WAVE', '\xff\xd8', '<?xml version="1.0"?><html/>'])(
    'returns undefined for %j',
    (text) => {
      expect(sniffFormat(bytes(text))).toBeUndefined();
    },
  );
});

describe('describeUnsupported', () => {
  it('returns the file type and advice', () => {
    expect(describeUnsupported('HEIF')).toBe(
      "This is a HEIF file whose compression or structure isn't supported. Save it as JPEG, PNG, or WebP first.",
    );
    expect(describeUnsupported('Photoshop')).toBe('This is a Photoshop file. Save it as JPEG, PNG, or WebP first.');
    expect(describeUnsupported('icon')).toMatch(/^This is an icon file\./);
    expect(describeUnsupported('SVG')).toBe('This is an SVG file. Export it as PNG in the size you need.');
    expect(describeUnsupported('camera raw')).toBe(
      'This is a camera raw file. Export it as JPEG or TIFF from your photo software first.',
    );
  });
});
