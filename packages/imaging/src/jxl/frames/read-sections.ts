import { AppError } from '@uprez/contracts/errors/app-error';
import type { TakeStep } from '../../heif/read-boxes.ts';
import { openEntropy } from '../entropy/open-entropy.ts';
import type { BitReader } from '../read-bits.ts';
import type { JxlFrame } from './read-frame-header.ts';

/** Sections of a frame that decoders read. Images of 100 megapixels have 1,600. */
const maxSections = 65_536;
const orderContexts = 8;

/**
 * Read TOC (ISO/IEC 18181-1, F.3). Returns where the sections begin, and their number and bytes. `take` counts codes. Throws AppError
 * `image_too_complex` or `corrupt_image`.
 */
export function readSections(
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

/** One for a small frame. Else those with what all share, those of each large group, and those of each group and pass. */
function countSections({ coded, groupSide, passes }: JxlFrame): number {
  const groups = countGroups(coded, groupSide);
  return groups === 1 && passes === 1 ? 1 : 2 + countGroups(coded, 8 * groupSide) + groups * passes;
}

const countGroups = ({ width, height }: JxlFrame['coded'], side: number) =>
  Math.ceil(width / side) * Math.ceil(height / side);

/** Skip a permutation (F.3.2). */
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
