import { AppError } from '@uprez/contracts/errors/app-error';
import { countStep, type TakeStep } from '../../heif/read-boxes.ts';
import { openEntropy } from '../entropy/open-entropy.ts';
import { type BitReader, makeBitReader, skipExtensions } from '../make-bit-reader.ts';
import { CutCodestream, MissingBytes, openCodestream } from '../open-codestream.ts';
import { type JxlSize, type JxlStream, readJxlStream, signatureBytes } from '../read-jxl-header.ts';
import { type JxlFrame, readFrameHeader } from './read-frame-header.ts';

export type WalkedFrame = JxlFrame & { sections: number; bytes: number };
/** The frames of an image, including its preview. */
export type JxlFrames = {
  stream?: JxlStream;
  frames: readonly WalkedFrame[];
  /** Offset in the codestream after the last frame that was read. */
  end: number;
  /** Whether there may be more frames, because the rest of the codestream couldn't be read. */
  isUnclear: boolean;
};

type WalkOptions = {
  take: TakeStep;
  isLoaded?: (from: number, until: number) => boolean;
  /** Called for each frame. May throw to end the walk. */
  onFrame?: (frame: WalkedFrame, stream: JxlStream) => void;
};

/**
 * Walks the frames of a JPEG XL file (ISO/IEC 18181-1, annex F). Like decoders, ends at the last frame or at the end of
 * the file. `run` returns the range that must be loaded before it can continue, or undefined at the end. Throws
 * AppError `corrupt_image` if the file has more boxes, frames, and codes than real files have, AppError
 * `image_too_complex`, and the errors of `onFrame`.
 */
export function openFrameWalk(file: Buffer, { onFrame, ...access }: WalkOptions) {
  const frames: WalkedFrame[] = [];
  const byteAt = openCodestream(file, access);
  const { take } = access;
  let stream: JxlStream | undefined;
  let preview: JxlSize | undefined;
  let at = signatureBytes;
  let [isWhole, isCut] = [false, false];

  const readStart = () => {
    const bits = makeBitReader(byteAt, at);
    const found = readJxlStream(bits);
    skipToFrames(bits, found, take);
    at = bits.align();
    preview = found.preview;
    stream = found;
  };
  /** Reads a frame. Returns whether it is the last one. */
  const readFrame = (known: JxlStream): boolean => {
    const bits = makeBitReader(byteAt, at);
    const frame = readFrameHeader(bits, known, preview ?? known.header);
    const { start, ...sections } = readSections(bits, frame, take);
    at = start + sections.bytes;
    const isLast = frame.isLast && !preview;
    preview = undefined;
    const walked = { ...frame, ...sections };
    frames.push(walked);
    countStep(take);
    onFrame?.(walked, known);
    return isLast;
  };
  const run = (): MissingBytes | undefined => {
    try {
      if (!stream) readStart();
      while (stream && !isWhole) isWhole = readFrame(stream);
    } catch (error) {
      if (error instanceof MissingBytes) return error;
      isCut = error instanceof CutCodestream;
      if (!isCut && !isDamageError(error)) throw error;
    }
    return undefined;
  };
  const found = (): JxlFrames => ({ ...(stream && { stream }), frames, end: at, isUnclear: !isWhole && !isCut });
  return { run, found };
}

const isDamageError = (error: unknown) =>
  error instanceof AppError && error.code === 'corrupt_image' && error.limitName === undefined;

/** Maximum sections of a frame that decoders read. Images of 100 megapixels have 1,600. */
const maxSections = 65_536;
const orderContexts = 8;

/** Reads TOC (ISO/IEC 18181-1, F.3). `take` counts codes. Throws AppError `image_too_complex` or `corrupt_image`. */
function readSections(
  bits: BitReader,
  frame: JxlFrame,
  take: TakeStep,
): { start: number; sections: number; bytes: number } {
  const count = countSections(frame);
  if (count > maxSections) throw new AppError('image_too_complex', { meta: { limit: maxSections, value: count } });
  if (bits.flag()) skipOrder(bits, count, take);
  bits.align();
  let bytes = 0;
  for (let i = 0; i < count; i++) bytes += bits.choose([0, 10], [1_024, 14], [17_408, 22], [4_211_712, 30]);
  return { start: bits.align(), sections: count, bytes };
}

/**
 * Returns the number of sections in a frame. A small frame has one section. Other frames have two shared sections, one
 * for each large group, and one for each group in each pass.
 */
