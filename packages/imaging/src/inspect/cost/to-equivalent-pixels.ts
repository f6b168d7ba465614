import type { InputFormat } from '@uprez/contracts/policy/images/image-formats';

/**
 * Number of pixels that take as long to decode as a byte of data. Measured with noise at the highest quality, and with
 * compressed data without pixels.
 */
const pixelsPerByte = {
  jpeg: 0.5,
  png: 3,
  webp: 1,
  tiff: 3,
  avif: 2,
  heic: 1.5,
  jxl: 0.2,
} as const satisfies Partial<Record<InputFormat, number>>;

export const toEquivalentPixels = (format: keyof typeof pixelsPerByte, bytes: number): number =>
  Math.max(0, Math.ceil(bytes * pixelsPerByte[format]));
