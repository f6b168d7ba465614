import { type FileHandle, open } from 'node:fs/promises';
import { type RowFile, type RowSize, rowFile } from './row-file.ts';
import type { RowStream } from './row-stream.ts';
import { encodeTiffDirectories, headerBytes, type TiffExtras, tiffHeader } from './tiff-directory.ts';

const chunkBytes = 4 * 1024 * 1024;
/** The pixels follow the header as one block of rows. The directories follow the pixels. */
const pixelOffset = headerBytes;

export type TiffOptions = TiffExtras & { onRows: (rows: number) => void };

/**
 * Write a stream as an uncompressed TIFF in strips (TIFF 6.0, little-endian, BigTIFF from 4 GB), which libvips reads strip by
 * strip, unlike its own `.v` files, which it maps into memory. One to four channels of 8 or 16 bits: grey or RGB, optionally
 * with alpha. Each of `frames` images of equal height, stacked vertically, becomes a page.
 */
export async function writeTiff(path: string, source: RowStream, options: TiffOptions): Promise<void> {
  const rowBytes = (source.width * source.channels * source.depth) / 8;
  const rowsAtOnce = Math.max(1, Math.floor(chunkBytes / rowBytes));
  const { header, directoryAt, isBig } = tiffHeader(pixelOffset + rowBytes * source.height);
  const file = await open(path, 'w', 0o600);
  try {
    await writeAll(file, header, 0);
    for (let y = 0; y < source.height; ) {
      const count = Math.min(rowsAtOnce, source.height - y);
      const { buffer, byteOffset, byteLength } = await source.read(count);
      await writeAll(file, new Uint8Array(buffer, byteOffset, byteLength), pixelOffset + y * rowBytes);
      y += count;
      options.onRows(y);
    }
    const layout = { ...source, pixelOffset, directoryAt, isBig };
    await writeAll(file, encodeTiffDirectories(layout, options), directoryAt);
  } finally {
    await file.close();
  }
}

/** Open the rows of a file that `writeTiff` wrote from a stream of this size. */
export const openTiffRows = async (path: string, size: RowSize): Promise<RowFile> =>
  rowFile(await open(path, 'r'), size, pixelOffset);

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}

/** Offset of the rows in a `.v` file. */
const vipsHeaderBytes = 64;

/** Convert a `.v` file to a TIFF in place, because libvips maps whole `.v` files into memory. */
export async function labelAsTiff(path: string, { frames, icc, ...size }: RowSize & TiffExtras): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const end = (await file.stat()).size;
    const { header, directoryAt, isBig } = tiffHeader(end);
    const directories = encodeTiffDirectories(
      { ...size, pixelOffset: vipsHeaderBytes, directoryAt, isBig },
      { frames, icc },
    );
    await file.write(directories, 0, directories.length, directoryAt);
    await file.write(header, 0, header.length, 0);
  } finally {
    await file.close();
  }
}
