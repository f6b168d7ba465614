import type { InputFormat } from '@uprez/contracts/policy/images/image-formats';

/** `readable`: the format, if it can be decoded. */
type SniffedFormat = { name: string; readable?: InputFormat };

/** Signatures of file types that are uploaded as images, as Latin-1 strings. The first match wins. */
const signatures: readonly (SniffedFormat & { bytes: string })[] = [
  { name: 'JPEG-LS', bytes: '\xff\xd8\xff\xf7' },
  { name: 'JPEG', readable: 'jpeg', bytes: '\xff\xd8\xff' },
  { name: 'PNG', readable: 'png', bytes: '\x89PNG\r\n\x1a\n' },
  { name: 'GIF', readable: 'gif', bytes: 'GIF87a' },
  { name: 'GIF', readable: 'gif', bytes: 'GIF89a' },
  { name: 'camera raw', bytes: 'II*\0\x10\0\0\0CR' },
  { name: 'TIFF', readable: 'tiff', bytes: 'II*\0' },
  { name: 'TIFF', readable: 'tiff', bytes: 'MM\0*' },
  { name: 'TIFF', readable: 'tiff', bytes: 'II+\0' },
  { name: 'TIFF', readable: 'tiff', bytes: 'MM\0+' },
  { name: 'BMP', readable: 'bmp', bytes: 'BM' },
  ...['FUJIFILMCCD-RAW', 'IIRO', 'IIRS', 'MMOR', 'IIU\0', 'FOVb'].map((bytes) => ({ name: 'camera raw', bytes })),
  { name: 'PDF', bytes: '%PDF' },
  { name: 'PostScript', bytes: '%!PS' },
  { name: 'Photoshop', bytes: '8BPS' },
  { name: 'GIMP', bytes: 'gimp xcf' },
  { name: 'JPEG XL', readable: 'jxl', bytes: '\xff\x0a' },
  { name: 'JPEG XL', readable: 'jxl', bytes: '\0\0\0\x0cJXL ' },
  { name: 'JPEG 2000', bytes: '\0\0\0\x0cjP  ' },
  { name: 'JPEG 2000', bytes: '\xff\x4f\xff\x51' },
  { name: 'icon', bytes: '\0\0\x01\0' },
  { name: 'icon', bytes: '\0\0\x02\0' },
  { name: 'OpenEXR', bytes: 'v/1\x01' },
  { name: 'Radiance HDR', bytes: '#?RADIANCE' },
  { name: 'Radiance HDR', bytes: '#?RGBE' },
  { name: 'QOI', bytes: 'qoif' },
  { name: 'DirectDraw', bytes: 'DDS ' },
  { name: 'FITS', bytes: 'SIMPLE  =' },
  { name: 'DjVu', bytes: 'AT&TFORM' },
  { name: 'ZIP', bytes: 'PK\x03\x04' },
];

export const sniffedBytes = 512;
const tgaFooter = 'TRUEVISION-XFILE.\0';

const heic: SniffedFormat = { name: 'HEIC', readable: 'heic' };
/** File types by the major brand of an ISO media file (`ftyp` box). */
const formatsByBrand: Record<string, SniffedFormat> = {
  avif: { name: 'AVIF', readable: 'avif' },
  avis: { name: 'AVIF', readable: 'avif' },
  ...Object.fromEntries(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'].map((id) => [id, heic])),
  'crx ': { name: 'camera raw' },
};

/** Detects the type of a file by its content. Returns undefined for unknown types. */
export function sniffFormat(file: Uint8Array): SniffedFormat | undefined {
  const head = String.fromCharCode(...file.subarray(0, sniffedBytes));
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return { name: 'WebP', readable: 'webp' };
  if (head.startsWith('ftyp', 4)) return formatOfBrands(head);
  const signature = signatures.find(({ bytes }) => head.startsWith(bytes));
  if (signature) return signature;
  if (/^P[1-7][\s#]/.test(head)) return { name: 'PPM' };
  if (/^(\xef\xbb\xbf)?\s*(<\?xml|<!--|<!doctype svg|<svg)/i.test(head) && /<svg|svg/i.test(head))
    return { name: 'SVG' };
  // TGA files have no signature, but since version 2 they have a footer.
  return file.subarray(-tgaFooter.length).every((byte, i) => byte === tgaFooter.charCodeAt(i)) &&
    file.length > tgaFooter.length
    ? { name: 'TGA' }
    : undefined;
}

/** HEIC and AVIF share generic major brands, so the compatible brands distinguish them. */
function formatOfBrands(head: string): SniffedFormat {
  const boxLength = Math.min(head.length, Math.max(16, head.charCodeAt(2) * 256 + head.charCodeAt(3)));
  const compatible = head.slice(16, boxLength);
  if (/avif|avis/.test(compatible)) return { name: 'AVIF', readable: 'avif' };
  return formatsByBrand[head.slice(8, 12)] ?? (/hei[cxms]|hevc/.test(compatible) ? heic : { name: 'video' });
}