function countSections({ coded, groupSide, passes }: JxlFrame): number {
  const groups = countGroups(coded, groupSide);
  return groups === 1 && passes === 1 ? 1 : 2 + countGroups(coded, 8 * groupSide) + groups * passes;
}

const countGroups = ({ width, height }: JxlFrame['coded'], side: number) =>
  Math.ceil(width / side) * Math.ceil(height / side);

/** Skips the permutation of the TOC entries (F.3.2). */
function skipOrder(bits: BitReader, count: number, take: TakeStep): void {
  const { read, checkEnd } = openEntropy(bits, { contexts: orderContexts, take });
  const contextOf = (value: number) => Math.min(orderContexts - 1, Math.ceil(Math.log2(value + 1)));
  const moved = read(contextOf(count));
  if (moved > count) throw new AppError('corrupt_image');
  let last = 0;
  for (let i = 0; i < moved; i++) {
    last = read(contextOf(last));
    if (last >= count - i) throw new AppError('corrupt_image');
  }
  checkEnd();
}

const floatBits = 16;
/** Bits of the intensity target, the minimum intensity, a flag, and the end of the linear part. */
const toneMappingBits = 3 * floatBits + 1;
/** Bits of the inverse color matrix, and of the color and quantization biases. */
const inverseMatrixBits = (9 + 3 + 4) * floatBits;
/** Number of weights for upsampling by 2, by 4, and by 8. */
const upsamplingWeightCounts = [15, 55, 210];

/** Number of contexts for the bytes of a profile (ISO/IEC 18181-1, E.4.1). */
const profileContexts = 41;
/**
 * Maximum size of a profile, in bytes. Profiles of RGB images are smaller, and an inspection doesn't have the CPU time
 * to read much more.
 */
const maxProfileBytes = 4 * 1_024 * 1_024;
/** Number of bytes at the start of a profile that share one context. */
const profileHeaderBytes = 128;

/**
 * Skips the fields between the colors and the first frame: tone mapping, extensions, the weights of ImageMetadata
 * (D.3), and the profile. `take` counts codes. Throws AppError `corrupt_image`.
 */
function skipToFrames(bits: BitReader, { isDefault, hasMore, isXyb, hasIcc }: JxlStream, take: TakeStep): void {
  if (hasMore && !bits.flag()) bits.skip(toneMappingBits);
  if (!isDefault) skipExtensions(bits);
  if (!bits.flag()) skipTransform(bits, isXyb);
  if (hasIcc) skipProfile(bits, take);
}

function skipTransform(bits: BitReader, isXyb: boolean): void {
  if (isXyb && !bits.flag()) bits.skip(inverseMatrixBits);
  const given = bits.take(upsamplingWeightCounts.length);
  for (const [i, count] of upsamplingWeightCounts.entries()) if ((given >> i) & 1) bits.skip(count * floatBits);
}

/**
 * Skips a compressed profile (E.4.1). The bytes must be decoded, because their number alone doesn't determine where
 * they end in the codestream.
 */
function skipProfile(bits: BitReader, take: TakeStep): void {
  const size = Number(bits.large());
  if (size > maxProfileBytes) throw new AppError('corrupt_image');
  const { read, checkEnd } = openEntropy(bits, { contexts: profileContexts, take });
  let [last, before] = [0, 0];
  for (let i = 0; i < size; i++) {
    const byte = read(i <= profileHeaderBytes ? 0 : contextOf(last, before));
    if (byte > 255) throw new AppError('corrupt_image');
    [before, last] = [last, byte];
  }
  checkEnd();
}

const contextOf = (last: number, before: number) => 1 + classOf(last) + 8 * coarseClassOf(before);

const [isLetter, isNumber] = [/[a-z]/i, /[0-9.,]/];

/** Class of each byte: letters, characters of numbers, and others by value. */
const classes = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (isLetter.test(character)) return 0;
  if (isNumber.test(character)) return 1;
  if (byte < 2) return 2 + byte;
  if (byte < 16) return 4;
  return byte > 240 ? (byte === 255 ? 6 : 5) : 7;
});
const classOf = (byte: number) => classes[byte] as number;
/** Class of each byte, without the distinctions among small values and among large values. */
const coarseClasses = classes.map((one) => [0, 1, 2, 2, 2, 3, 3, 4][one] as number);
const coarseClassOf = (byte: number) => coarseClasses[byte] as number;
