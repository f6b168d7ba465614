/** Numbers of one file: its byte order, and whether offsets have 64 bits (BigTIFF). */
type Reader = { short: (at: number) => number; offset: (at: number) => number; isBig: boolean };
type Directory = { tags: Map<number, number>; subDirectories: number[]; next: number };

/** More hang below no real picture. */
const maxSubDirectories = 16;
const tag = { photometric: 262, subDirectories: 330, dngVersion: 50_706 };
/** PhotometricInterpretation of sensor data: colour filter array, linear raw (DNG 1.6). */
const rawPhotometrics = [32_803, 34_892];

/**
 * Walk the directories of a TIFF (TIFF 6.0, BigTIFF): `pages` of the main chain and whether it
 * is a camera's raw file (DNG, NEF, ARW, PEF ...), whose first picture is a thumbnail. Never throws: a damaged chain ends.
 */
export function readTiffPages(file: Buffer): { pages: number; isRaw: boolean } {
  const reader = makeReader(file);
  const seen = new Set<number>();
  let pages = 0;
  let isRaw = false;
  for (let at = reader.offset(reader.isBig ? 8 : 4); at !== 0 && !seen.has(at); pages++) {
    seen.add(at);
    const directory = readDirectory(file, reader, at);
    if (!directory) break;
    // Raw files say so in their first directory or in those that hang below it.
    if (pages === 0) isRaw = [directory, ...below(file, reader, directory)].some(isSensorData);
    at = directory.next;
  }
  return { pages, isRaw };
}

const isSensorData = ({ tags }: Directory) =>
  tags.has(tag.dngVersion) || rawPhotometrics.includes(tags.get(tag.photometric) ?? 0);

const below = (file: Buffer, reader: Reader, { subDirectories }: Directory) =>
  subDirectories.flatMap((at) => readDirectory(file, reader, at) ?? []);

function makeReader(file: Buffer): Reader {
  const isLittle = file[0] === 0x49;
  const number = (at: number, size: 2 | 4) => {
    if (at + size > file.length) return 0;
    return isLittle ? file.readUIntLE(at, size) : file.readUIntBE(at, size);
  };
  const short = (at: number) => number(at, 2);
  const long = (at: number) => number(at, 4);
  const isBig = short(2) === 43;
  // No file that is accepted reaches past 32 bits.
  const offset = (at: number) => long(isBig && !isLittle ? at + 4 : at);
  return { short, offset, isBig };
}

function readDirectory(file: Buffer, reader: Reader, at: number): Directory | undefined {
  const { short, offset, isBig } = reader;
  const [countBytes, entryBytes, linkBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  const entries = isBig ? offset(at) : short(at);
  const end = at + countBytes + entries * entryBytes;
  if (entries === 0 || end + linkBytes > file.length) return undefined;
  const tags = new Map<number, number>();
  let subDirectories: number[] = [];
  for (let entry = at + countBytes; entry < end; entry += entryBytes) {
    const valueAt = entry + entryBytes - linkBytes;
    tags.set(short(entry), short(valueAt));
    if (short(entry) === tag.subDirectories) subDirectories = readOffsets(reader, entry, valueAt);
  }
  return { tags, subDirectories, next: offset(end) };
}

function readOffsets({ offset, isBig }: Reader, entry: number, valueAt: number): number[] {
  const count = Math.min(offset(entry + 4), maxSubDirectories);
  if (count <= 1) return [offset(valueAt)];
  const list = offset(valueAt);
  return Array.from({ length: count }, (_, i) => offset(list + i * (isBig ? 8 : 4)));
}
