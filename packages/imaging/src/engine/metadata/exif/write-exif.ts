import { photoTag } from './exif-tags.ts';
import { type ExifField, type ExifFields, exifPointer, gpsPointer, wordBytes } from './read-exif.ts';

const [longType, undefinedType, long8Type] = [4, 7, 16];
const headerBytes = 8;
const eightByteTypes = [5, 10, 12];
const valueBytes = (type: number) => (eightByteTypes.includes(type) ? 8 : wordBytes(type));

/** Declares EXIF 2.32, because readers support this version. */
const exifVersionField: ExifField = {
  tag: photoTag.version,
  type: undefinedType,
  bytes: Buffer.from('0232'),
  isLittle: true,
};

export const isEmptyExif = ({ image, exif, gps }: ExifFields) => image.length + exif.length + gps.length === 0;

/** Encodes fields as little-endian EXIF data, starting with its TIFF header. */
export function writeExif(fields: ExifFields): Buffer {
  const header = Buffer.from('II*\0\x08\0\0\0', 'latin1');
  // The offset of the subdirectories doesn't matter yet, because the length of a pointer field doesn't depend on its value.
  const { pointers } = encodeSubdirectories(fields, 0, false);
  const main = (linked: ExifField[]) => encodeDirectory({ fields: [...fields.image, ...linked], at: headerBytes });
  const sub = encodeSubdirectories(fields, headerBytes + main(pointers).length, false);
  return Buffer.concat([header, main(sub.pointers), sub.bytes]);
}

/**
 * Encodes the photo and location directories, which must be written at byte `at` of a file. Also returns the fields
 * that point to them. `isBig`: whether the file is a BigTIFF.
 */
export function encodeSubdirectories({ exif, gps }: Omit<ExifFields, 'image'>, at: number, isBig: boolean) {
  const photo = exif.length > 0 ? encodeDirectory({ fields: [exifVersionField, ...exif], at, isBig }) : Buffer.alloc(0);
  const gpsAt = at + photo.length;
  const location = gps.length > 0 ? encodeDirectory({ fields: gps, at: gpsAt, isBig }) : Buffer.alloc(0);
  const pointers = [
    ...(exif.length > 0 ? [makePointerField(exifPointer, at, isBig)] : []),
    ...(gps.length > 0 ? [makePointerField(gpsPointer, gpsAt, isBig)] : []),
  ];
  return { bytes: Buffer.concat([photo, location]), pointers };
}

const makePointerField = (tag: number, target: number, isBig: boolean): ExifField => ({
  ...{ tag, type: isBig ? long8Type : longType },
  bytes: encodeWord(target, isBig),
  isLittle: true,
});

type Directory = { fields: ExifField[]; at: number; isBig?: boolean; entries?: Buffer[]; next?: number };

/**
 * Encodes one directory at byte `at`. The table is followed by the values that don't fit into it, at even positions.
 */
export function encodeDirectory({ fields, at, isBig = false, entries = [], next = 0 }: Directory): Buffer {
  const [countBytes, word] = isBig ? [8, 8] : [2, 4];
  const entryBytes = 4 + 2 * word;
  const count = fields.length + entries.length;
  const values: Buffer[] = [];
  let valueAt = at + countBytes + count * entryBytes + word;
  const encoded = fields.map(({ tag, type, bytes }) => {
    const entry = Buffer.alloc(entryBytes);
    entry.writeUInt16LE(tag, 0);
    entry.writeUInt16LE(type, 2);
    encodeWord(bytes.length / valueBytes(type), isBig).copy(entry, 4);
    if (bytes.length <= word) bytes.copy(entry, 4 + word);
    else {
      encodeWord(valueAt, isBig).copy(entry, 4 + word);
      values.push(bytes, Buffer.alloc(bytes.length % 2));
      valueAt += bytes.length + (bytes.length % 2);
    }
    return entry;
  });
  const sorted = [...encoded, ...entries].sort((a, b) => a.readUInt16LE(0) - b.readUInt16LE(0));
  const head = Buffer.alloc(countBytes);
  head.writeUInt16LE(count, 0);
  return Buffer.concat([head, ...sorted, encodeWord(next, isBig), ...values]);
}

export function encodeWord(value: number, isBig: boolean): Buffer {
  const bytes = Buffer.alloc(isBig ? 8 : 4);
  if (isBig) bytes.writeBigUInt64LE(BigInt(value));
  else bytes.writeUInt32LE(value);
  return bytes;
}
