import { readExif } from '../exif/read-exif.ts';
import type { MetadataBlocks } from './metadata-blocks.ts';

/** Tags of blocks in the first directory (XMP Specification Part 3, Adobe Photoshop TIFF Technical Notes). */
const [xmpTag, iptcTag, photoshopTag] = [700, 33_723, 34_377];
const longType = 4;

/** Read the blocks of a TIFF file. The file itself is the EXIF data. */
export function readTiffBlocks(file: Buffer): MetadataBlocks {
  const image = readExif(file)?.image ?? [];
  const find = (wanted: number) => image.find(({ tag }) => tag === wanted);
  const [xmp, iptc, photoshop] = [find(xmpTag), find(iptcTag), find(photoshopTag)];
  // Some programs declare the bytes as 32-bit numbers.
  const isSwapped = iptc?.type === longType && iptc.bytes[0] !== 0x1c;
  const data = isSwapped ? Buffer.from(iptc.bytes).swap32() : iptc?.bytes;
  return { exif: file, xmp: xmp ? [xmp.bytes] : [], iptc: data ?? photoshop?.bytes, texts: [] };
}
