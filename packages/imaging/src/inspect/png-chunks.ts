const signatureBytes = 8;
/** Length and type of a chunk; its data and a CRC of 4 bytes follow. */
const headerBytes = 8;
const typeOf = (name: string) => Buffer.from(name, 'latin1').readUInt32BE();
const [animation, pixels, end] = [typeOf('acTL'), typeOf('IDAT'), typeOf('IEND')];
const endChunk = Buffer.from('\0\0\0\0IEND\xae\x42\x60\x82', 'latin1');

/** Frame count of a PNG: that of its acTL chunk (APNG 1.0), which precedes the first IDAT chunk, else 1. */
export function countPngFrames(file: Buffer): number {
  const at = findChunk(file, [animation, pixels]) ?? file.length;
  const hasCount = at + headerBytes + 4 <= file.length && file.readUInt32BE(at + 4) === animation;
  return hasCount ? Math.max(1, file.readUInt32BE(at + headerBytes)) : 1;
}

/** Whether a PNG has an IEND chunk. Bytes may follow it. */
export const hasPngEnd = (file: Buffer): boolean =>
  file.subarray(-endChunk.length).equals(endChunk) || findChunk(file, [end]) !== undefined;

function findChunk(file: Buffer, types: readonly number[]): number | undefined {
  for (let at = signatureBytes; at + headerBytes <= file.length; at += headerBytes + 4 + file.readUInt32BE(at))
    if (types.includes(file.readUInt32BE(at + 4))) return at;
  return undefined;
}
