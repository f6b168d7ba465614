import { AppError } from '@uprez/contracts/errors/app-error';
import { countStep, type TakeStep } from '../../heif/read-boxes.ts';
import type { BitReader } from '../make-bit-reader.ts';
import { makeAnsReader, readAnsCode } from './ans-code.ts';

export type Entropy = {
  /** Returns the next integer. `context`: derived from earlier integers. */
  read: (context: number) => number;
  /** Throws AppError `corrupt_image` if the stream doesn't end here. */
  checkEnd: () => void;
};

/** `take`: counts steps for reading the stream's codes, depending on how many symbols they have. */
type EntropyOptions = { contexts: number; take: TakeStep; allowsRepeats?: boolean };

/** How many bits of an integer its symbol contains (ISO/IEC 18181-1, C.3.3). */
type Split = { exponent: number; high: number; low: number };
/** LZ77 parameters (C.3.1). Symbols of at least `least` repeat earlier integers. */
type Repeats = { least: number; shortest: number; length: Split };

/** Bits of the largest symbol in a prefix code, and of a repetition's length. */
const [prefixBits, lengthBits] = [15, 8];
/** Number of symbols in a code that count as one step. */
const symbolsPerStep = 1_024;
/** Number of most recent integers that can be repeated. */
const windowSize = 2 ** 20;
/** Maximum number of bits after a symbol. With more bits, integers wouldn't fit in 32 bits. */
const maxExtraBits = 29;

/**
 * Opens the entropy-coded stream that begins at the current bit, and reads its codes (ISO/IEC 18181-1, annex C). This
 * function and the returned functions throw AppError `corrupt_image`.
 */
export function openEntropy(bits: BitReader, { contexts, take, allowsRepeats = true }: EntropyOptions): Entropy {
  const repeats = bits.flag() ? readRepeats(bits) : undefined;
  if (repeats && !allowsRepeats) throw makeCorruptError();
  const clusters = readClusters(bits, { contexts: contexts + (repeats ? 1 : 0), take });
  const { readSymbol, splits, checkEnd } = readCodes(bits, { count: Math.max(...clusters) + 1, take });
  const readIn = (cluster: number) => readInteger(bits, splits[cluster] as Split, readSymbol(cluster));
  if (!repeats) return { read: (context) => readIn(clusters[context] as number), checkEnd };
  const distances = clusters[contexts] as number;
  return {
    read: makeRepeater({ bits, repeats, clusters, splits, readSymbol, readDistance: () => readIn(distances) }),
    checkEnd,
  };
}

type RepeaterInput = {
  bits: BitReader;
  repeats: Repeats;
  clusters: readonly number[];
  splits: readonly Split[];
  readSymbol: (cluster: number) => number;
  readDistance: () => number;
};

/** Creates a reader that repeats earlier integers (LZ77, C.3.1), for streams that aren't images. */
function makeRepeater({ bits, repeats, clusters, splits, readSymbol, readDistance }: RepeaterInput): Entropy['read'] {
  const known: number[] = [];
  let [count, left, from] = [0, 0, 0];
  const next = (context: number): number => {
    if (left > 0) return repeat();
    const cluster = clusters[context] as number;
    const symbol = readSymbol(cluster);
    if (symbol < repeats.least) return readInteger(bits, splits[cluster] as Split, symbol);
    left = readInteger(bits, repeats.length, symbol - repeats.least) + repeats.shortest;
    from = count - Math.min(readDistance() + 1, count, windowSize);
    return repeat();
  };
  const repeat = () => {
    left--;
    return known[from++ & (windowSize - 1)] ?? 0;
  };
  return (context) => {
    const value = next(context);
    known[count++ & (windowSize - 1)] = value;
    return value;
  };
}

function readRepeats(bits: BitReader): Repeats {
  const least = bits.choose(224, 512, 4_096, [8, 15]);
  const shortest = bits.choose(3, 4, [5, 2], [9, 8]);
  return { least, shortest, length: readSplit(bits, lengthBits) };
}

/** Reads the codes of all clusters (C.2.1). */
function readCodes(bits: BitReader, { count, take }: { count: number; take: TakeStep }) {
  const usesPrefix = bits.flag();
  const symbolBits = usesPrefix ? prefixBits : 5 + bits.take(2);
  const list = <T>(read: () => T) => Array.from({ length: count }, read);
  const splits = list(() => readSplit(bits, symbolBits));
  if (usesPrefix) {
    const sizes = list(() => readSymbolCount(bits));
    const codes = sizes.map((size) => {
      for (let left = size; left > 0; left -= symbolsPerStep) countStep(take);
      return readPrefixCode(bits, size);
    });
    return { splits, readSymbol: (cluster: number) => (codes[cluster] as (typeof codes)[0])(bits), checkEnd: () => {} };
  }
  const codes = list(() => {
    countStep(take);
    return readAnsCode(bits, symbolBits);
  });
  const { read, checkEnd } = makeAnsReader(bits);
  return { splits, readSymbol: (cluster: number) => read(codes[cluster] as (typeof codes)[0]), checkEnd };
}

function readSymbolCount(bits: BitReader): number {
  if (!bits.flag()) return 1;
  const width = bits.take(4);
  const size = 1 + 2 ** width + bits.take(width);
  if (size > 2 ** prefixBits) throw makeCorruptError();
  return size;
}

