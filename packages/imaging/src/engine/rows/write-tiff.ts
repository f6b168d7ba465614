import { type FileHandle, open } from 'node:fs/promises';
import { openRowFile, type RowFile, type RowSize } from './row-file.ts';
import type { RowStream } from './row-stream.ts';

export type UnpackedFile = { path: string; notes: string[] };

const chunkBytes = 4 * 1024 * 1024;
/** Size of the header, in bytes. The header is followed by the pixels as one block of rows, then by the directories. */
const headerBytes = 16;

type TiffOptions = TiffExtras & { onRows: (rows: number) => void };

/**
 * Writes a stream as an uncompressed TIFF in strips (TIFF 6.0, little-endian, BigTIFF from 4 GB). libvips reads such a
 * file strip by strip, but maps its own `.v` files into memory. Supports gray and RGB, optionally with alpha, in 8 or
 * 16 bits. The stream contains `frames` images of equal height, stacked vertically. Each becomes a page.
 */
export async function writeTiff(path: string, source: RowStream, options: TiffOptions): Promise<void> {
  const rowBytes = (source.width * source.channels * source.depth) / 8;
  const rowsAtOnce = Math.max(1, Math.floor(chunkBytes / rowBytes));
  const { header, directoryAt, isBig } = makeTiffHeader(headerBytes + rowBytes * source.height);
  const file = await open(path, 'w', 0o600);
  try {
    await writeAll(file, header, 0);
    for (let y = 0; y < source.height; ) {
      const count = Math.min(rowsAtOnce, source.height - y);
      const { buffer, byteOffset, byteLength } = await source.read(count);
      await writeAll(file, new Uint8Array(buffer, byteOffset, byteLength), headerBytes + y * rowBytes);
      y += count;
      options.onRows(y);
    }
    const layout = { ...source, pixelOffset: headerBytes, directoryAt, isBig };
    await writeAll(file, encodeTiffDirectories(layout, options), directoryAt);
  } finally {
    await file.close();
  }
}

/** Opens the rows of a file that `writeTiff` wrote from a stream of this size. */
export const openTiffRows = async (path: string, size: RowSize): Promise<RowFile> =>
  openRowFile(await open(path, 'r'), size, headerBytes);

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}

const vipsHeaderBytes = 64;

/** Converts a `.v` file to a TIFF in place, because libvips maps whole `.v` files into memory. */
export async function convertToTiff(
  path: string,
  { frames, icc, isCmyk, ...size }: RowSize & TiffExtras,
): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const end = (await file.stat()).size;
    const { header, directoryAt, isBig } = makeTiffHeader(end);
    const layout = { ...size, pixelOffset: vipsHeaderBytes, directoryAt, isBig };
    const directories = encodeTiffDirectories(layout, { frames, icc, isCmyk });
    await file.write(directories, 0, directories.length, directoryAt);
    await file.write(header, 0, header.length, 0);
  } finally {
    await file.close();
  }
}

type TiffExtras = {
  frames?: number;
  icc?: Buffer | undefined;
  /** EXIF orientation, 1-8. */
  orientation?: number;
  /** Whether the 4 channels are inks, instead of RGB with alpha. */
  isCmyk?: boolean | undefined;
};
type TiffLayout = RowSize & { pixelOffset: number; directoryAt: number; isBig: boolean };

/** Size of a strip, in bytes. Readers hold one strip in memory at a time. */
const stripBytes = 256 * 1024;
const [short, long, rational, undefinedType, long8] = [3, 4, 5, 7, 16];
const typeSizes: Record<number, number> = { [short]: 2, [long]: 4, [rational]: 8, [undefinedType]: 1, [long8]: 8 };
/** Default resolution of 72 dots per inch. Encoded as the two words of a rational. */
const defaultResolution = 72 + 2 ** 32;
type Entry = [tag: number, type: number, values: ArrayLike<number>];

/** Maximum directory offset in a classic TIFF, which has 32-bit offsets. Leaves space for the directories. */
const maxClassicBytes = 2 ** 32 - 64 * 1024 * 1024;

/**
 * Creates the header of a TIFF. `pixelsEnd`: offset at which the pixels end. Also returns the offset of the
 * directories.
 */
