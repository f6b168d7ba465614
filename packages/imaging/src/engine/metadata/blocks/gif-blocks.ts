import { findBlockEnd, headBytes, tableBytes } from '../../../strip/strip-gif.ts';
import { decodeText } from './decode-text.ts';
import type { MetadataBlocks } from './metadata-blocks.ts';

const [extension, trailer, comment, application] = [0x21, 0x3b, 0xfe, 0xff];
const xmpName = 'XMP DataXMP';
/** The name of an application extension begins after its introducer, label, and length. */
const nameAt = 3;
/** Bytes after a packet, which lead readers of blocks to its end (XMP Specification Part 3, 1.1.2). */
const magicBytes = 258;

/** Read the comments and the XMP packet of a GIF. Throws AppError `corrupt_image` when the file is cut off. */
export function readGifBlocks(file: Buffer): MetadataBlocks {
  const blocks: MetadataBlocks = { xmp: [], texts: [] };
  for (let at = headBytes + tableBytes(file[10] ?? 0); at < file.length && file[at] !== trailer; ) {
    const end = findBlockEnd(file, at);
    const label = file[at] === extension ? file[at + 1] : undefined;
    if (label === comment) blocks.texts.push({ keyword: 'Comment', text: decodeText(joinBlocks(file, at + 2, end)) });
    const name = file.toString('latin1', at + nameAt, at + nameAt + xmpName.length);
    if (label === application && name === xmpName && end - magicBytes > at)
      blocks.xmp.push(file.subarray(at + nameAt + xmpName.length, end - magicBytes));
    at = end;
  }
  return blocks;
}

function joinBlocks(file: Buffer, start: number, end: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = start; at < end; ) {
    const length = file[at] ?? 0;
    parts.push(file.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return Buffer.concat(parts);
}
