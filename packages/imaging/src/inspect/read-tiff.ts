import { limits } from '@uprez/contracts/policy/limits';
import { makeWorkBudget, type WorkBudget } from './work-budget.ts';

/** PhotometricInterpretation values (TIFF 6.0). */
export const photometric = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, separated: 5, ycbcr: 6, lab: 8 };
const jpegCompressions = [6, 7];

export const usesJpeg = ({ first }: Tiff) => jpegCompressions.includes(first.get(tiffTag.compression)?.value ?? 1);

/** Maximum number of 16-bit values that are read from a tag. Images have fewer extra channels than this. */
const maxShorts = 64;

/** Reads the values of a tag with 16-bit values, up to `maxShorts` and to the end of the file. */
export function readShorts(file: Buffer, { at, count }: Tag): number[] {
  const isLittle = file[0] === 0x49;
  const used = Math.min(count, maxShorts, Math.floor((file.length - at) / 2));
  return Array.from({ length: Math.max(0, used) }, (_, i) => {
    const place = at + 2 * i;
    return isLittle ? file.readUInt16LE(place) : file.readUInt16BE(place);
  });
}

/** Reads all values of a numeric tag, up to the end of the file. Drops the upper half of 64-bit values. */
export function readNumbers(file: Buffer, { at, count, size }: Tag): number[] {
  const isLittle = file[0] === 0x49;
  const [read, skipped] = [Math.min(4, size), isLittle ? 0 : Math.max(0, size - 4)];
  const used = Math.max(0, Math.min(count, Math.floor((file.length - at) / size)));
  return Array.from({ length: used }, (_, i) => {
    const place = at + size * i + skipped;
    return isLittle ? file.readUIntLE(place, read) : file.readUIntBE(place, read);
  });
}

type OnRead = (from: number, until: number) => void;
/** Reads numbers from a file. `isBig`: whether offsets have 64 bits (BigTIFF). */
type Reader = {
  short: (at: number) => number;
  offset: (at: number) => number;
  isBig: boolean;
  /** Length of the entry count (`countBytes`), of an entry, and of the link to the next directory, in bytes. */
  countBytes: number;
  entryBytes: number;
  linkBytes: number;
  onRead: OnRead;
};
/**
 * Position of a directory. `first`: offset of its first entry. `end`: offset at which its entries end and the offset of
 * the next directory is stored.
 */
type DirectoryPosition = { at: number; count: number; first: number; end: number };
/**
 * A tag. `value`: its first value. `at`: offset of that value in the file. `count`: number of values. `size`: bytes per
 * value.
 */
export type Tag = { value: number; at: number; count: number; size: number };
type Directory = {
  tags: Map<number, Tag>;
  subDirectories: number[];
};
export type Tiff = {
  pages: number;
  /** Whether the directories would take the decoder or this parser too long. */
  isOversized: boolean;
  /** Whether the file is a camera raw file (DNG, NEF, ARW, PEF). The first image in such a file is only a thumbnail. */
  isRaw: boolean;
  first: Directory['tags'];
};
type ReadOptions = { onRead?: OnRead; budget?: WorkBudget; maxPages?: number };

export const tiffTag = {
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samplesPerPixel: 277,
  stripBytes: 279,
  tileOffsets: 324,
  tileBytes: 325,
  subDirectories: 330,
  extraSamples: 338,
  sampleFormat: 339,
  dngVersion: 50_706,
};
const usedTags: ReadonlySet<number> = new Set(Object.values(tiffTag));
/** PhotometricInterpretation values of sensor data: color filter array, and linear raw (DNG 1.6). */
const rawPhotometrics = [32_803, 34_892];
/** Maximum number of subdirectories. Real images have fewer. */
const maxSubDirectories = 16;
const longType = 4;
/** Bytes per value of each type (TIFF 6.0, BigTIFF). */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/**
 * Reads the directories of a TIFF (TIFF 6.0, BigTIFF) up to the first damaged one. Never throws. Reads the first
 * directory and its subdirectories in full, but only the entry count and link of the other directories. Directories may
 * overlap, and may begin at any byte.
 */
