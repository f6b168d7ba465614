import type { ExifField } from '../exif/read-exif.ts';
import { encodeDirectory, encodeSubdirectories, wordOf } from '../exif/write-exif.ts';
import type { Embedding, EncodedFile } from './embedding.ts';
import type { Edit } from './splice-file.ts';

const xmpTag = 700;
const byteType = 1;
const bigVersion = 43;

/** Append a copy of the first directory with more fields, and the directories of the photo and its location. */
export async function embedInTiff({ head, read, sizeBytes }: EncodedFile, metadata: Embedding): Promise<Edit[]> {
  const isBig = head.readUInt16LE(2) === bigVersion;
  const [offsetAt, word] = isBig ? [8, 8] : [4, 4];
  const { entries, next } = await readEntries(read, Number(readWord(head, offsetAt, isBig)), isBig);
  const padding = Buffer.alloc(sizeBytes % 2);
  const at = sizeBytes + padding.length;
  const { image, exif, gps } = metadata.fields ?? { image: [], exif: [], gps: [] };
  const sub = encodeSubdirectories({ exif, gps }, at, isBig);
  const directoryAt = at + sub.bytes.length;
  const xmp: ExifField[] = metadata.xmp ? [{ tag: xmpTag, type: byteType, bytes: metadata.xmp, isLittle: true }] : [];
  const fields = [...image, ...xmp, ...sub.pointers];
  const known = new Set(fields.map(({ tag }) => tag));
  const others = entries.filter((entry) => !known.has(entry.readUInt16LE(0)));
  const directory = encodeDirectory({ fields, at: directoryAt, isBig, entries: others, next });
  return [
    { at: offsetAt, removed: word, bytes: wordOf(directoryAt, isBig) },
    { at: sizeBytes, bytes: Buffer.concat([padding, sub.bytes, directory]) },
  ];
}

const readWord = (bytes: Buffer, at: number, isBig: boolean) =>
  isBig ? Number(bytes.readBigUInt64LE(at)) : bytes.readUInt32LE(at);

/** The encoded entries of a directory, and the offset of the next one. libvips writes little-endian files. */
async function readEntries(read: EncodedFile['read'], at: number, isBig: boolean) {
  const [countBytes, entryBytes, word] = isBig ? [8, 20, 8] : [2, 12, 4];
  const count = (await read(at, countBytes)).readUInt16LE(0);
  const table = await read(at + countBytes, count * entryBytes + word);
  const entries = Array.from({ length: count }, (_, i) => table.subarray(i * entryBytes, (i + 1) * entryBytes));
  return { entries, next: readWord(table, count * entryBytes, isBig) };
}
