import { AppError } from '@uprez/contracts/errors/app-error';

/** Distribution of a field that is selected by two bits: a constant, or an offset and a number of bits. */
type Choice = number | readonly [offset: number, bits: number];
export type BitReader = ReturnType<typeof makeBitReader>;
/** Returns a byte of a codestream. Throws AppError `corrupt_image` beyond its end. */
export type ByteAt = (at: number) => number;

export const makeByteReader =
  (bytes: Uint8Array): ByteAt =>
  (at) => {
    const byte = bytes[at];
    if (byte === undefined) throw new AppError('corrupt_image');
    return byte;
  };

/**
 * Maximum number of bits that are taken in one step. Together with the remaining bits, they fit in a 31-bit integer.
 */
const maxTakeBits = 23;

function makeRawBitReader(byteAt: ByteAt, start: number) {
  // `held`: remaining bits of the byte before `at`, fewer than 8 between calls. `count`: the number of these bits.
  let [at, held, count] = [start, 0, 0];
  const takeFew = (bits: number): number => {
    while (count < bits) {
      held |= byteAt(at) << count;
      at++;
      count += 8;
    }
    const value = held & ((1 << bits) - 1);
    held >>>= bits;
    count -= bits;
    return value;
  };
  const take = (bits: number): number =>
    bits <= maxTakeBits ? takeFew(bits) : takeFew(maxTakeBits) + take(bits - maxTakeBits) * 2 ** maxTakeBits;
  const skip = (bits: number): void => {
    const moved = bits - count;
    if (moved < 0) return void takeFew(bits);
    at += Math.floor(moved / 8);
    [held, count] = [0, 0];
    takeFew(moved % 8);
  };
  const align = (): number => {
    [held, count] = [0, 0];
    return at;
  };
  return { take, skip, align };
}

/**
 * Returns a reader for the fields of a JPEG XL codestream (ISO/IEC 18181-1, B.2). Bits are read from the least
 * significant bit of each byte. Throws AppError `corrupt_image`.
 */
export function makeBitReader(byteAt: ByteAt, start: number) {
  const { take, skip, align } = makeRawBitReader(byteAt, start);
  const flag = () => take(1) === 1;
  /** Reads a U32 of the standard. */
  const choose = (...choices: readonly [Choice, Choice, Choice, Choice]): number => {
    const choice = choices[take(2)] as Choice;
    return typeof choice === 'number' ? choice : choice[0] + take(choice[1]);
  };
  /** Reads a U64, as defined by the standard (B.2.3). */
  const large = (): bigint => {
    const kind = take(2);
    if (kind < 3) return BigInt(kind === 0 ? 0 : kind === 1 ? 1 + take(4) : 17 + take(8));
    let value = BigInt(take(12));
    for (let shift = 12; flag(); shift += 8) {
      if (shift === 60) return value | (BigInt(take(4)) << 60n);
      value |= BigInt(take(8)) << BigInt(shift);
    }
    return value;
  };
  return {
    take,
    flag,
    choose,
    large,
    /** Skips a number of bits without reading the bytes in between. */
    skip,
    enumeration: () => choose(0, 1, [2, 4], [18, 6]),
    /** Moves to the next byte boundary, unless already at one. Returns the byte position. */
    align,
  };
}

/** Skips fields that later versions of the standard may add (B.3, "Extensions"). */
export function skipExtensions(bits: BitReader): void {
  let total = 0n;
  for (let present = bits.large(); present > 0n; present >>= 1n) if (present & 1n) total += bits.large();
  // Real files don't have larger extensions.
  if (total > 2n ** 40n) throw new AppError('corrupt_image');
  bits.skip(Number(total));
}
