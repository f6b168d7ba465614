import { AppError } from '@uprez/contracts/errors/app-error';
import type { ColorCodes } from '../color/encoding.ts';
import { type BitReader, readBits } from './read-bits.ts';

/** Facts of a JPEG XL image. `width` and `height`: as stored, before its orientation. */
export type JxlHeader = {
  width: number;
  height: number;
  orientation: number;
  bitDepth: number;
  /** Samples are floating-point numbers. */
  isFloat: boolean;
  isGrey: boolean;
  hasAlpha: boolean;
  /** A black channel, which makes the image CMYK. */
  hasBlack: boolean;
  isAnimated: boolean;
  /** Colors other than sRGB. */
  hasProfile: boolean;
  /** Its colors as code points of ITU-T H.273; undefined for profiles, and for chromaticities and gammas of its own. */
  codes?: ColorCodes;
};

const [alphaChannel, spotChannel, blackChannel, patternChannel] = [0, 2, 4, 5];
/** Sides as fractions of the height, by their number. */
const ratios = [1, 1, 12 / 10, 4 / 3, 3 / 2, 16 / 9, 5 / 4, 2];
const maxExtraChannels = 16;

/** Read the header of the codestream at byte `start` (ISO/IEC 18181-1, annex D), without decoding. Throws AppError. */
export function readJxlHeader(file: Buffer, start: number): JxlHeader {
  if (start + 2 > file.length || file.readUInt16BE(start) !== 0xff0a) throw new AppError('corrupt_image');
  const bits = readBits(file, start + 2);
  const size = readSize(bits);
  const plain = { orientation: 1, bitDepth: 8, isFloat: false, isGrey: false, isAnimated: false, hasProfile: false };
  if (bits.flag()) return { ...size, ...plain, hasAlpha: false, hasBlack: false };
  const { orientation, isAnimated } = bits.flag() ? readExtras(bits) : plain;
  const depth = readDepth(bits);
  bits.flag();
  const channels = readChannels(bits);
  bits.flag();
  return { ...size, orientation, isAnimated, ...depth, ...channels, ...readColors(bits) };
}

const sideOf = (bits: BitReader) => bits.choose([1, 9], [1, 13], [1, 18], [1, 30]);

function readSize(bits: BitReader): { width: number; height: number } {
  const isSmall = bits.flag();
  const side = () => (isSmall ? (bits.take(5) + 1) * 8 : sideOf(bits));
  const height = side();
  const ratio = bits.take(3);
  return { width: ratio === 0 ? side() : Math.floor(height * (ratios[ratio] as number) + 1e-9), height };
}

function readExtras(bits: BitReader): { orientation: number; isAnimated: boolean } {
  const orientation = 1 + bits.take(3);
  if (bits.flag()) readSize(bits);
  if (bits.flag()) skipPreview(bits);
  const isAnimated = bits.flag();
  if (isAnimated) skipAnimation(bits);
  return { orientation, isAnimated };
}

function skipPreview(bits: BitReader): void {
  const isSmall = bits.flag();
  const side = () =>
    isSmall ? bits.choose(16, 32, [1, 5], [33, 9]) : bits.choose([1, 6], [65, 8], [321, 10], [1_345, 12]);
  side();
  if (bits.take(3) === 0) side();
}

function skipAnimation(bits: BitReader): void {
  bits.choose(100, 1_000, [1, 10], [1, 30]);
  bits.choose(1, 1_001, [1, 8], [1, 10]);
  bits.choose(0, [0, 3], [0, 16], [0, 32]);
  bits.flag();
}

function readDepth(bits: BitReader): { isFloat: boolean; bitDepth: number } {
  const isFloat = bits.flag();
  const bitDepth = isFloat ? bits.choose(32, 16, 24, [1, 6]) : bits.choose(8, 10, 12, [1, 6]);
  if (isFloat) bits.take(4);
  return { isFloat, bitDepth };
}

function readChannels(bits: BitReader): { hasAlpha: boolean; hasBlack: boolean } {
  const count = bits.choose(0, 1, [2, 4], [1, 12]);
  if (count > maxExtraChannels) throw new AppError('corrupt_image', { limitName: 'image_structure' });
  const types = Array.from({ length: count }, () => readChannel(bits));
  return { hasAlpha: types.includes(alphaChannel), hasBlack: types.includes(blackChannel) };
}

function readChannel(bits: BitReader): number {
  if (bits.flag()) return alphaChannel;
  const type = bits.enumeration();
  readDepth(bits);
  bits.choose(0, 3, 4, [1, 3]);
  bits.take(8 * bits.choose(0, [0, 4], [16, 5], [48, 10]));
  if (type === alphaChannel) bits.flag();
  if (type === spotChannel) bits.take(4 * 16);
  if (type === patternChannel) bits.choose(1, [0, 2], [3, 4], [19, 8]);
  return type;
}

const greySpace = 1;
const [d65, srgbPrimaries, p3Primaries, srgbCurve, custom] = [1, 1, 11, 13, 2];
/** Display P3 in H.273. In JPEG XL, DCI P3 has its number, and another white. */
const displayP3 = 12;

function readColors(bits: BitReader): Pick<JxlHeader, 'isGrey' | 'hasProfile' | 'codes'> {
  if (bits.flag()) return { isGrey: false, hasProfile: false };
  const isEmbedded = bits.flag();
  const isGrey = bits.enumeration() === greySpace;
  const codes = isEmbedded ? undefined : readCodes(bits, isGrey);
  const isUsual = codes?.primaries === srgbPrimaries && codes.transfer === srgbCurve;
  return { isGrey, hasProfile: !isUsual, ...(codes && { codes }) };
}

function readCodes(bits: BitReader, isGrey: boolean): ColorCodes | undefined {
  if (bits.enumeration() !== d65) return undefined;
  const primaries = isGrey ? srgbPrimaries : bits.enumeration();
  if (primaries === custom || bits.flag()) return undefined;
  return { primaries: primaries === p3Primaries ? displayP3 : primaries, transfer: bits.enumeration() };
}
