import { type FileHandle, open } from 'node:fs/promises';
import type { Depth, RowStream, Samples } from './row-stream.ts';

/** `alpha`: whether alpha, the last of 2 or 4 channels, holds data. Otherwise, it is transparency. */
export type RowSize = { width: number; height: number; channels: number; depth: Depth; alpha?: 'data' | undefined };

export type RowFile = RowSize & {
  readRows: (y: number, count: number) => Promise<Samples>;
  /** Opens a stream of `rows` rows starting at `firstRow`. By default, streams all remaining rows. */
  stream: (firstRow?: number, rows?: number) => RowStream;
  close: () => Promise<void>;
};

/**
 * Opens the rows at byte `offset` of a file. Rows are in native byte order, which is little-endian on all supported
 * platforms. Closing the result closes the handle.
 */
export function openRowFile(file: FileHandle, size: RowSize, offset: number): RowFile {
  const rowBytes = (size.width * size.channels * size.depth) / 8;
  const readRows = async (y: number, count: number) => {
    const rows = Buffer.allocUnsafeSlow(count * rowBytes);
    for (let done = 0; done < rows.length; ) {
      const { bytesRead } = await file.read(rows, done, rows.length - done, offset + y * rowBytes + done);
      if (bytesRead === 0) throw new Error(`the file ended before row ${y + count} of ${size.height}`);
      done += bytesRead;
    }
    return size.depth === 8 ? rows : new Uint16Array(rows.buffer, rows.byteOffset, rows.length / 2);
  };
  const stream = (firstRow = 0, height = size.height - firstRow): RowStream => {
    let next = firstRow;
    return {
      ...size,
      height,
      read: (count) => {
        next += count;
        return readRows(next - count, count);
      },
    };
  };
  return { ...size, readRows, stream, close: () => file.close() };
}

const chunkRows = 64;

export async function* readChunks({ height, readRows }: RowFile): AsyncGenerator<Samples> {
  for (let y = 0; y < height; y += chunkRows) yield await readRows(y, Math.min(chunkRows, height - y));
}

/** `trailer`: XML with the metadata that libvips stores (profile, EXIF, XMP, frames, delays). */
export type VipsFile = RowFile & { trailer: string };

const headerBytes = 64;
const magic = 0x08f2a6b6;
/** Maximum number of trailer bytes to read. A trailer contains whole EXIF and XMP blocks. */
const maxTrailerBytes = 32 * 1024 * 1024;
/** Depth by VipsBandFormat: unsigned char and unsigned short. */
const depthOf: Record<number, Depth> = { 0: 8, 2: 16 };

/**
 * Opens a `.v` file written by sharp in libvips' own format. The file consists of a 64-byte header (magic, width,
 * height, bands, a reserved word, and the sample format, as little-endian words), raw rows, and XML. The frames of an
 * animation are stacked vertically. `alpha`: what alpha holds, which the file doesn't state. Throws Error for other
 * files, and for samples that don't have 8 or 16 bits.
 */
export async function openVipsFile(path: string, alpha?: RowSize['alpha']): Promise<VipsFile> {
  const file = await open(path, 'r');
  try {
    const header = await readAt(file, 0, headerBytes);
    const depth = depthOf[header.readUInt32LE(20)];
    if (header.readUInt32LE(0) !== magic || !depth) throw new Error(`${path} is not an 8- or 16-bit libvips image`);
    const [width, height, channels] = [header.readUInt32LE(4), header.readUInt32LE(8), header.readUInt32LE(12)];
    const end = headerBytes + (width * height * channels * depth) / 8;
    const { size } = await file.stat();
    const trailer = await readAt(file, end, Math.max(0, Math.min(maxTrailerBytes, size - end)));
    return {
      ...openRowFile(file, { width, height, channels, depth, alpha }, headerBytes),
      trailer: trailer.toString(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  if (bytesRead < length) throw new Error('the file is too short for a libvips image');
  return bytes;
}

/** Finds a metadata block in a trailer, such as `icc-profile-data` or `xmp-data`. */
export function findBlob(trailer: string, name: string): Buffer | undefined {
  const start = trailer.indexOf(`<field type="VipsBlob" name="${name}">`);
  if (start < 0) return undefined;
  const from = trailer.indexOf('>', start) + 1;
  return Buffer.from(trailer.slice(from, trailer.indexOf('<', from)), 'base64');
}
