import type { InputFormat } from '@uprez/contracts/picture-formats';

type Known = { name: string; readable?: InputFormat };
type Signature = Known & { offset?: number; bytes: string };

/** First bytes of file types that people upload as pictures, as Latin-1 text; the first match wins. */
const signatures: readonly Signature[] = [
  { name: 'JPEG', readable: 'jpeg', bytes: '\xff\xd8\xff' },
  { name: 'PNG', readable: 'png', bytes: '\x89PNG\r\n\x1a\n' },
  { name: 'GIF', bytes: 'GIF8' },
  { name: 'TIFF', bytes: 'II*\0' },
  { name: 'TIFF', bytes: 'MM\0*' },
  { name: 'TIFF', bytes: 'II+\0' },
  { name: 'TIFF', bytes: 'MM\0+' },
  { name: 'BMP', bytes: 'BM' },
  { name: 'PDF', bytes: '%PDF' },
  { name: 'Photoshop', bytes: '8BPS' },
  { name: 'JPEG XL', bytes: '\xff\x0a' },
  { name: 'JPEG XL', bytes: '\0\0\0\x0cJXL ' },
  { name: 'JPEG 2000', bytes: '\0\0\0\x0cjP  ' },
  { name: 'JPEG 2000', bytes: '\xff\x4f\xff\x51' },
  { name: 'icon', bytes: '\0\0\x01\0' },
  { name: 'OpenEXR', bytes: 'v/1\x01' },
  { name: 'Radiance HDR', bytes: '#?RADIANCE' },
  { name: 'ZIP', bytes: 'PK\x03\x04' },
];

/** Brands of ISO media files (`ftyp` box), by the four letters that follow it. */
const brands: Record<string, string> = {
  avif: 'AVIF',
  avis: 'AVIF',
  heic: 'HEIC',
  heix: 'HEIC',
  heim: 'HEIC',
  heis: 'HEIC',
  hevc: 'HEIC',
  hevx: 'HEIC',
  mif1: 'HEIC',
  msf1: 'HEIC',
  'crx ': 'Canon raw',
};

/** What a file is, told by its first bytes; undefined when nothing known fits. `readable`: we can decode that kind. */
export function sniffFormat(file: Uint8Array): Known | undefined {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, 512)).toString('latin1');
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return { name: 'WebP', readable: 'webp' };
  if (head.startsWith('ftyp', 4)) return { name: brandName(head) };
  const signature = signatures.find(({ bytes }) => head.startsWith(bytes));
  if (signature) return signature;
  if (/^(\xef\xbb\xbf)?\s*(<\?xml|<!--|<!doctype svg|<svg)/i.test(head) && /<svg|svg/i.test(head))
    return { name: 'SVG' };
  return undefined;
}

/** HEIC and AVIF share a generic brand; the compatible brands that follow tell them apart. */
function brandName(head: string): string {
  const boxLength = Math.min(head.length, Math.max(16, head.charCodeAt(2) * 256 + head.charCodeAt(3)));
  const compatible = head.slice(16, boxLength);
  if (compatible.includes('avif')) return 'AVIF';
  return brands[head.slice(8, 12)] ?? (/hei[cxms]|hevc/.test(compatible) ? 'HEIC' : 'video');
}
