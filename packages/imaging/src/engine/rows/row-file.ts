import type { FileHandle } from 'node:fs/promises';
import type { Depth, RowStream, Samples } from './row-stream.ts';

export type RowSize = { width: number; height: number; channels: number; depth: Depth };

/** Raw rows inside a file. */
export type RowFile = RowSize & {
  readRows: (y: number, count: number) => Promise<Samples>;
  /** Open a stream of `rows` rows from `firstRow`; all rows by default. */
  stream: (firstRow?: number, rows?: number) => RowStream;
  close: () => Promise<void>;
};

/** Open the rows at byte `offset` of a file, little-endian like all platforms of Node.js. Closing the result closes the handle. */
export function rowFile(file: FileHandle, size: RowSize, offset: number): RowFile {
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

/** Read all rows of a file in chunks. */
export async function* readChunks({ height, readRows }: RowFile): AsyncGenerator<Samples> {
  for (let y = 0; y < height; y += chunkRows) yield await readRows(y, Math.min(chunkRows, height - y));
}
