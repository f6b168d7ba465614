import { open } from 'node:fs/promises';
import type { RowSize } from '../rows/row-file.ts';
import { encodeTiffDirectories, tiffHeader } from '../rows/tiff-directory.ts';

/** Offset of the rows in a `.v` file. */
const pixelOffset = 64;

export type TiffLabel = RowSize & { frames: number; icc: Buffer | undefined };

/**
 * Convert a `.v` file to a TIFF in place: overwrite its first bytes with a TIFF header and append the directories. libvips
 * maps whole `.v` files into memory, but reads TIFF strip by strip.
 */
export async function labelAsTiff(path: string, { frames, icc, ...size }: TiffLabel): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const end = (await file.stat()).size;
    const { header, directoryAt, isBig } = tiffHeader(end);
    const directories = encodeTiffDirectories({ ...size, pixelOffset, directoryAt, isBig }, { frames, icc });
    await file.write(directories, 0, directories.length, directoryAt);
    await file.write(header, 0, header.length, 0);
  } finally {
    await file.close();
  }
}
