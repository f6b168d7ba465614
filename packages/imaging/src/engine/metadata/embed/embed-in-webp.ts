import type { Embedding, EncodedFile } from './embedding.ts';
import type { Edit } from './splice-file.ts';

const headBytes = 12;
const chunkHeadBytes = 8;
/** Flags of the VP8X chunk (RFC 9649). */
const flags = { exif: 8, xmp: 4, alpha: 16 };
const extendedBytes = 10;

/** Append chunks, and announce them in the VP8X chunk, which simple files don't have. */
export function embedInWebp({ head, sizeBytes }: EncodedFile, { exif, xmp }: Embedding): Edit[] {
  const announced = (exif ? flags.exif : 0) | (xmp ? flags.xmp : 0);
  const isExtended = head.toString('latin1', headBytes, headBytes + 4) === 'VP8X';
  const extended = isExtended ? undefined : makeExtended(head, announced);
  const flagsAt = headBytes + chunkHeadBytes;
  const added = Buffer.concat([...(exif ? [chunk('EXIF', exif)] : []), ...(xmp ? [chunk('XMP ', xmp)] : [])]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(sizeBytes + (extended?.length ?? 0) + added.length - 8);
  const header = extended
    ? { at: headBytes, bytes: extended }
    : { at: flagsAt, removed: 1, bytes: Buffer.from([(head[flagsAt] ?? 0) | announced]) };
  return [{ at: 4, removed: 4, bytes: size }, header, { at: sizeBytes, bytes: added }];
}

/** Describe a simple file: its size, and whether it has transparency, from the header of its only frame. */
function makeExtended(head: Buffer, announced: number): Buffer {
  const start = headBytes + chunkHeadBytes;
  const isLossless = head.toString('latin1', headBytes, headBytes + 4) === 'VP8L';
  const bits = isLossless ? head.readUInt32LE(start + 1) : 0;
  const width = isLossless ? (bits & 0x3fff) + 1 : head.readUInt16LE(start + 6) & 0x3fff;
  const height = isLossless ? ((bits >>> 14) & 0x3fff) + 1 : head.readUInt16LE(start + 8) & 0x3fff;
  const data = Buffer.alloc(extendedBytes);
  data[0] = announced | (bits & (1 << 28) ? flags.alpha : 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return chunk('VP8X', data);
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(chunkHeadBytes);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
