import { open } from 'node:fs/promises';
import type { RowSize } from '../rows/row-file.ts';
import { encodeTiffDirectories } from '../rows/tiff-directory.ts';

/** Where the rows of libvips' own `.v` files begin. */
const pixelOffset = 64;
/** Classic TIFF counts bytes in 32 bits. */
const maxClassicBytes = 2 ** 32 - 64 * 1024 * 1024;
const headerBytes = 16;

export type TiffLabel = RowSize & { frames: number; icc: Buffer | undefined };

/**
 * Make a `.v` file a TIFF where it lies: its first bytes become a TIFF header, the directories follow its end. libvips
 * maps a `.v` file whole into memory, but reads a TIFF strip by strip.
 */
export async function labelAsTiff(path: string, { frames, icc, ...size }: TiffLabel): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const end = (await file.stat()).size;
    const directoryAt = end + (end % 2);
    const isBig = end > maxClassicBytes;
    const header = Buffer.alloc(headerBytes);
    header.write('II', 'latin1');
    header.writeUInt16LE(isBig ? 43 : 42, 2);
    if (isBig) {
      header.writeUInt16LE(8, 4);
      header.writeBigUInt64LE(BigInt(directoryAt), 8);
    } else header.writeUInt32LE(directoryAt, 4);
    const directories = encodeTiffDirectories({ ...size, pixelOffset, directoryAt, isBig }, { frames, icc });
    await file.write(directories, 0, directories.length, directoryAt);
    await file.write(header, 0, headerBytes, 0);
  } finally {
    await file.close();
  }
}
