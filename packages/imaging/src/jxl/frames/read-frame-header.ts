import { AppError } from '@uprez/contracts/errors/app-error';
import { type BitReader, skipExtensions } from '../make-bit-reader.ts';
import { type JxlSize, type JxlStream, skipName } from '../read-jxl-header.ts';

/**
 * Frame types (ISO/IEC 18181-1, F.2): regular, low-frequency (reduced by a power of 8), reference only, and regular
 * without progressive rendering.
 */
export const frameKind = { regular: 0, small: 1, reference: 2, preliminary: 3 } as const;
const { regular, small, reference, preliminary } = frameKind;

/** A frame. `width` and `height`: size in pixels. `coded`: stored size, before upsampling. */
export type JxlFrame = JxlSize & {
  kind: number;
  isModular: boolean;
  coded: JxlSize;
  passes: number;
  groupSide: number;
  isLast: boolean;
};

const usesSmallFlag = 0x20n;
const [replaces, blends, addsWeighted, multiplies] = [0, 2, 3, 4];
const floatBits = 16;

/** Reads FrameHeader (F.2). `size`: size of the image, or of its preview. Throws AppError `corrupt_image`. */
export function readFrameHeader(bits: BitReader, stream: JxlStream, size: JxlSize): JxlFrame {
  if (bits.flag())
    return { ...size, kind: regular, isModular: false, coded: size, passes: 1, groupSide: 256, isLast: true };
  const kind = bits.take(2);
  const isModular = bits.flag();
  const flags = bits.large();
  const isYcbcr = !stream.isXyb && bits.flag();
  const isOwn = (flags & usesSmallFlag) === 0n;
  if (isYcbcr && isOwn) bits.skip(3 * 2);
  const upsampling = isOwn ? readUpsampling(bits, stream.extraShifts.length) : 1;
  const groupSide = isModular ? 128 << bits.take(2) : 256;
  if (!isModular && stream.isXyb) bits.skip(3 + 3);
  const passes = kind === reference ? 1 : readPasses(bits);
  const shrunk = kind === small ? 8 ** bits.choose(1, 2, 3, 4) : 1;
  const area = kind === small ? { ...size, isPartial: false } : readArea(bits, kind, size);
  const { isReplacing, hasDuration, isLast } = readBlendInfo(bits, stream, { kind, isPartial: area.isPartial });
  const saved = kind !== small && !isLast ? bits.take(2) : 0;
  const canBeSaved = kind !== small && !isLast && (!hasDuration || saved > 0);
  if (kind === reference || (kind !== small && canBeSaved && isReplacing && !area.isPartial)) bits.flag();
  skipName(bits);
  skipFilters(bits, isModular);
  skipExtensions(bits);
  const sides = { width: divideUp(area.width, shrunk), height: divideUp(area.height, shrunk) };
  const coded = { width: divideUp(sides.width, upsampling), height: divideUp(sides.height, upsampling) };
  return { ...sides, kind, isModular, coded, passes, groupSide, isLast };
}

const divideUp = (side: number, by: number) => Math.ceil(side / by);

function readUpsampling(bits: BitReader, extraChannels: number): number {
  const factor = bits.choose(1, 2, 4, 8);
  bits.skip(2 * extraChannels);
  return factor;
}

/** Reads the `Passes` bundle (ISO/IEC 18181-1, F.2). */
function readPasses(bits: BitReader): number {
  const passes = bits.choose(1, 2, 3, [4, 3]);
  if (passes === 1) return passes;
  const sizes = bits.choose(0, 1, 2, [3, 1]);
  bits.skip(2 * (passes - 1) + 2 * sizes);
  for (let i = 0; i < sizes; i++) bits.choose(0, 1, 2, [0, 3]);
  return passes;
}

function readArea(bits: BitReader, kind: number, size: JxlSize): JxlSize & { isPartial: boolean } {
  if (!bits.flag()) return { ...size, isPartial: false };
  const side = () => bits.choose([0, 8], [256, 11], [2_304, 14], [18_688, 30]);
  const offset = () => {
    const value = side();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const [left, top] = kind === reference ? [0, 0] : [offset(), offset()];
  const [width, height] = [side() || size.width, side() || size.height];
  const isPartial = left > 0 || top > 0 || left + width < size.width || top + height < size.height;
  return { width, height, isPartial: kind !== reference && isPartial };
}

type BlendInfo = { isReplacing: boolean; hasDuration: boolean; isLast: boolean };

/** Reads BlendingInfo (F.2) of the colors and of each extra channel, and the duration of the frame. */
function readBlendInfo(
  bits: BitReader,
  { animation, extraShifts }: JxlStream,
  { kind, isPartial }: { kind: number; isPartial: boolean },
): BlendInfo {
  if (kind !== regular && kind !== preliminary) return { isReplacing: true, hasDuration: false, isLast: false };
  const modes = Array.from({ length: 1 + extraShifts.length }, () =>
    readBlendMode(bits, extraShifts.length > 0, isPartial),
  );
  const hasDuration = animation !== undefined && bits.choose(0, 1, [0, 8], [0, 32]) > 0;
  if (animation?.hasTimeCodes) bits.skip(32);
  const isLast = bits.flag();
  return { isReplacing: modes[0] === replaces, hasDuration, isLast: isLast && kind === regular };
}

function readBlendMode(bits: BitReader, hasExtra: boolean, isPartial: boolean): number {
  const mode = bits.choose(0, 1, 2, [3, 2]);
  if (mode > multiplies) throw new AppError('corrupt_image');
  const usesAlpha = hasExtra && (mode === blends || mode === addsWeighted);
  if (usesAlpha) bits.choose(0, 1, 2, [3, 3]);
  if (usesAlpha || mode === multiplies) bits.flag();
  if (mode !== replaces || isPartial) bits.take(2);
  return mode;
}

/** Skips RestorationFilter (J.1). */
function skipFilters(bits: BitReader, isModular: boolean): void {
  if (bits.flag()) return;
  const isSmoothed = bits.flag();
  if (isSmoothed && bits.flag()) bits.skip(6 * floatBits);
  if (bits.take(2) > 0) skipEdgeFilter(bits, isModular);
  skipExtensions(bits);
}

function skipEdgeFilter(bits: BitReader, isModular: boolean): void {
  if (!isModular && bits.flag()) bits.skip(8 * floatBits);
  if (bits.flag()) bits.skip(5 * floatBits);
  if (bits.flag()) bits.skip((isModular ? 3 : 4) * floatBits);
  if (isModular) bits.skip(floatBits);
}
