import { AppError } from '@uprez/contracts/errors/app-error';
import type { BitReader } from '../read-bits.ts';

/** Returns the next symbol of a stream. */
export type ReadSymbol = (bits: BitReader) => number;

const maxLength = 15;
/** Which lengths of codes are named first (RFC 7932, 3.5). */
const lengthOrder = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const [repeatLast, repeatZero] = [16, 17];

/**
 * Read a prefix code of Brotli for symbols below `size` (ISO/IEC 18181-1, C.2.4; RFC 7932, 3.4 and 3.5). Throws AppError
 * `corrupt_image`.
 */
export function readPrefixCode(bits: BitReader, size: number): ReadSymbol {
  if (size === 1) return () => 0;
  const skipped = bits.take(2);
  return skipped === 1 ? readSimpleCode(bits, size) : makeCode(readLengths(bits, size, skipped));
}

/** Codes of up to four symbols, in the order of their lengths. */
function readSimpleCode(bits: BitReader, size: number): ReadSymbol {
  const width = Math.ceil(Math.log2(size));
  const symbols = Array.from({ length: bits.take(2) + 1 }, () => bits.take(width));
  if (symbols.some((symbol) => symbol >= size) || new Set(symbols).size < symbols.length) throw corrupt();
  if (symbols.length === 1) return () => symbols[0] as number;
  const isSkewed = symbols.length === 3 || (symbols.length === 4 && bits.flag());
  const even = symbols.length === 2 ? 1 : 2;
  const lengths = new Uint8Array(size);
  for (const [i, symbol] of symbols.entries()) lengths[symbol] = isSkewed ? Math.min(i + 1, symbols.length - 1) : even;
  return makeCode(lengths);
}

/** The lengths of all codes, which have a prefix code of their own. */
function readLengths(bits: BitReader, size: number, skipped: number): Uint8Array {
  const own = new Uint8Array(lengthOrder.length);
  let space = 32;
  for (let i = skipped; i < lengthOrder.length && space > 0; i++) {
    const length = readOwnLength(bits);
    own[lengthOrder[i] as number] = length;
    if (length > 0) space -= 32 >> length;
  }
  const named = own.filter((length) => length > 0).length;
  if (named === 0 || (named > 1 && space !== 0)) throw corrupt();
  return readRuns(bits, size, makeCode(own));
}

function readOwnLength(bits: BitReader): number {
  const start = bits.take(2);
  if (start < 3) return [0, 4, 3][start] as number;
  if (!bits.flag()) return 2;
  return bits.flag() ? 5 : 1;
}

function readRuns(bits: BitReader, size: number, readLength: ReadSymbol): Uint8Array {
  const lengths = new Uint8Array(size);
  let space = 2 ** maxLength;
  let [last, run, runKind] = [8, 0, -1];
  for (let at = 0; at < size && space > 0; ) {
    const kind = readLength(bits);
    if (kind < repeatLast) {
      runKind = -1;
      lengths[at++] = kind;
      if (kind > 0) {
        last = kind;
        space -= 2 ** (maxLength - kind);
      }
      continue;
    }
    // A run that follows one of its kind extends it.
    const before = kind === runKind ? run : 0;
    const extraBits = kind - 14;
    run = (before > 0 ? (before - 2) * 2 ** extraBits : 0) + bits.take(extraBits) + 3;
    runKind = kind;
    const end = at + run - before;
    if (end > size) throw corrupt();
    const length = kind === repeatZero ? 0 : last;
    if (length > 0) space -= (end - at) * 2 ** (maxLength - length);
    lengths.fill(length, at, end);
    at = end;
  }
  if (space !== 0) throw corrupt();
  return lengths;
}

/** The canonical code with these lengths, the highest bit first. A single symbol takes no bits. */
function makeCode(lengths: Uint8Array): ReadSymbol {
  const counts = new Uint32Array(maxLength + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] as number) + 1;
  const starts = new Uint32Array(maxLength + 2);
  for (let i = 1; i <= maxLength; i++) starts[i + 1] = (starts[i] as number) + (counts[i] as number);
  const symbols = new Uint16Array(starts[maxLength + 1] as number);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    symbols[starts[length] as number] = symbol;
    starts[length] = (starts[length] as number) + 1;
  }
  if (symbols.length === 1) return () => symbols[0] as number;
  return (bits) => {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length <= maxLength; length++) {
      code += bits.take(1);
      const count = counts[length] as number;
      if (code - first < count) return symbols[index + code - first] as number;
      index += count;
      first = (first + count) * 2;
      code *= 2;
    }
    throw corrupt();
  };
}

const corrupt = () => new AppError('corrupt_image');
