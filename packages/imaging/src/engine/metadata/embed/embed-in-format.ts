import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { headBytes, tableBytes } from '../../../strip/strip-gif.ts';
import type { ExifFields } from '../exif/read-exif.ts';
import { centimetersPerInch, type Resolution } from '../resolution.ts';
import type { Edit } from './embed-in-web-format.ts';

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
