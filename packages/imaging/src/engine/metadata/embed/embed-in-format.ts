import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { headBytes, tableBytes } from '../../../strip/strip-gif.ts';
import type { ExifFields } from '../exif/read-exif.ts';
import { centimetersPerInch, type Resolution } from '../resolution.ts';

/**
 * `exif`: EXIF data, starting at its TIFF header. `fields`: the same data as fields, for formats with their own
 * directories.
 */
export type EmbedInput = {
  exif: Buffer | undefined;
  fields: ExifFields | undefined;
  xmp: Buffer | undefined;
  resolution: Resolution | undefined;
};
/** `head`: the first bytes of the file. `read`: reads bytes at any offset. */
export type EncodedFile = {
  head: Buffer;
  sizeBytes: number;
  read: (at: number, length: number) => Promise<Buffer>;
};

const pngHeaderEnd = 8 + 25;
/** Start of an XMP text chunk: uncompressed, without a language or translated keyword. */
const xmpHead = Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1');

/** Inserts chunks after the header. Replaces the resolution chunk that the encoder wrote. */
export async function embedInPng(file: EncodedFile, { exif, xmp, resolution }: EmbedInput): Promise<Edit[]> {
  const chunks = [
    ...(resolution ? [encodePngChunk('pHYs', encodeDensity(resolution))] : []),
    ...(exif ? [encodePngChunk('eXIf', exif)] : []),
    ...(xmp ? [encodePngChunk('iTXt', Buffer.concat([xmpHead, xmp]))] : []),
  ];
  const former = resolution ? await removeDensityChunk(file) : [];
  return [{ at: pngHeaderEnd, bytes: Buffer.concat(chunks) }, ...former];
}

const inchesPerMeter = 100 / centimetersPerInch;

/** Encodes a resolution in pixels per meter (PNG 3, 11.3.5.3). */
function encodeDensity({ x, y }: Resolution): Buffer {
  const data = Buffer.alloc(9, 1);
  data.writeUInt32BE(Math.round(x * inchesPerMeter), 0);
  data.writeUInt32BE(Math.round(y * inchesPerMeter), 4);
  return data;
}

/** The chunk comes before the pixels. */
async function removeDensityChunk({ read, sizeBytes }: EncodedFile): Promise<Edit[]> {
  for (let start = pngHeaderEnd; start + 12 <= sizeBytes; ) {
    const head = await read(start, 8);
    const removed = 12 + head.readUInt32BE(0);
    const type = head.toString('latin1', 4);
    if (type === 'pHYs') return [{ at: start, removed, bytes: Buffer.alloc(0) }];
    if (type === 'IDAT') return [];
    start += removed;
  }
  return [];
}

function encodePngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const xmpIntroducer = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');
/** Leads programs that skip data block by block to the end of the packet (XMP Specification Part 3, 1.1.2). */
const xmpMagicTrailer = Buffer.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0]);

/** Inserts XMP as an application extension. Comments are the only other metadata in a GIF. */
export function embedInGif({ head }: EncodedFile, { xmp }: EmbedInput): Edit[] {
  const at = headBytes + tableBytes(head[10] ?? 0);
  return xmp ? [{ at, bytes: Buffer.concat([xmpIntroducer, xmp, xmpMagicTrailer]) }] : [];
}

const webpHeadBytes = 12;
const chunkHeadBytes = 8;
/** Flags of the VP8X chunk (RFC 9649). */
const vp8xFlags = { exif: 8, xmp: 4, alpha: 16 };
const extendedChunkBytes = 10;

/** Appends chunks and sets their flags in the VP8X chunk. Adds this chunk to simple files, which don't have one. */
export function embedInWebp({ head, sizeBytes }: EncodedFile, { exif, xmp }: EmbedInput): Edit[] {
  const announced = (exif ? vp8xFlags.exif : 0) | (xmp ? vp8xFlags.xmp : 0);
  const isExtended = head.toString('latin1', webpHeadBytes, webpHeadBytes + 4) === 'VP8X';
  const extended = isExtended ? undefined : makeExtendedChunk(head, announced);
  const flagsAt = webpHeadBytes + chunkHeadBytes;
  const added = Buffer.concat([
    ...(exif ? [encodeWebpChunk('EXIF', exif)] : []),
    ...(xmp ? [encodeWebpChunk('XMP ', xmp)] : []),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(sizeBytes + (extended?.length ?? 0) + added.length - 8);
  const header = extended
    ? { at: webpHeadBytes, bytes: extended }
    : { at: flagsAt, removed: 1, bytes: Buffer.from([(head[flagsAt] ?? 0) | announced]) };
  return [{ at: 4, removed: 4, bytes: size }, header, { at: sizeBytes, bytes: added }];
}

/**
 * Creates the VP8X chunk for a simple file. Reads the size of the image, and whether it has alpha, from the header of
 * the only frame.
 */
function makeExtendedChunk(head: Buffer, announced: number): Buffer {
  const start = webpHeadBytes + chunkHeadBytes;
  const isLossless = head.toString('latin1', webpHeadBytes, webpHeadBytes + 4) === 'VP8L';
  const bits = isLossless ? head.readUInt32LE(start + 1) : 0;
  const width = isLossless ? (bits & 0x3fff) + 1 : head.readUInt16LE(start + 6) & 0x3fff;
  const height = isLossless ? ((bits >>> 14) & 0x3fff) + 1 : head.readUInt16LE(start + 8) & 0x3fff;
  const data = Buffer.alloc(extendedChunkBytes);
  data[0] = announced | (bits & (1 << 28) ? vp8xFlags.alpha : 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return encodeWebpChunk('VP8X', data);
}

function encodeWebpChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(chunkHeadBytes);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

export type Edit = { at: number; removed?: number; bytes: Buffer };

const chunkBytes = 4 * 1024 * 1024;

/**
 * Applies edits to a file by rewriting it. The edits must be in order of position. Memory use depends on the chunk
 * size, not on the file size.
 */
export async function spliceFile(path: string, edits: readonly Edit[]): Promise<void> {
  const written = `${path}.edited`;
  const source = await open(path, 'r');
  try {
    const target = await open(written, 'w', 0o600);
    try {
      const { size } = await source.stat();
      let at = 0;
      for (const edit of edits) {
        await copyBytes({ source, target }, at, edit.at);
        await target.appendFile(edit.bytes);
        at = edit.at + (edit.removed ?? 0);
      }
      await copyBytes({ source, target }, at, size);
    } finally {
      await target.close();
    }
    await rename(written, path);
  } finally {
    await source.close();
    await rm(written, { force: true });
  }
}

type Copying = { source: FileHandle; target: FileHandle };

async function copyBytes({ source, target }: Copying, start: number, end: number): Promise<void> {
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(0, end - start)));
  for (let at = start; at < end; ) {
    const { bytesRead } = await source.read(chunk, 0, Math.min(chunk.length, end - at), at);
    if (bytesRead === 0) throw new Error(`the file ended before byte ${end}`);
    await target.appendFile(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/** Reads `length` bytes from offset `at`, or fewer at the end of the file. */
export async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  return bytes.subarray(0, bytesRead);
}
