import { open } from 'node:fs/promises';
import type { RowStream } from './row-stream.ts';

/** Bytes of one strip of the file: what a reader holds at a time. */
const stripBytes = 256 * 1024;
/** Bytes gathered before each write. */
const chunkBytes = 4 * 1024 * 1024;
/** The pixels follow this header without a gap, as one block of rows. */
export const tiffPixelOffset = 8;
const headerBytes = tiffPixelOffset;
const [short, long] = [3, 4];

/**
 * Write a stream as an uncompressed TIFF in strips (TIFF 6.0, little-endian), so that an encoder reads it back row by
 * row. One to four channels: grey or RGB, the second or fourth channel alpha. Below 4 GB, which the output limit keeps.
 */
export async function writeTiff(path: string, source: RowStream, onRows: (rows: number) => void): Promise<void> {
  const rowBytes = source.width * source.channels;
  const rowsPerStrip = Math.max(1, Math.floor(stripBytes / rowBytes));
  const rowsAtOnce = Math.max(1, Math.floor(chunkBytes / rowBytes));
  const file = await open(path, 'w', 0o600);
  try {
    const end = headerBytes + rowBytes * source.height;
    const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
    header.writeUInt32LE(end + (end % 2), 4);
    await file.write(header, 0, headerBytes, 0);
    for (let y = 0; y < source.height; ) {
      const count = Math.min(rowsAtOnce, source.height - y);
      const rows = await source.read(count);
      await writeAll(file, rows, headerBytes + y * rowBytes);
      y += count;
      onRows(y);
    }
    await writeAll(file, directory(source, rowsPerStrip), end + (end % 2));
  } finally {
    await file.close();
  }
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}

/** The image file directory with its strip tables; it follows the pixels. */
function directory({ width, height, channels }: RowStream, rowsPerStrip: number): Buffer {
  const rowBytes = width * channels;
  const end = headerBytes + rowBytes * height;
  const at = end + (end % 2);
  const strips = Math.ceil(height / rowsPerStrip);
  const stripSize = (i: number) => Math.min(rowsPerStrip, height - i * rowsPerStrip) * rowBytes;
  const hasAlpha = channels % 2 === 0;
  const entries: [tag: number, type: number, values: number[]][] = [
    [256, long, [width]],
    [257, long, [height]],
    [258, short, Array(channels).fill(8)],
    [259, short, [1]],
    [262, short, [channels > 2 ? 2 : 1]],
    [273, long, Array.from({ length: strips }, (_, i) => headerBytes + i * rowsPerStrip * rowBytes)],
    [277, short, [channels]],
    [278, long, [rowsPerStrip]],
    [279, long, Array.from({ length: strips }, (_, i) => stripSize(i))],
    [284, short, [1]],
    ...(hasAlpha ? [[338, short, [2]] as [number, number, number[]]] : []),
  ];
  return encodeDirectory(entries, at);
}

function encodeDirectory(entries: [tag: number, type: number, values: number[]][], at: number): Buffer {
  const table = Buffer.alloc(2 + entries.length * 12 + 4);
  const tail: Buffer[] = [];
  let tailAt = at + table.length;
  table.writeUInt16LE(entries.length, 0);
  entries.forEach(([tag, type, values], i) => {
    const value = encodeValues(type, values);
    const entry = 2 + i * 12;
    table.writeUInt16LE(tag, entry);
    table.writeUInt16LE(type, entry + 2);
    table.writeUInt32LE(values.length, entry + 4);
    if (value.length <= 4) value.copy(table, entry + 8);
    else {
      table.writeUInt32LE(tailAt, entry + 8);
      tail.push(value);
      tailAt += value.length;
    }
  });
  return Buffer.concat([table, ...tail]);
}

function encodeValues(type: number, values: number[]): Buffer {
  const size = type === short ? 2 : 4;
  const bytes = Buffer.alloc(values.length * size);
  values.forEach((value, i) => {
    if (type === short) bytes.writeUInt16LE(value, i * 2);
    else bytes.writeUInt32LE(value, i * 4);
  });
  return bytes;
}
