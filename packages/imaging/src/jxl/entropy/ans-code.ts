import { AppError } from '@uprez/contracts/errors/app-error';
import type { BitReader } from '../make-bit-reader.ts';

/** Binary logarithm of the sum of all frequencies (ISO/IEC 18181-1, C.2.5). */
const precision = 12;
const frequencyTotal = 2 ** precision;
/** State of a decoder after the last symbol (C.2.3). */
const finalState = 0x130000;
/** Code that starts a run of symbols with the same frequency as the previous symbol. */
const repeatCode = 13;

/**
 * Alias table that maps 4,096 values to symbols. In each bucket, values below the cutoff map to the bucket's own
 * symbol, and other values map to the bucket's entry in `symbols`.
 */
type AnsCode = {
  bucketBits: number;
  frequencies: Uint16Array;
  cutoffs: Uint16Array;
  symbols: Uint16Array;
  offsets: Uint16Array;
};

/**
 * Opens a stream of asymmetric numeral systems (ANS). The first 32 bits of the stream are its initial state (C.2.3).
 */
export function makeAnsReader(bits: BitReader) {
  let state = bits.take(32);
  const read = ({ bucketBits, frequencies, cutoffs, symbols, offsets }: AnsCode): number => {
    const index = state & (frequencyTotal - 1);
    const [bucket, place] = [index >> bucketBits, index & ((1 << bucketBits) - 1)];
    const isOther = place >= (cutoffs[bucket] as number);
    const symbol = isOther ? (symbols[bucket] as number) : bucket;
    const offset = isOther ? (offsets[bucket] as number) + place : place;
    state = (frequencies[symbol] as number) * (state >>> precision) + offset;
    if (state < 0x10000) state = state * 0x10000 + bits.take(16);
    return symbol;
  };
  const checkEnd = () => {
    if (state !== finalState) throw new AppError('corrupt_image');
  };
  return { read, checkEnd };
}

/** Reads the frequencies of up to 2^`sizeBits` symbols (C.2.5). Throws AppError `corrupt_image`. */
export function readAnsCode(bits: BitReader, sizeBits: number): AnsCode {
  const frequencies = new Uint16Array(2 ** sizeBits);
  const [hasFew, isEven] = bits.flag() ? [true, false] : [false, bits.flag()];
  if (hasFew) readFewFrequencies(bits, frequencies);
  else if (isEven) readUniformFrequencies(bits, frequencies);
  else readAllFrequencies(bits, frequencies);
  return makeAliasTable(frequencies, precision - sizeBits);
}

function readFewFrequencies(bits: BitReader, frequencies: Uint16Array): void {
  const count = 1 + bits.take(1);
  const [first = 0, second = first] = Array.from({ length: count }, () => readShort(bits));
  if (Math.max(first, second) >= frequencies.length || (count === 2 && first === second)) throw makeCorruptError();
  const share = count === 1 ? frequencyTotal : bits.take(precision);
  frequencies[second] = frequencyTotal - share;
  frequencies[first] = share;
}

function readUniformFrequencies(bits: BitReader, frequencies: Uint16Array): void {
  const count = readShort(bits) + 1;
  if (count > frequencies.length) throw makeCorruptError();
  frequencies
    .fill(Math.floor(frequencyTotal / count), 0, count)
    .fill(Math.floor(frequencyTotal / count) + 1, 0, frequencyTotal % count);
}

/**
 * Reads the logarithms of all frequencies, then their lower bits. The largest frequency isn't stored, because it is the
 * remainder of the sum.
 */
function readAllFrequencies(bits: BitReader, frequencies: Uint16Array): void {
  const shift = readShift(bits);
  const size = readShort(bits) + 3;
  if (size > frequencies.length) throw makeCorruptError();
  const logs: number[] = [];
  // Lengths of runs, by start index.
  const runs = new Map<number, number>();
  let largest = -1;
  while (logs.length < size) {
    const log = readLog(bits);
    if (log === repeatCode) {
      const run = readShort(bits) + 4;
      if (logs.length + run > size) throw makeCorruptError();
      runs.set(logs.length, run);
      for (let i = 0; i < run; i++) logs.push(0);
    } else {
      if (largest < 0 || log > (logs[largest] as number)) largest = logs.length;
      logs.push(log);
    }
  }
  if (largest < 0 || runs.has(largest + 1)) throw makeCorruptError();
  fillFrequencies(bits, frequencies, { logs, runs, largest, shift });
}

