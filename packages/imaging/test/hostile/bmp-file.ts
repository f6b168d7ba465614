import type { Image } from '../support/images.ts';

export type BmpFile = {
  bits: 1 | 2 | 4 | 8 | 16 | 24 | 32;
  isTopDown?: boolean;
  /** BI_RGB 0, BI_RLE8 1, BI_RLE4 2, BI_BITFIELDS 3. */
  compression?: number;
  /** 12: BITMAPCOREHEADER, 40: BITMAPINFOHEADER, 108: BITMAPV4HEADER. */
  headerBytes?: 12 | 40 | 108;
  /** Red, green, blue, alpha. */
  masks?: number[];
  palette?: number[][];
  /** Bytes between the header and the pixels. */
  gap?: number;
};

/** Returns a BMP with rows of encoded pixels. */
export function wrapBmp(size: { width: number; height: number }, pixels: Buffer, kind: BmpFile): Buffer {
  const { bits, isTopDown, compression = 0, headerBytes = 40, masks = [], palette = [], gap = 0 } = kind;
  const header = Buffer.alloc(14 + headerBytes);
  const isCore = headerBytes === 12;
  const colors = Buffer.from(palette.flatMap(([r = 0, g = 0, b = 0]) => (isCore ? [b, g, r] : [b, g, r, 0])));
  const maskBytes = Buffer.alloc(headerBytes === 40 ? masks.length * 4 : 0);
  for (const [i, mask] of masks.entries())
    (headerBytes === 40 ? maskBytes : header.subarray(54)).writeUInt32LE(mask, i * 4);
  const start = header.length + maskBytes.length + colors.length + gap;
  header.write('BM', 'latin1');
  header.writeUInt32LE(start + pixels.length, 2);
  header.writeUInt32LE(start, 10);
  header.writeUInt32LE(headerBytes, 14);
  if (isCore) header.writeUInt16LE(size.width, 18);
  else header.writeInt32LE(size.width, 18);
  if (isCore) header.writeUInt16LE(size.height, 20);
  else header.writeInt32LE(isTopDown ? -size.height : size.height, 22);
  header.writeUInt16LE(1, isCore ? 22 : 26);
  header.writeUInt16LE(bits, isCore ? 24 : 28);
  if (!isCore) header.writeUInt32LE(compression, 30);
  if (!isCore) header.writeUInt32LE(palette.length, 46);
  return Buffer.concat([header, maskBytes, colors, Buffer.alloc(gap), pixels]);
}

/** Returns a BMP whose pixels `code` encodes, the first pixel of a row in its highest bits. Words are little-endian. */
export function makeBmpFile(image: Image, kind: BmpFile, code: (samples: number[]) => number): Buffer {
  const { width, height, channels, data } = image;
  const rowBytes = Math.ceil((width * kind.bits) / 32) * 4;
  const pixels = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * channels;
      const value = code([...data.subarray(from, from + channels)]);
      const row = (kind.isTopDown ? y : height - 1 - y) * rowBytes;
      if (kind.bits >= 8) pixels.writeUIntLE(value, row + (x * kind.bits) / 8, kind.bits / 8);
      else {
        const at = row + ((x * kind.bits) >> 3);
        pixels[at] = (pixels[at] ?? 0) | (value << (8 - kind.bits - ((x * kind.bits) % 8)));
      }
    }
  return wrapBmp(image, pixels, kind);
}
