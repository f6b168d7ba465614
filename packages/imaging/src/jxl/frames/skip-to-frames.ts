import { AppError } from '@uprez/contracts/errors/app-error';
import type { TakeStep } from '../../heif/read-boxes.ts';
import { openEntropy } from '../entropy/open-entropy.ts';
import { type BitReader, skipExtensions } from '../read-bits.ts';
import type { JxlStream } from '../read-jxl-header.ts';

const float = 16;
/** Intensity target, least intensity, and the end of the linear part, which a flag precedes. */
const toneMappingBits = 3 * float + 1;
/** An inverse matrix, and the biases of colors and of their rounding. */
const inverseBits = (9 + 3 + 4) * float;
/** Numbers of the weights for upsampling by 2, 4, and 8. */
const weights = [15, 55, 210];

/** Contexts of the bytes of a profile (ISO/IEC 18181-1, E.4.1). */
const profileContexts = 41;
/** Bytes of a profile. Those of RGB images have fewer, and an inspection has no CPU time to read many more. */
const maxProfileBytes = 4 * 1_024 * 1_024;
/** The first bytes have one context. */
const profileHeaderBytes = 128;

/**
 * Skip the fields between the colors and the first frame: tone mapping, extensions, the weights of ImageMetadata (D.3), and the
 * profile. `take` counts codes. Throws AppError `corrupt_image`.
 */
export function skipToFrames(bits: BitReader, { isDefault, hasMore, isXyb, hasIcc }: JxlStream, take: TakeStep): void {
  if (hasMore && !bits.flag()) bits.skip(toneMappingBits);
  if (!isDefault) skipExtensions(bits);
  if (!bits.flag()) skipTransform(bits, isXyb);
  if (hasIcc) skipProfile(bits, take);
}

function skipTransform(bits: BitReader, isXyb: boolean): void {
  if (isXyb && !bits.flag()) bits.skip(inverseBits);
  const given = bits.take(weights.length);
  for (const [i, count] of weights.entries()) if ((given >> i) & 1) bits.skip(count * float);
}

/** Read the bytes of a packed profile (E.4.1), because their number alone doesn't tell where they end. */
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

/** Classes of all bytes: letters, parts of numbers, and by value. */
const classes = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (isLetter.test(character)) return 0;
  if (isNumber.test(character)) return 1;
  if (byte < 2) return 2 + byte;
  if (byte < 16) return 4;
  return byte > 240 ? (byte === 255 ? 6 : 5) : 7;
});
const classOf = (byte: number) => classes[byte] as number;
/** The same without the distinctions between small and between large values. */
const coarseClasses = classes.map((one) => [0, 1, 2, 2, 2, 3, 3, 4][one] as number);
const coarseClassOf = (byte: number) => coarseClasses[byte] as number;
