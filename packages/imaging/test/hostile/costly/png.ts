import { pngChunk } from '../png-file.ts';
import { compress, makeEmptyStream } from './deflate.ts';

type Png = { width: number; height: number; bits: number; colorType: number; isInterlaced?: boolean };

function makePng({ width, height, bits, colorType, isInterlaced = false }: Png, data: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, bits, colorType, 0, 0, Number(isInterlaced)]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns a gray PNG of 8 x 8 pixels with blocks of compressed data without pixels. */
export const makePngOfBlocks = (sizeBytes: number): Buffer =>
  makePng({ width: 8, height: 8, bits: 8, colorType: 0 }, makeEmptyStream(72, sizeBytes));

/** Returns a black RGBA PNG of 16 bits, whose rows are predicted from those above, or interlaced. */
export async function makeDeepPng(side: number, { isInterlaced = false } = {}): Promise<Buffer> {
  const shape = { width: side, height: side, bits: 16, colorType: 6, isInterlaced };
  const rowBytes = 1 + 8 * side;
  // Paeth, and no filter for the passes, whose rows have other lengths.
  const row = Buffer.alloc(rowBytes, 0);
  row[0] = isInterlaced ? 0 : 4;
  return makePng(shape, await compress(rowBytes * side + (isInterlaced ? 32 * side : 0), row));
}
