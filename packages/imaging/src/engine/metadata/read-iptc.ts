import type { XmpName, XmpTexts } from './write-xmp.ts';

/** XMP properties by data set of record 2 of IPTC IIM 4.2 (IPTC Photo Metadata mapping). */
const properties: Record<number, XmpName> = {
  5: 'dc:title',
  25: 'dc:subject',
  40: 'photoshop:Instructions',
  80: 'dc:creator',
  85: 'photoshop:AuthorsPosition',
  90: 'photoshop:City',
  92: 'Iptc4xmpCore:Location',
  95: 'photoshop:State',
  100: 'Iptc4xmpCore:CountryCode',
  101: 'photoshop:Country',
  105: 'photoshop:Headline',
  110: 'photoshop:Credit',
  115: 'photoshop:Source',
  116: 'dc:rights',
  120: 'dc:description',
};
const marker = 0x1c;
const photoshopName = Buffer.from('Photoshop 3.0\0', 'latin1');
const iptcResource = 0x0404;

/** Parse the texts of an IPTC block, bare or in Photoshop resources as in JPEG files. Parsing ends at malformed data. */
export function readIptc(block: Buffer): XmpTexts {
  const iim = block.subarray(0, photoshopName.length).equals(photoshopName) ? findIptc(block) : block;
  const texts: XmpTexts = {};
  for (let at = 0; at + 5 <= iim.length && iim[at] === marker; ) {
    const length = iim.readUInt16BE(at + 3);
    const value = iim.subarray(at + 5, at + 5 + length);
    const name = iim[at + 1] === 2 ? properties[iim[at + 2] ?? 0] : undefined;
    // Lengths above 32,767 are extended data sets, which texts never use.
    if (length > 0x7fff) break;
    if (name && length > 0) texts[name] = [...(texts[name] ?? []), decodeText(value)];
    at += 5 + length;
  }
  return texts;
}

/** Decode UTF-8 if valid, else Latin-1. */
function decodeText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

/** Find the IPTC resource in Photoshop resources: `8BIM`, ID, padded name, length, padded data. */
function findIptc(block: Buffer): Buffer {
  for (let at = photoshopName.length; at + 12 <= block.length; ) {
    if (block.toString('latin1', at, at + 4) !== '8BIM') break;
    const nameBytes = ((block[at + 6] ?? 0) + 2) & ~1;
    const start = at + 6 + nameBytes + 4;
    if (start > block.length) break;
    const length = block.readUInt32BE(start - 4);
    if (block.readUInt16BE(at + 4) === iptcResource) return block.subarray(start, start + length);
    at = start + length + (length % 2);
  }
  return Buffer.alloc(0);
}
