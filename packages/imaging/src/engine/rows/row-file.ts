import { type FileHandle, open } from 'node:fs/promises';
import type { RowStream } from './row-stream.ts';

export type RowLayout = { width: number; height: number; channels: number; offset: number };

/** Raw rows inside a file, 8-bit samples. */
export type RowFile = Omit<RowLayout, 'offset'> & {
  readRows: (y: number, count: number) => Promise<Uint8Array>;
  /** A new stream from the first row. */
  stream: () => RowStream;
  close: () => Promise<void>;
};

/** Rows of a file whose layout is known. The handle is closed with the result. */
export function rowFile(file: FileHandle, { offset, ...size }: RowLayout): RowFile {
  const rowBytes = size.width * size.channels;
  const readRows = async (y: number, count: number) => {
    const rows = Buffer.allocUnsafeSlow(count * rowBytes);
    for (let done = 0; done < rows.length; ) {
      const { bytesRead } = await file.read(rows, done, rows.length - done, offset + y * rowBytes + done);
      if (bytesRead === 0) throw new Error(`the file ended before row ${y + count} of ${size.height}`);
      done += bytesRead;
    }
    return rows;
  };
  const stream = (): RowStream => {
    let next = 0;
    return {
      ...size,
      read: (count) => {
        next += count;
        return readRows(next - count, count);
      },
    };
  };
  return { ...size, readRows, stream, close: () => file.close() };
}

const vipsHeaderBytes = 64;
const vipsMagic = 0x08f2a6b6;

/**
 * Open pixels that sharp wrote as a `.v` file, libvips' own layout: a 64-byte header (magic, width, height, bands, a
 * reserved word, sample format: little-endian words), then raw rows. Throws Error when the file is anything else.
 */
export async function openVipsFile(path: string): Promise<RowFile> {
  const file = await open(path, 'r');
  const header = Buffer.alloc(vipsHeaderBytes);
  await file.read(header, 0, vipsHeaderBytes, 0);
  if (header.readUInt32LE(0) !== vipsMagic || header.readUInt32LE(20) !== 0) {
    await file.close();
    throw new Error(`${path} holds no 8-bit libvips picture`);
  }
  const [width, height, channels] = [header.readUInt32LE(4), header.readUInt32LE(8), header.readUInt32LE(12)];
  return rowFile(file, { width, height, channels, offset: vipsHeaderBytes });
}
