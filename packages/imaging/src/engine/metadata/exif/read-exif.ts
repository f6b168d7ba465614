/** A field of EXIF data as stored, with the `type` and byte order of TIFF 6.0. */
export type ExifField = { tag: number; type: number; bytes: Buffer; isLittle: boolean };
/** Fields by directory: main (`image`), photo (`exif`), and location (`gps`). */
export type ExifFields = { image: ExifField[]; exif: ExifField[]; gps: ExifField[] };

/** Bytes per value of each type (TIFF 6.0, BigTIFF, EXIF 3.0). */
const typeSizes: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4 },
  ...{ 16: 8, 17: 8, 18: 8, 129: 1 },
};
/**
 * Returns the size of each number in a value of this type, in bytes. A rational consists of two numbers. Byte order
 * applies to each number.
 */
export const wordBytes = (type: number): number => (type === 5 || type === 10 ? 4 : (typeSizes[type] ?? 1));

export const [exifPointer, gpsPointer] = [0x87_69, 0x88_25];
/** Maximum number of fields to read per directory. Real directories have fewer. */
const maxFields = 1_000;

type Reader = { tiff: Buffer; isLittle: boolean; isBig: boolean };

/** Reads EXIF data or a TIFF file, including BigTIFF. Skips damaged fields. Returns undefined for other data. */
export function readExif(tiff: Buffer): ExifFields | undefined {
  const reader = openReader(tiff);
  if (!reader) return undefined;
  const image = readDirectory(reader, readOffset(reader, reader.isBig ? 8 : 4));
  const follow = (pointer: number) => {
    const field = image.find(({ tag }) => tag === pointer);
    return field ? readDirectory(reader, readValue(field)) : [];
  };
  return { image, exif: follow(exifPointer), gps: follow(gpsPointer) };
}

function openReader(tiff: Buffer): Reader | undefined {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 16 || (order !== 'II' && order !== 'MM')) return undefined;
  const isLittle = order === 'II';
  const version = isLittle ? tiff.readUInt16LE(2) : tiff.readUInt16BE(2);
  return version === 42 || version === 43 ? { tiff, isLittle, isBig: version === 43 } : undefined;
}

function readNumber({ tiff, isLittle }: Reader, at: number, size: 2 | 4): number {
  if (at < 0 || at + size > tiff.length) return 0;
  return isLittle ? tiff.readUIntLE(at, size) : tiff.readUIntBE(at, size);
}

/** Reads an offset or a count. The low 32 bits are enough, because files are smaller than 4 GB. */
const readOffset = (reader: Reader, at: number) =>
  readNumber(reader, reader.isBig && !reader.isLittle ? at + 4 : at, 4);

function readDirectory(reader: Reader, at: number): ExifField[] {
  const [countBytes, entryBytes, word] = reader.isBig ? [8, 20, 8] : [2, 12, 4];
  const count = reader.isBig ? readOffset(reader, at) : readNumber(reader, at, 2);
  const fields = new Map<number, ExifField>();
  for (let i = 0; at > 0 && i < Math.min(count, maxFields); i++) {
    const entry = at + countBytes + i * entryBytes;
    if (entry + entryBytes > reader.tiff.length) break;
    const [tag, type] = [readNumber(reader, entry, 2), readNumber(reader, entry + 2, 2)];
    const length = readOffset(reader, entry + 4) * (typeSizes[type] ?? 0);
    const start = length > word ? readOffset(reader, entry + 4 + word) : entry + 4 + word;
    const isDamaged = length === 0 || start + length > reader.tiff.length;
    if (isDamaged || fields.has(tag)) continue;
    fields.set(tag, { tag, type, bytes: reader.tiff.subarray(start, start + length), isLittle: reader.isLittle });
  }
  return [...fields.values()];
}

/** Reads the first number of a field. The numbers must have at least 16 bits. */
export function readValue({ bytes, type, isLittle }: ExifField): number {
  const size = Math.min(4, wordBytes(type));
  const from = !isLittle && wordBytes(type) === 8 ? 4 : 0;
  return isLittle ? bytes.readUIntLE(from, size) : bytes.readUIntBE(from, size);
}

export function toLittleEndian({ bytes, type, isLittle }: ExifField): Buffer {
  const size = wordBytes(type);
  if (isLittle || size === 1) return bytes;
  const copy = Buffer.from(bytes);
  for (let at = 0; at + size <= copy.length; at += size) copy.subarray(at, at + size).reverse();
  return copy;
}
