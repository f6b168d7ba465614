import { makeTiffFile } from '../tiff-file.ts';
import { compress, makeEmptyStream } from './deflate.ts';
import { everyScan, makeProgressiveJpeg } from './jpeg.ts';

const long = 4;
const dataAt = 8;
const [deflate, jpeg] = [8, 7];
const grey = { photometric: 1, samples: 1, bits: 8 };
const share = (count: number, value: number) => Array<number>(count).fill(value);

/** Returns a TIFF of `across` x `across` tiles that all have the data of one progressive JPEG. */
export function makeTiffOfScans({ side = 512, across = 10, scans = 300 }): Buffer {
  const data = makeProgressiveJpeg({ width: side, height: side, components: 1, scans: everyScan(1, scans) });
  const tiles = across * across;
  const [width, height] = [side * across, side * across];
  return makeTiffFile({
    ...{ ...grey, width, height, data, compression: jpeg },
    entries: [
      [322, long, [side]],
      [323, long, [side]],
      [324, long, share(tiles, dataAt)],
      [325, long, share(tiles, data.length)],
    ],
  });
}

/** Returns a square TIFF of many Lab colors. */
export async function makeLabTiff(side: number): Promise<Buffer> {
  const pattern = Buffer.from(Array.from({ length: 99_999 }, (_, i) => (7 * i) % 251));
  const data = await compress(3 * side ** 2, pattern);
  return makeTiffFile({
    ...{ width: side, height: side, photometric: 8, samples: 3, bits: 8 },
    ...{ compression: deflate, data },
  });
}

/** Returns a TIFF of rows of 16 pixels that all have the same stream with blocks of compressed data without pixels. */
export function makeTiffOfBlocks({ rows = 100, sizeBytes = 100_000 }): Buffer {
  const width = 16;
  const data = makeEmptyStream(width, sizeBytes);
  return makeTiffFile({
    ...{ ...grey, width, height: rows, data, compression: deflate },
    entries: [
      [278, long, [1]],
      [273, long, share(rows, dataAt)],
      [279, long, share(rows, data.length)],
    ],
  });
}
