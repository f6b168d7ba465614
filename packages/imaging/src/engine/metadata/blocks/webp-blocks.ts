import type { MetadataBlocks } from './metadata-blocks.ts';

const headBytes = 12;
const exifHeader = Buffer.from('Exif\0\0', 'latin1');

/** Read the chunks of a WebP file (RFC 9649). */
export function readWebpBlocks(file: Buffer): MetadataBlocks {
  const blocks: MetadataBlocks = { xmp: [], texts: [] };
  for (let at = headBytes; at + 8 <= file.length; ) {
    const length = file.readUInt32LE(at + 4);
    const name = file.toString('latin1', at, at + 4);
    const data = file.subarray(at + 8, at + 8 + length);
    const hasHeader = data.subarray(0, exifHeader.length).equals(exifHeader);
    if (name === 'EXIF') blocks.exif ??= hasHeader ? data.subarray(exifHeader.length) : data;
    if (name === 'XMP ' && blocks.xmp.length === 0) blocks.xmp.push(data);
    at += 8 + length + (length % 2);
  }
  return blocks;
}