type FrequencyLogs = { logs: readonly number[]; runs: ReadonlyMap<number, number>; largest: number; shift: number };

function fillFrequencies(
  bits: BitReader,
  frequencies: Uint16Array,
  { logs, runs, largest, shift }: FrequencyLogs,
): void {
  let rest = frequencyTotal;
  for (let i = 0; i < logs.length; ) {
    const run = runs.get(i);
    const value = run ? (frequencies[i - 1] ?? 0) : i === largest ? 0 : readFrequency(bits, logs[i] as number, shift);
    const count = run ?? 1;
    frequencies.fill(value, i, i + count);
    rest -= value * count;
    i += count;
  }
  if (rest < 0) throw makeCorruptError();
  frequencies[largest] = rest;
}

function readFrequency(bits: BitReader, log: number, shift: number): number {
  if (log < 2) return log;
  const known = Math.min(log - 1, Math.max(0, shift - ((precision - log + 1) >> 1)));
  return 2 ** (log - 1) + bits.take(known) * 2 ** (log - 1 - known);
}

function readShift(bits: BitReader): number {
  let count = 0;
  while (count < 3 && bits.flag()) count++;
  const shift = bits.take(count) + 2 ** count - 1;
  if (shift > precision + 1) throw makeCorruptError();
  return shift;
}

/** Reads a number of up to 8 bits (C.2.1). */
export function readShort(bits: BitReader): number {
  if (!bits.flag()) return 0;
  const count = bits.take(3);
  return 2 ** count + bits.take(count);
}

/** Reads a logarithm, increased by 1, with a fixed prefix code (table C.2). */
function readLog(bits: BitReader): number {
  const start = bits.take(3);
  if (start === 3) return bits.flag() ? 1 : 3;
  if (start === 7) return bits.flag() ? 2 : 5;
  if (start !== 1) return [10, 0, 7, 0, 6, 8, 9][start] as number;
  for (const log of [4, 0, 11, repeatCode]) if (bits.flag()) return log;
  return 12;
}

/** Creates the alias table (C.2.6). */
function makeAliasTable(frequencies: Uint16Array, bucketBits: number): AnsCode {
  const size = 2 ** bucketBits;
  const code = {
    bucketBits,
    frequencies,
    cutoffs: Uint16Array.from(frequencies),
    symbols: frequencies.map((_, i) => i),
    offsets: new Uint16Array(frequencies.length),
  };
  const { cutoffs, symbols, offsets } = code;
  const single = frequencies.indexOf(frequencyTotal);
  if (single >= 0) {
    symbols.fill(single);
    cutoffs.fill(0);
    return { ...code, offsets: offsets.map((_, i) => i * size) };
  }
  const [over, under]: [number[], number[]] = [[], []];
  const sort = (i: number) => {
    const cutoff = cutoffs[i] as number;
    if (cutoff !== size) (cutoff > size ? over : under).push(i);
  };
  for (let i = 0; i < cutoffs.length; i++) sort(i);
  for (let full = over.pop(); full !== undefined; full = over.pop()) {
    const empty = under.pop();
    if (empty === undefined) throw makeCorruptError();
    cutoffs[full] = (cutoffs[full] as number) - (size - (cutoffs[empty] as number));
    symbols[empty] = full;
    offsets[empty] = cutoffs[full] as number;
    sort(full);
  }
  for (const [i, cutoff] of cutoffs.entries()) if (cutoff < size) offsets[i] = (offsets[i] as number) - cutoff;
  return code;
}

const makeCorruptError = () => new AppError('corrupt_image');