export function readTiff(file: Buffer, options: ReadOptions = {}): Tiff {
  const { onRead = () => {}, budget = makeWorkBudget(), maxPages = Number.POSITIVE_INFINITY } = options;
  const reader = makeReader(file, onRead);
  const seen = new Set<number>();
  const tiff: Tiff = { pages: 0, isOversized: false, isRaw: false, first: new Map() };
  let comparisons = 0;
  let at = reader.offset(reader.isBig ? 8 : 4);
  while (at !== 0 && !seen.has(at) && tiff.pages < maxPages) {
    const place = findDirectory(file, reader, at);
    if (!place) break;
    comparisons += place.count ** 2;
    tiff.isOversized ||= place.count > limits.tiffEntries || comparisons > limits.tiffComparisons;
    if (tiff.pages === 0 && !tiff.isOversized) Object.assign(tiff, readFirstDirectory(file, { reader, budget, place }));
    if (!budget.take('tiff')) return { ...tiff, isOversized: true };
    seen.add(at);
    tiff.pages++;
    at = reader.offset(place.end);
  }
  return tiff;
}

type WalkContext = { reader: Reader; budget: WorkBudget };

/** Raw files are marked in their first directory or in its subdirectories. */
function readFirstDirectory(
  file: Buffer,
  { place, ...walk }: WalkContext & { place: DirectoryPosition },
): Pick<Tiff, 'first' | 'isRaw'> {
  const directory = readDirectory(file, place, walk);
  const inner = directory.subDirectories.flatMap((at) => {
    const found = findDirectory(file, walk.reader, at);
    return found ? readDirectory(file, { ...found, count: Math.min(found.count, limits.tiffEntries) }, walk) : [];
  });
  return { first: directory.tags, isRaw: [directory, ...inner].some(isSensorData) };
}

const isSensorData = ({ tags }: Directory) =>
  tags.has(tiffTag.dngVersion) || rawPhotometrics.includes(tags.get(tiffTag.photometric)?.value ?? 0);

function makeReader(file: Buffer, onRead: OnRead): Reader {
  const isLittle = file[0] === 0x49;
  const number = (at: number, size: 2 | 4) => {
    if (at + size > file.length) return 0;
    onRead(at, at + size);
    return isLittle ? file.readUIntLE(at, size) : file.readUIntBE(at, size);
  };
  const short = (at: number) => number(at, 2);
  const isBig = short(2) === 43;
  // Accepted files are smaller than 4 GB, so the upper half of 64-bit offsets isn't needed.
  const offset = (at: number) => number(isBig && !isLittle ? at + 4 : at, 4);
  const [countBytes, entryBytes, linkBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  return { short, offset, isBig, countBytes, entryBytes, linkBytes, onRead };
}

/** Undefined if it is empty or extends beyond the file. */
function findDirectory(file: Buffer, reader: Reader, at: number): DirectoryPosition | undefined {
  const { short, offset, isBig, countBytes, entryBytes, linkBytes } = reader;
  const count = isBig ? offset(at) : short(at);
  const first = at + countBytes;
  const end = first + count * entryBytes;
  return count === 0 || end + linkBytes > file.length ? undefined : { at, first, count, end };
}

function readDirectory(
  file: Buffer,
  { at, first, count, end }: DirectoryPosition,
  { reader, budget }: WalkContext,
): Directory {
  const { short, offset, entryBytes, linkBytes, onRead } = reader;
  onRead(at, end + linkBytes);
  const directory: Directory = { tags: new Map(), subDirectories: [] };
  for (let i = 0; i < count && budget.take('tiff'); i++) {
    const entry = first + i * entryBytes;
    const [tag, type, values] = [short(entry), short(entry + 2), offset(entry + 4)];
    const inline = entry + entryBytes - linkBytes;
    const valueBytes = values * (typeBytes[type] ?? 0);
    if (valueBytes > linkBytes) onRead(offset(inline), Math.min(file.length, offset(inline) + valueBytes));
    if (!usedTags.has(tag)) continue;
    const isLong = type >= longType;
    const valueAt = valueBytes > linkBytes ? offset(inline) : inline;
    directory.tags.set(tag, {
      value: isLong ? offset(valueAt) : short(valueAt),
      at: valueAt,
      count: values,
      size: typeBytes[type] || 1,
    });
    if (tag !== tiffTag.subDirectories) continue;
    const used = Math.min(values, maxSubDirectories);
    directory.subDirectories = Array.from({ length: used }, (_, link) => offset(valueAt + link * linkBytes));
  }
  return directory;
}
