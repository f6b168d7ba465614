import { AppError } from '@uprez/contracts/errors/app-error';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { readBmpColor } from '../color/read-bmp-color.ts';

type Masks = { red: number; green: number; blue: number; alpha: number };
export type BmpHeader = {
  width: number;
  height: number;
  isTopDown: boolean;
  bits: 1 | 2 | 4 | 8 | 16 | 24 | 32;
  isRunLength: boolean;
  masks: Masks;
  /** Red, green, and blue bytes of each palette color. */
  palette: Uint8Array;
  pixels: number;
};

const fileHeaderBytes = 14;
/** Size of BITMAPCOREHEADER, in bytes. This header has 16-bit sides and palette entries of three bytes. */
const coreHeaderBytes = 12;
const headerSizes = [coreHeaderBytes, 16, 40, 52, 56, 64, 108, 124];
const depths = [1, 2, 4, 8, 16, 24, 32];
/** BI_RGB, BI_RLE8, BI_RLE4, BI_BITFIELDS, BI_ALPHABITFIELDS. */
const [uncompressed, runs8, runs4, fields, alphaFields] = [0, 1, 2, 3, 6];
const defaultMasks: Record<number, Masks> = {
  16: { red: 0x7c00, green: 0x03e0, blue: 0x001f, alpha: 0 },
  32: { red: 0xff0000, green: 0xff00, blue: 0xff, alpha: 0 },
};
const noMasks: Masks = { red: 0, green: 0, blue: 0, alpha: 0 };

/**
 * Reads the header of a BMP (BITMAPCOREHEADER to BITMAPV5HEADER, OS/2 2.x). Throws AppError `corrupt_image` or
 * `unsupported_format`.
 */
export function readBmpHeader(file: Buffer): BmpHeader {
  const size = file.length < fileHeaderBytes + coreHeaderBytes ? 0 : file.readUInt32LE(fileHeaderBytes);
  if (!headerSizes.includes(size) || file.length < fileHeaderBytes + size) throw new AppError('corrupt_image');
  const isCore = size === coreHeaderBytes;
  const [width, storedHeight] = isCore
    ? [file.readUInt16LE(18), file.readUInt16LE(20)]
    : [file.readInt32LE(18), file.readInt32LE(22)];
  const bits = file.readUInt16LE(isCore ? 24 : 28);
  const compression = size >= 40 ? file.readUInt32LE(30) : uncompressed;
  checkKind(bits, compression);
  if (width <= 0 || storedHeight === 0 || storedHeight === -0x80000000) throw new AppError('corrupt_image');
  const masksAt = fileHeaderBytes + 40;
  const extraMasks = size === 40 ? ({ [fields]: 12, [alphaFields]: 16 }[compression] ?? 0) : 0;
  const paletteAt = fileHeaderBytes + size + extraMasks;
  const pixels = Math.max(file.readUInt32LE(10), paletteAt);
  return {
    width,
    height: Math.abs(storedHeight),
    isTopDown: storedHeight < 0,
    bits: bits as BmpHeader['bits'],
    isRunLength: compression === runs8 || compression === runs4,
    masks: readMasks(file, { size, bits, compression, at: masksAt }),
    palette: bits > 8 ? new Uint8Array(0) : readPalette(file.subarray(paletteAt, pixels), isCore ? 3 : 4, bits),
    pixels,
  };
}

function checkKind(bits: number, compression: number): void {
  if (compression === 4 || compression === 5)
    throw new AppError('unsupported_format', {
      detail: 'This BMP file contains a JPEG or PNG for a printer. Save it as JPEG or PNG first.',
    });
  const fits: Record<number, number[]> = { [runs8]: [8], [runs4]: [4], [fields]: [16, 32], [alphaFields]: [16, 32] };
  if (!depths.includes(bits) || !(compression === uncompressed || fits[compression]?.includes(bits)))
    throw new AppError('corrupt_image');
}

function readMasks(
  file: Buffer,
  { size, bits, compression, at }: { size: number; bits: number; compression: number; at: number },
): Masks {
  if (compression !== fields && compression !== alphaFields) return defaultMasks[bits] ?? noMasks;
  const hasAlpha = size >= 56 || compression === alphaFields;
  if (file.length < at + (hasAlpha ? 16 : 12)) throw new AppError('corrupt_image');
  const mask = (i: number) => file.readUInt32LE(at + i * 4);
  return { red: mask(0), green: mask(1), blue: mask(2), alpha: hasAlpha ? mask(3) : 0 };
}

/** Reads a palette of 2^`bits` colors. Colors that are missing from the file are black. */
function readPalette(bytes: Buffer, entryBytes: number, bits: number): Uint8Array {
  const colors = 2 ** bits;
  const palette = new Uint8Array(colors * 3);
  for (let i = 0; i < colors && (i + 1) * entryBytes <= bytes.length; i++)
    palette.set([bytes[i * entryBytes + 2] ?? 0, bytes[i * entryBytes + 1] ?? 0, bytes[i * entryBytes] ?? 0], i * 3);
  return palette;
}

/** Inspects a BMP. Throws AppError `corrupt_image` or `unsupported_format`. */
export function inspectBmp(file: Buffer): Inspection {
  const header = readBmpHeader(file);
  const channels = countBmpChannels(header);
  return {
    format: 'bmp',
    width: header.width,
    height: header.height,
    orientation: 1,
    channels,
    space: channels === 1 ? 'grey' : 'rgb',
    isPalette: header.bits <= 8 && channels > 1,
    bitDepth: 8,
    hasAlpha: channels === 4,
    hasProfile: readBmpColor(file).kind !== 'srgb',
    decodesWhole: true,
    frames: 1,
  };
}

/** Returns 1 for a gray palette, 4 for pixels with alpha, and 3 otherwise. */
export function countBmpChannels({ bits, palette, masks }: BmpHeader): 1 | 3 | 4 {
  if (bits > 8) return masks.alpha === 0 ? 3 : 4;
  return palette.every((sample, i) => sample === palette[i - (i % 3)]) ? 1 : 3;
}