/** Reads the cluster of each context. Contexts of a cluster share a code (C.2.2). */
function readClusters(bits: BitReader, stream: EntropyOptions): number[] {
  if (stream.contexts === 1) return [0];
  const clusters = bits.flag() ? readPlainClusters(bits, stream) : readCodedClusters(bits, stream);
  if (new Set(clusters).size <= Math.max(...clusters)) throw makeCorruptError();
  return clusters;
}

function readPlainClusters(bits: BitReader, { contexts }: EntropyOptions): number[] {
  const width = bits.take(2);
  return Array.from({ length: contexts }, () => bits.take(width));
}

function readCodedClusters(bits: BitReader, { contexts, take }: EntropyOptions): number[] {
  const movesToFront = bits.flag();
  const stream = openEntropy(bits, { contexts: 1, take, allowsRepeats: contexts > 2 });
  const values = Array.from({ length: contexts }, () => stream.read(0));
  stream.checkEnd();
  if (values.some((value) => value > 255)) throw makeCorruptError();
  if (!movesToFront) return values;
  const order = Array.from({ length: 256 }, (_, i) => i);
  return values.map((value) => {
    const [cluster = 0] = order.splice(value, 1);
    order.unshift(cluster);
    return cluster;
  });
}

const bitsFor = (largest: number) => Math.ceil(Math.log2(largest + 1));

function readSplit(bits: BitReader, symbolBits: number): Split {
  const exponent = bits.take(bitsFor(symbolBits));
  if (exponent === symbolBits) return { exponent, high: 0, low: 0 };
  const high = bits.take(bitsFor(exponent));
  if (high > exponent) throw makeCorruptError();
  const low = bits.take(bitsFor(exponent - high));
  if (high + low > exponent) throw makeCorruptError();
  return { exponent, high, low };
}

function readInteger(bits: BitReader, { exponent, high, low }: Split, symbol: number): number {
  const split = 1 << exponent;
  if (symbol < split) return symbol;
  const kept = high + low;
  const count = exponent - kept + ((symbol - split) >> kept);
  if (count > maxExtraBits) throw makeCorruptError();
  const top = 2 ** high + ((symbol >> low) & (2 ** high - 1));
  return (top * 2 ** count + bits.take(count)) * 2 ** low + (symbol & (2 ** low - 1));
}

const makeCorruptError = () => new AppError('corrupt_image');

type ReadSymbol = (bits: BitReader) => number;

const maxLength = 15;
/** Order in which the lengths of the code-length code are stored (RFC 7932, 3.5). */
const lengthOrder = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const [repeatLast, repeatZero] = [16, 17];

/**
 * Reads a Brotli prefix code for symbols below `size` (ISO/IEC 18181-1, C.2.4; RFC 7932, 3.4 and 3.5). Throws AppError
 * `corrupt_image`.
 */
function readPrefixCode(bits: BitReader, size: number): ReadSymbol {
  if (size === 1) return () => 0;
  const skipped = bits.take(2);
  return skipped === 1 ? readSimpleCode(bits, size) : makeCode(readLengths(bits, size, skipped));
}

/** Reads a code of up to four symbols, which are stored in order of their code lengths. */
function readSimpleCode(bits: BitReader, size: number): ReadSymbol {
  const width = Math.ceil(Math.log2(size));
  const symbols = Array.from({ length: bits.take(2) + 1 }, () => bits.take(width));
  if (symbols.some((symbol) => symbol >= size) || new Set(symbols).size < symbols.length) throw makeCorruptError();
  if (symbols.length === 1) return () => symbols[0] as number;
  const isSkewed = symbols.length === 3 || (symbols.length === 4 && bits.flag());
  const even = symbols.length === 2 ? 1 : 2;
  const lengths = new Uint8Array(size);
  for (const [i, symbol] of symbols.entries()) lengths[symbol] = isSkewed ? Math.min(i + 1, symbols.length - 1) : even;
  return makeCode(lengths);
}

/** Reads the code lengths of all symbols, which are themselves encoded with a prefix code. */
function readLengths(bits: BitReader, size: number, skipped: number): Uint8Array {
  const own = new Uint8Array(lengthOrder.length);
  let space = 32;
  for (let i = skipped; i < lengthOrder.length && space > 0; i++) {
    const length = readOwnLength(bits);
    own[lengthOrder[i] as number] = length;
    if (length > 0) space -= 32 >> length;
  }
  const named = own.filter((length) => length > 0).length;
  if (named === 0 || (named > 1 && space !== 0)) throw makeCorruptError();
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
    // A run that follows a run of the same kind extends it.
    const before = kind === runKind ? run : 0;
    const extraBits = kind - 14;
    run = (before > 0 ? (before - 2) * 2 ** extraBits : 0) + bits.take(extraBits) + 3;
    runKind = kind;
    const end = at + run - before;
    if (end > size) throw makeCorruptError();
    const length = kind === repeatZero ? 0 : last;
    if (length > 0) space -= (end - at) * 2 ** (maxLength - length);
    lengths.fill(length, at, end);
    at = end;
  }
  if (space !== 0) throw makeCorruptError();
  return lengths;
}

/**
 * Creates the canonical code for these lengths. Codes are read from their most significant bit. A code with a single
 * symbol takes no bits.
 */
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
    throw makeCorruptError();
  };
}
