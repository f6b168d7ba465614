import { sniffFormat } from '@uprez/imaging/sniff/sniff-format';
import type { PixelTraits } from './preview-pipeline.ts';

/** Number of bytes to read. Covers everything before the pixels, such as color profiles and metadata. */
export const headerBytes = 1024 * 1024;

const defaultTraits = { hasAlpha: false, isPalette: false, bitDepth: 8 } as const;

const readAscii = (bytes: Uint8Array, at: number, length = 4) =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/** Whether a PNG without an alpha channel declares a transparent color: a `tRNS` chunk before its pixels. */
function hasTransparentColor(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const name = readAscii(bytes, at + 4);
    if (name === 'tRNS') return true;
    if (name === 'IDAT') return false;
  }
  return false;
}

/**
 * Reads the traits of a PNG. Color type 3 is a palette. In other color types, the bit with the value 4 marks an alpha
 * channel (PNG specification).
 */
function readPngTraits(bytes: Uint8Array): PixelTraits {
  const [depth = 8, color = 0] = bytes.subarray(24, 26);
  const isPalette = color === 3;
  const hasAlpha = (color & 4) !== 0 || hasTransparentColor(bytes);
  return { format: 'png', hasAlpha, isPalette, bitDepth: isPalette ? 8 : Math.max(8, depth) };
}

/**
 * Reads the traits of a WebP. Extended and lossless files have their alpha flags at different offsets; simple lossy
 * files have none.
 */
function readWebpTraits(bytes: Uint8Array): PixelTraits {
  const kind = readAscii(bytes, 12);
  const flags = kind === 'VP8X' ? bytes[20] : kind === 'VP8L' ? bytes[24] : 0;
  return { ...defaultTraits, format: 'webp', hasAlpha: ((flags ?? 0) & 0x10) !== 0 };
}

/**
 * Whether the first image in a GIF leaves part of the canvas uncovered. Uncovered parts are transparent. Skips
 * extensions before the image.
 */
function hasUncoveredCanvas(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = bytes[10] ?? 0;
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (bytes[at] === 0x21) {
    for (at += 2; (bytes[at] ?? 0) > 0; ) at += (bytes[at] as number) + 1;
    at++;
  }
  if (bytes[at] !== 0x2c || at + 9 > bytes.length) return false;
  const [left, top, width, height] = [1, 3, 5, 7].map((offset) => view.getUint16(at + offset, true)) as Area;
  return left > 0 || top > 0 || width < view.getUint16(6, true) || height < view.getUint16(8, true);
}

type Area = [left: number, top: number, width: number, height: number];

/**
 * Reads the traits of a GIF. The 4 bytes of a graphic control extension start with flags, and the least significant bit
 * of the flags marks a transparent color.
 */
function readGifTraits(bytes: Uint8Array): PixelTraits {
  const hasAlpha = bytes.some(
    (byte, at) => byte === 0x21 && bytes[at + 1] === 0xf9 && bytes[at + 2] === 4 && ((bytes[at + 3] ?? 0) & 1) === 1,
  );
  return { ...defaultTraits, format: 'gif', hasAlpha: hasAlpha || hasUncoveredCanvas(bytes), isPalette: true };
}

/**
 * Number of bytes at the start of an ISO media file that contain the properties. In photos from phones, a long list of
 * tiles precedes the properties.
 */
const maxPropertyBytes = 64 * 1024;

/** For HEVC and for all ISO media files. */
const alphaTypes = ['urn:mpeg:hevc:2015:auxid:1\0', 'auxiliary:alpha'];

/**
 * Reads the traits of an AVIF or HEIC file. The alpha channel is an auxiliary image. The `pixi` box contains its
 * version, the number of channels, and the bits per channel.
 */
function readHeifTraits(bytes: Uint8Array, format: 'avif' | 'heic'): PixelTraits {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, maxPropertyBytes));
  const pixi = head.indexOf('pixi');
  const hasAlpha = alphaTypes.some((type) => head.includes(type));
  return { ...defaultTraits, format, hasAlpha, bitDepth: (pixi > 0 && bytes[pixi + 9]) || 8 };
}

/** Returns the pixel properties in a file's header, or undefined for formats that aren't read here. */
export function readPixelTraits(bytes: Uint8Array): PixelTraits | undefined {
  const format = sniffFormat(bytes)?.readable;
  if (format === 'jpeg') return { ...defaultTraits, format };
  if (format === 'png') return readPngTraits(bytes);
  if (format === 'webp') return readWebpTraits(bytes);
  if (format === 'gif') return readGifTraits(bytes);
  return format === 'avif' || format === 'heic' ? readHeifTraits(bytes, format) : undefined;
}
