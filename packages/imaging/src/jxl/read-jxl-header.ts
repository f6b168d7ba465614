import { AppError } from '@uprez/contracts/errors/app-error';
import type { ColorCodes } from '../color/encoding.ts';
import { type BitReader, type ByteAt, makeBitReader } from './make-bit-reader.ts';

export type JxlSize = { width: number; height: number };
/** Properties of an animation that affect the frame headers. */
export type JxlAnimation = { hasTimeCodes: boolean };

/** Properties of a JPEG XL image. `width` and `height`: as stored, before the orientation is applied. */
export type JxlHeader = JxlSize & {
  orientation: number;
  bitDepth: number;
  isFloat: boolean;
  isGray: boolean;
  hasAlpha: boolean;
  /** Whether the image has a black channel, which makes it CMYK. */
  hasBlack: boolean;
  isAnimated: boolean;
  hasProfile: boolean;
  /** The colors as code points of ITU-T H.273. Undefined for ICC profiles, and for custom chromaticities and gammas. */
  codes?: ColorCodes;
};

/** Header of the image, and other fields that are needed to read its frames. */
export type JxlStream = {
  header: JxlHeader;
  preview?: JxlSize;
  animation?: JxlAnimation;
  /** Subsampling of each extra channel, as a power of two. */
  extraShifts: readonly number[];
  /** Whether pixels are stored in the XYB color space. */
  isXyb: boolean;
  hasIcc: boolean;
  /** Whether ImageMetadata has its optional fields, such as tone mapping. Few images have them. */
  hasMore: boolean;
  isDefault: boolean;
};

const [alphaChannel, spotChannel, blackChannel, patternChannel] = [0, 2, 4, 5];
/** Width relative to the height, by ratio code. */
const ratios = [1, 1, 12 / 10, 4 / 3, 3 / 2, 16 / 9, 5 / 4, 2];
const maxExtraChannels = 16;
export const signatureBytes = 2;

/** Reads the header of a codestream (ISO/IEC 18181-1, annex D), without decoding. Throws AppError `corrupt_image`. */
export function readJxlHeader(byteAt: ByteAt): JxlHeader {
  if (byteAt(0) !== 0xff || byteAt(1) !== 0x0a) throw new AppError('corrupt_image');
  return readJxlStream(makeBitReader(byteAt, signatureBytes)).header;
}

/** Reads SizeHeader and ImageMetadata (D.2 and D.3) up to and including the colors. Throws AppError `corrupt_image`. */
export function readJxlStream(bits: BitReader): JxlStream {
  const size = readSize(bits);
  const plain = { orientation: 1, bitDepth: 8, isFloat: false, isGray: false, isAnimated: false, hasProfile: false };
  if (bits.flag()) {
    const header = { ...size, ...plain, hasAlpha: false, hasBlack: false };
    return { header, extraShifts: [], isXyb: true, hasIcc: false, hasMore: false, isDefault: true };
  }
  const hasMore = bits.flag();
  const { orientation, ...more } = hasMore ? readOptionalFields(bits) : { orientation: 1 };
  const depth = readDepth(bits);
  bits.flag();
  const { shifts: extraShifts, ...channels } = readChannels(bits);
  const isXyb = bits.flag();
  const { hasIcc, ...colors } = readJxlColors(bits);
  const isAnimated = more.animation !== undefined;
  const header = { ...size, orientation, isAnimated, ...depth, ...channels, ...colors };
  return { header, ...more, extraShifts, isXyb, hasIcc, hasMore, isDefault: false };
}

const readSide = (bits: BitReader) => bits.choose([1, 9], [1, 13], [1, 18], [1, 30]);

function readSize(bits: BitReader): JxlSize {
  const isSmall = bits.flag();
  return readSides(bits, () => (isSmall ? (bits.take(5) + 1) * 8 : readSide(bits)));
}

function readSides(bits: BitReader, side: () => number): JxlSize {
  const height = side();
  const ratio = bits.take(3);
  return { width: ratio === 0 ? side() : Math.floor(height * (ratios[ratio] as number) + 1e-9), height };
}

function readOptionalFields(bits: BitReader): { orientation: number; preview?: JxlSize; animation?: JxlAnimation } {
  const orientation = 1 + bits.take(3);
  if (bits.flag()) readSize(bits);
  const preview = bits.flag() ? readPreview(bits) : undefined;
  const animation = bits.flag() ? readAnimation(bits) : undefined;
  return { orientation, ...(preview && { preview }), ...(animation && { animation }) };
}

