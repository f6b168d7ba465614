import { AppError } from '@uprez/contracts/errors/app-error';

/** A field that is chosen by two bits: a constant, or an offset and a number of bits. */
type Choice = number | readonly [offset: number, bits: number];
export type BitReader = ReturnType<typeof readBits>;
/** Returns a byte of a codestream. Throws AppError `corrupt_image` beyond its end. */
export type ByteAt = (at: number) => number;

/** Read bytes of a buffer. */
export const bytesOf =
  (bytes: Uint8Array): ByteAt =>
  (at) => {
    const byte = bytes[at];
    if (byte === undefined) throw new AppError('corrupt_image');
    return byte;
  };

/** Read the fields of a JPEG XL codestream (ISO/IEC 18181-1, B.2), the lowest bit first. Throws AppError `corrupt_image`. */
export function readBits(byteAt: ByteAt, start: number) {
  // The next bit is `bit` of byte `at`. Byte `heldAt` is kept.
  let [at, bit, held, heldAt] = [start, 0, 0, -1];
  const take = (count: number): number => {
    let value = 0;
    for (let filled = 0; filled < count; ) {
      if (heldAt !== at) [held, heldAt] = [byteAt(at), at];
      const used = Math.min(8 - bit, count - filled);
      value += ((held >> bit) & ((1 << used) - 1)) * 2 ** filled;
      filled += used;
      bit += used;
      if (bit === 8) {
        at++;
        bit = 0;
      }
    }
    return value;
  };
  const skip = (count: number): void => {
    const moved = bit + count;
    at += Math.floor(moved / 8);
    bit = moved % 8;
  };
  const flag = () => take(1) === 1;
  /** U32 of the standard. */
  const choose = (...choices: readonly [Choice, Choice, Choice, Choice]): number => {
    const choice = choices[take(2)] as Choice;
    return typeof choice === 'number' ? choice : choice[0] + take(choice[1]);
  };
  /** U64 of the standard (B.2.3). */
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
    /** Go on after so many bits, which aren't read. */
    skip,
    enumeration: () => choose(0, 1, [2, 4], [18, 6]),
    /** Go on at the next byte, unless the current one is unread. Returns its position. */
    align: () => {
      if (bit > 0) skip(8 - bit);
      return at;
    },
  };
}

/** Skip fields that later versions of the standard may add (B.3, "Extensions"). */
export function skipExtensions(bits: BitReader): void {
  let total = 0n;
  for (let present = bits.large(); present > 0n; present >>= 1n) if (present & 1n) total += bits.large();
  // More than any file has.
  if (total > 2n ** 40n) throw new AppError('corrupt_image');
  bits.skip(Number(total));
}