function makeTiffHeader(pixelsEnd: number): { header: Buffer; directoryAt: number; isBig: boolean } {
  const directoryAt = pixelsEnd + (pixelsEnd % 2);
  const isBig = directoryAt > maxClassicBytes;
  const header = Buffer.alloc(headerBytes);
  header.write('II', 'latin1');
  header.writeUInt16LE(isBig ? 43 : 42, 2);
  if (isBig) {
    header.writeUInt16LE(8, 4);
    header.writeBigUInt64LE(BigInt(directoryAt), 8);
  } else header.writeUInt32LE(directoryAt, 4);
  return { header, directoryAt, isBig };
}

export function encodeTiffDirectories(layout: TiffLayout, extras: TiffExtras): Buffer {
  const { frames = 1, icc, orientation } = extras;
  const parts: Buffer[] = [];
  let at = layout.directoryAt;
  for (let frame = 0; frame < frames; frame++) {
    const entries = makePixelEntries(layout, frame, extras);
    const isLast = frame === frames - 1;
    // Adds the profile to the first and the last page. libvips reads it from the first page, or from the last page when
    // it opens all pages.
    if (icc && (frame === 0 || isLast)) entries.push([34_675, undefinedType, icc]);
    if (orientation) entries.push([274, short, [orientation]]);
    entries.sort(([a], [b]) => a - b);
    const part = encodePageDirectory(entries, { at, isBig: layout.isBig, isLast });
    parts.push(part);
    at += part.length;
  }
  return Buffer.concat(parts);
}

function makePixelEntries(layout: TiffLayout, frame: number, { frames = 1, isCmyk = false }: TiffExtras): Entry[] {
  const { width, channels, depth, isBig } = layout;
  const height = layout.height / frames;
  const rowBytes = (width * channels * depth) / 8;
  const rowsPerStrip = Math.max(1, Math.floor(stripBytes / rowBytes));
  const strips = Math.ceil(height / rowsPerStrip);
  const start = layout.pixelOffset + frame * height * rowBytes;
  const stripSize = (i: number) => Math.min(rowsPerStrip, height - i * rowsPerStrip) * rowBytes;
  const hasAlpha = channels % 2 === 0 && !isCmyk;
  return [
    [256, long, [width]],
    [257, long, [height]],
    [258, short, Array(channels).fill(depth)],
    [259, short, [1]],
    [262, short, [isCmyk ? 5 : channels > 2 ? 2 : 1]],
    [273, isBig ? long8 : long, Array.from({ length: strips }, (_, i) => start + i * rowsPerStrip * rowBytes)],
    [277, short, [channels]],
    [278, long, [rowsPerStrip]],
    [279, long, Array.from({ length: strips }, (_, i) => stripSize(i))],
    [282, rational, [defaultResolution]],
    [283, rational, [defaultResolution]],
    [284, short, [1]],
    [296, short, [2]],
    ...(hasAlpha ? [[338, short, [2]] as Entry] : []),
  ];
}

type DirectoryPosition = { at: number; isBig: boolean; isLast: boolean };

/** Encodes one directory. The table is followed by the values that don't fit into it, padded to an even length. */
function encodePageDirectory(entries: Entry[], { at, isBig, isLast }: DirectoryPosition): Buffer {
  const [countBytes, word] = isBig ? [8, 8] : [2, 4];
  const entryBytes = 4 + 2 * word;
  const table = Buffer.alloc(countBytes + entries.length * entryBytes + word);
  const put = (value: number, offset: number) =>
    isBig ? table.writeBigUInt64LE(BigInt(value), offset) : table.writeUInt32LE(value, offset);
  if (isBig) put(entries.length, 0);
  else table.writeUInt16LE(entries.length, 0);
  const tail: Buffer[] = [];
  let tailAt = at + table.length;
  entries.forEach(([tag, type, values], i) => {
    const value = encodeValues(type, values);
    const entry = countBytes + i * entryBytes;
    table.writeUInt16LE(tag, entry);
    table.writeUInt16LE(type, entry + 2);
    put(values.length, entry + 4);
    if (value.length <= word) value.copy(table, entry + 4 + word);
    else {
      put(tailAt, entry + 4 + word);
      tail.push(value);
      tailAt += value.length;
    }
  });
  put(isLast ? 0 : tailAt, table.length - word);
  return Buffer.concat([table, ...tail]);
}

function encodeValues(type: number, values: ArrayLike<number>): Buffer {
  const size = typeSizes[type] ?? 1;
  const bytes = Buffer.alloc(values.length * size + ((values.length * size) % 2));
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (size === 8) bytes.writeBigUInt64LE(BigInt(value), i * 8);
    else bytes.writeUIntLE(value, i * size, size);
  }
  return bytes;
}