function readPreview(bits: BitReader): JxlSize {
  const isSmall = bits.flag();
  const side = () =>
    isSmall ? 8 * bits.choose(16, 32, [1, 5], [33, 9]) : bits.choose([1, 6], [65, 8], [321, 10], [1_345, 12]);
  return readSides(bits, side);
}

function readAnimation(bits: BitReader): JxlAnimation {
  bits.choose(100, 1_000, [1, 10], [1, 30]);
  bits.choose(1, 1_001, [1, 8], [1, 10]);
  bits.choose(0, [0, 3], [0, 16], [0, 32]);
  return { hasTimeCodes: bits.flag() };
}

function readDepth(bits: BitReader): { isFloat: boolean; bitDepth: number } {
  const isFloat = bits.flag();
  const bitDepth = isFloat ? bits.choose(32, 16, 24, [1, 6]) : bits.choose(8, 10, 12, [1, 6]);
  if (isFloat) bits.take(4);
  return { isFloat, bitDepth };
}

function readChannels(bits: BitReader): { hasAlpha: boolean; hasBlack: boolean; shifts: number[] } {
  const count = bits.choose(0, 1, [2, 4], [1, 12]);
  if (count > maxExtraChannels) throw new AppError('corrupt_image', { limitName: 'image_structure' });
  const channels = Array.from({ length: count }, () => readChannel(bits));
  const has = (wanted: number) => channels.some(({ type }) => type === wanted);
  return { hasAlpha: has(alphaChannel), hasBlack: has(blackChannel), shifts: channels.map(({ shift }) => shift) };
}

function readChannel(bits: BitReader): { type: number; shift: number } {
  if (bits.flag()) return { type: alphaChannel, shift: 0 };
  const type = bits.enumeration();
  readDepth(bits);
  const shift = bits.choose(0, 3, 4, [1, 3]);
  skipName(bits);
  if (type === alphaChannel) bits.flag();
  if (type === spotChannel) bits.skip(4 * 16);
  if (type === patternChannel) bits.choose(1, [0, 2], [3, 4], [19, 8]);
  return { type, shift };
}

export const skipName = (bits: BitReader): void => bits.skip(8 * bits.choose(0, [0, 4], [16, 5], [48, 10]));

type JxlColors = { isGray: boolean; hasProfile: boolean; hasIcc: boolean; codes?: ColorCodes };

const [graySpace, xybSpace] = [1, 2];
const [d65, srgbPrimaries, p3Primaries, srgbCurve, custom] = [1, 1, 11, 13, 2];
/** Display P3 in H.273. JPEG XL uses the code point of DCI P3 for it, which has a different white point in H.273. */
const displayP3 = 12;
const gammaBits = 24;

/** Reads ColourEncoding (ISO/IEC 18181-1, E.2). Throws AppError `corrupt_image`. */
function readJxlColors(bits: BitReader): JxlColors {
  if (bits.flag()) return { isGray: false, hasProfile: false, hasIcc: false };
  const hasIcc = bits.flag();
  const space = bits.enumeration();
  const isGray = space === graySpace;
  const codes = hasIcc ? undefined : readCodes(bits, space);
  const isUsual = codes?.primaries === srgbPrimaries && codes.transfer === srgbCurve;
  return { isGray, hasProfile: !isUsual, hasIcc, ...(codes && { codes }) };
}

function readCodes(bits: BitReader, space: number): ColorCodes | undefined {
  const isXyb = space === xybSpace;
  const white = isXyb ? d65 : bits.enumeration();
  if (white === custom) skipChromaticities(bits, 1);
  const primaries = isXyb || space === graySpace ? srgbPrimaries : bits.enumeration();
  if (primaries === custom) skipChromaticities(bits, 3);
  const hasGamma = !isXyb && bits.flag();
  if (hasGamma) bits.skip(gammaBits);
  const transfer = isXyb || hasGamma ? undefined : bits.enumeration();
  // Skips the rendering intent.
  bits.enumeration();
  if (white !== d65 || primaries === custom || transfer === undefined) return undefined;
  return { primaries: primaries === p3Primaries ? displayP3 : primaries, transfer };
}

function skipChromaticities(bits: BitReader, count: number): void {
  for (let i = 0; i < 2 * count; i++) bits.choose([0, 19], [524_288, 19], [1_048_576, 20], [2_097_152, 21]);
}
