import { AppError } from '@uprez/contracts/errors/app-error';
import { type BmpHeader, countBmpChannels, readBmpHeader } from '../../inspect/read-bmp-header.ts';

/**
 * Interleaved samples of 8 or 16 bits, in rows from top to bottom. Used for images that libvips can't decode to the
 * right colors.
 */
export type RawImage = { data: Uint8Array | Uint16Array; width: number; height: number; channels: 1 | 2 | 3 | 4 };

/** Decodes a BMP (Microsoft, "Bitmap Storage"). The caller has checked its size. Throws AppError `corrupt_image`. */
export function decodeBmp(file: Buffer): RawImage {
  const header = readBmpHeader(file);
  const { width, height, bits, isRunLength } = header;
  const channels = countBmpChannels(header);
  const stored = file.subarray(header.pixels);
  const rows = isRunLength ? unpackBmpRuns(stored, { width, height, bits }) : stored;
  const sampleBits = isRunLength ? 8 : bits;
  // The length of each row is padded to a multiple of four bytes. Some writers omit the padding of the last row.
  const rowBytes = isRunLength ? width : Math.ceil((width * bits) / 32) * 4;
  if (rows.length < rowBytes * (height - 1) + Math.ceil((width * sampleBits) / 8)) throw new AppError('corrupt_image');
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    const from = (header.isTopDown ? y : height - 1 - y) * rowBytes;
    const row = rows.subarray(from, from + rowBytes);
    const to = data.subarray(y * width * channels, (y + 1) * width * channels);
    if (bits <= 8) readIndices(row, to, { palette: header.palette, bits: sampleBits, channels });
    else if (bits === 24) readBgr(row, to);
    else readMaskedRow(row, to, header);
  }
  if (channels === 4) fixMissingAlpha(data);
  return { data, width, height, channels };
}

type IndexedFormat = { palette: Uint8Array; bits: number; channels: number };

/**
 * Converts palette indices of `bits` bits each to samples. The first index of a byte is in its most significant bits.
 */
function readIndices(row: Uint8Array, to: Uint8Array, { palette, bits, channels }: IndexedFormat): void {
  const mask = 2 ** bits - 1;
  for (let x = 0, out = 0; out < to.length; x += bits) {
    const index = ((row[x >> 3] as number) >> (8 - bits - (x & 7))) & mask;
    for (let c = 0; c < channels; c++) to[out++] = palette[index * 3 + c] as number;
  }
}

function readBgr(row: Uint8Array, to: Uint8Array): void {
  for (let i = 0; i < to.length; i += 3) {
    to[i] = row[i + 2] as number;
    to[i + 1] = row[i + 1] as number;
    to[i + 2] = row[i] as number;
  }
}

function readMaskedRow(row: Uint8Array, to: Uint8Array, { bits, masks }: BmpHeader): void {
  const { red, green, blue, alpha } = masks;
  const samples = [red, green, blue, ...(alpha === 0 ? [] : [alpha])].map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    const most = mask >>> shift;
    return { mask, shift, scale: most === 0 ? 0 : 255 / most };
  });
  const bytes = bits / 8;
  for (let x = 0, out = 0; out < to.length; x += bytes) {
    let word = (row[x] as number) | ((row[x + 1] as number) << 8);
    if (bytes === 4) word |= ((row[x + 2] as number) << 16) | ((row[x + 3] as number) << 24);
    for (const { mask, shift, scale } of samples) to[out++] = Math.round(((word & mask) >>> shift) * scale);
  }
}

/** Makes the image opaque if the alpha of every pixel is 0, because some writers don't set the alpha. */
function fixMissingAlpha(data: Uint8Array): void {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 0) return;
  for (let i = 3; i < data.length; i += 4) data[i] = 255;
}

const [endOfLine, endOfBitmap, jump] = [0, 1, 2];

/**
 * Decodes run-length encoded pixels (BI_RLE8, BI_RLE4) to palette indices. The index of skipped pixels is 0. Throws
 * AppError `corrupt_image`.
 */
function unpackBmpRuns(
  code: Uint8Array,
  { width, height, bits }: Pick<BmpHeader, 'width' | 'height' | 'bits'>,
): Uint8Array {
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
