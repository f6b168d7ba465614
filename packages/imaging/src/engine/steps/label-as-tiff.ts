import { open } from 'node:fs/promises';
import type { RowSize } from '../rows/row-file.ts';
import { encodeTiffDirectories, tiffHeader } from '../rows/tiff-directory.ts';

/** Where the rows of libvips' own `.v` files begin. */
const pixelOffset = 64;

export type TiffLabel = RowSize & { frames: number; icc: Buffer | undefined };

/**
 * Make a `.v` file a TIFF where it lies: its first bytes become a TIFF header, the directories follow its end. libvips
 * maps a `.v` file whole into memory, but reads a TIFF strip by strip.
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
