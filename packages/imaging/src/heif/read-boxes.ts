import { AppError } from '@uprez/contracts/errors/app-error';

/** A box (ISO/IEC 14496-12): its type, and the start and end of its content in the file. */
export type Box = { type: string; start: number; end: number };
/** Counts a step of the parser. Returns false if the budget is used up. */
export type TakeStep = () => boolean;

const makeCorruptError = () => new AppError('corrupt_image');
const headerBytes = 8;

/** Counts a step. Throws AppError `corrupt_image` if the budget is used up, which doesn't happen with real files. */
export function countStep(take: TakeStep): void {
  if (!take()) throw new AppError('corrupt_image', { limitName: 'image_structure' });
}

/**
 * Reads the header of the box at `at`, which may extend to `until`. Returns undefined if a header doesn't fit. Throws
 * AppError `corrupt_image` if the box is shorter than its header or longer than its parent.
 */
export function readBox(file: Buffer, at: number, until: number): Box | undefined {
  if (at + headerBytes > until) return undefined;
  const short = file.readUInt32BE(at);
  const isLong = short === 1;
  if (isLong && at + 2 * headerBytes > until) throw makeCorruptError();
  const start = at + (isLong ? 2 : 1) * headerBytes;
  const end = short === 0 ? until : at + (isLong ? Number(file.readBigUInt64BE(at + headerBytes)) : short);
  if (end < start || end > until) throw makeCorruptError();
  return { type: file.toString('latin1', at + 4, at + headerBytes), start, end };
}

/** Lists the boxes from `start` up to `end`. Throws AppError `corrupt_image`. */
export function listBoxes(file: Buffer, { start, end }: Pick<Box, 'start' | 'end'>, take: TakeStep): Box[] {
  const boxes: Box[] = [];
  for (let at = start; ; ) {
    const box = readBox(file, at, end);
    if (!box) return boxes;
    countStep(take);
    boxes.push(box);
    at = box.end;
  }
}

export type FieldReader = ReturnType<typeof makeFieldReader>;

/** Reads the big-endian fields of a box in order. Reading beyond the end of the box throws AppError `corrupt_image`. */
export function makeFieldReader(file: Buffer, { start, end }: Pick<Box, 'start' | 'end'>) {
  let at = start;
  const move = (bytes: number) => {
    at += bytes;
    if (at > end) throw makeCorruptError();
    return at - bytes;
  };
  const unsigned = (bytes: number): number => {
    const from = move(bytes);
    if (bytes === 0) return 0;
    return bytes === 8 ? Number(file.readBigUInt64BE(from)) : file.readUIntBE(from, bytes);
  };
  const text = (bytes: number) => {
    const from = move(bytes);
    return file.toString('latin1', from, from + bytes);
  };
  const zeroEnded = () => {
    const zero = file.subarray(at, end).indexOf(0);
    const value = text(zero < 0 ? end - at : zero);
    if (at < end) at += 1;
    return value;
  };
  return {
    unsigned,
    signed: () => file.readInt32BE(move(4)),
    text,
    zeroEnded,
    advance: (bytes: number) => void move(bytes),
    /** Reads the version and flags of a full box. */
    full: () => ({ version: unsigned(1), flags: unsigned(3) }),
    at: () => at,
    isAtEnd: () => at >= end,
  };
}
