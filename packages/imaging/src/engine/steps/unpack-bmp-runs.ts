import { AppError } from '@uprez/contracts/errors/app-error';

type Size = { width: number; height: number; bits: number };
const [endOfLine, endOfBitmap, jump] = [0, 1, 2];

/**
 * Decode a run-length encoded BMP (BI_RLE8, BI_RLE4) to palette indices, one byte each, in file order. Skipped pixels have
 * index 0, and runs past the end of a row are cut. Throws AppError `corrupt_image` when the data ends early.
 */
export function unpackBmpRuns(code: Uint8Array, { width, height, bits }: Size): Uint8Array {
  const indices = new Uint8Array(width * height);
  const isNibbles = bits === 4;
  let [x, y, at] = [0, 0, 0];
  const put = (index: number) => {
    if (x < width) indices[y * width + x] = index;
    x++;
  };
  const pick = (byte: number, i: number) => (isNibbles ? (i % 2 === 0 ? byte >> 4 : byte & 15) : byte);
  while (y < height) {
    // Some writers omit the end marker after the last row.
    if (at + 1 >= code.length && y === height - 1 && x >= width) break;
    if (at + 1 >= code.length) throw new AppError('corrupt_image');
    const [count, value] = [code[at] as number, code[at + 1] as number];
    at += 2;
    if (count > 0) for (let i = 0; i < count; i++) put(pick(value, i));
    else if (value === endOfLine) [x, y] = [0, y + 1];
    else if (value === endOfBitmap) break;
    else if (value === jump) {
      x += code[at] ?? 0;
      y += code[at + 1] ?? 0;
      at += 2;
    } else {
      const bytes = isNibbles ? Math.ceil(value / 2) : value;
      if (at + bytes > code.length) throw new AppError('corrupt_image');
      for (let i = 0; i < value; i++) put(pick(code[isNibbles ? at + (i >> 1) : at + i] as number, i));
      at += bytes + (bytes % 2);
    }
  }
  return indices;
}
