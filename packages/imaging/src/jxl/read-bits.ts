import { AppError } from '@uprez/contracts/errors/app-error';

/** A field that is chosen by two bits: a constant, or an offset and a number of bits. */
type Choice = number | readonly [offset: number, bits: number];
export type BitReader = ReturnType<typeof readBits>;

/** Read the fields of a JPEG XL codestream (ISO/IEC 18181-1, B.2), the lowest bit first. Throws AppError `corrupt_image`. */
export function readBits(bytes: Buffer, start: number) {
  let at = start * 8;
  const take = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, at++) {
      const byte = bytes[at >> 3];
      if (byte === undefined) throw new AppError('corrupt_image');
      value += ((byte >> (at & 7)) & 1) * 2 ** i;
    }
    return value;
  };
  const flag = () => take(1) === 1;
  /** U32 of the standard. */
  const choose = (...choices: readonly [Choice, Choice, Choice, Choice]): number => {
    const choice = choices[take(2)] as Choice;
    return typeof choice === 'number' ? choice : choice[0] + take(choice[1]);
  };
  return { take, flag, choose, enumeration: () => choose(0, 1, [2, 4], [18, 6]) };
}
