import { AppError } from '@uprez/contracts/errors/app-error';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { describeUnsupported, unsupportedColors } from './describe-unsupported.ts';
import { inspectWithSharp } from './inspect-with-sharp.ts';

/** PhotometricInterpretation (TIFF 6.0). */
const photometric = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, separated: 5, ycbcr: 6, lab: 8 };
const readable: number[] = Object.values(photometric);
const depths = [1, 2, 4, 8, 16];
/** SampleFormat. Some Lab files declare signed samples. */
const [unsigned, signed] = [1, 2];
const jpegCompressions = [6, 7];

const isLab = ({ first }: Tiff) => first.get(tiffTag.photometric)?.value === photometric.lab;

export const usesJpeg = ({ first }: Tiff) => jpegCompressions.includes(first.get(tiffTag.compression)?.value ?? 1);

/** Reject TIFF files whose samples cannot be displayed. Throws AppError `unsupported_format`. */
function checkTiff(tiff: Tiff): void {
  if (tiff.isRaw) throw new AppError('unsupported_format', { detail: describeUnsupported('camera raw') });
  const value = (name: keyof typeof tiffTag, otherwise: number) => tiff.first.get(tiffTag[name])?.value ?? otherwise;
  const kind = value('photometric', photometric.blackIsZero);
  const format = value('sampleFormat', unsigned);
  const isDisplayable = format === unsigned || (format === signed && kind === photometric.lab);
  // libvips converts YCbCr samples only when they are JPEG-compressed.
  const isRawYcbcr = kind === photometric.ycbcr && !usesJpeg(tiff);
  if (!readable.includes(kind) || !depths.includes(value('bitsPerSample', 1)) || !isDisplayable || isRawYcbcr)
    throw new AppError('unsupported_format', { detail: unsupportedColors });
}

/** Inspect a TIFF. Throws AppError `corrupt_image` or `unsupported_format`. */
export async function inspectTiff(file: Buffer): Promise<Inspection> {
  const tiff = readTiff(file);
  checkTiff(tiff);
  if (!isLab(tiff)) return inspectWithSharp(file, 'tiff');
  return { ...(await inspectWithSharp(labelLabAsRgb(file), 'tiff')), space: 'lab', decodesWhole: true };
}

/** Copy a Lab TIFF as RGB. libvips 8.18 cannot open 8-bit Lab, and reads 16-bit Lab with a white point of D65. */
export function labelLabAsRgb(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  const at = readTiff(file).first.get(tiffTag.photometric)?.at ?? 0;
  const isLittle = file[0] === 0x49;
  if (isLittle) copy.writeUInt16LE(photometric.rgb, at);
  else copy.writeUInt16BE(photometric.rgb, at);
  return copy;
}

/** Called with every byte range that is read. */
type OnRead = (from: number, until: number) => void;
/** Reads the numbers of a file. `isBig`: offsets have 64 bits (BigTIFF). */
type Reader = { short: (at: number) => number; offset: (at: number) => number; isBig: boolean; onRead: OnRead };
type Directory = {
  /** First value of each tag, and its offset in the file. */
  tags: Map<number, { value: number; at: number }>;
  subDirectories: number[];
  next: number;
};
type Tiff = {
  /** Images of the main chain. */
  pages: number;
  /** A camera raw file (DNG, NEF, ARW, PEF), whose first image is only a thumbnail. */
  isRaw: boolean;
  /** Tags of the first image. */
  first: Directory['tags'];
};

const tiffTag = {
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  samplesPerPixel: 277,
  subDirectories: 330,
  sampleFormat: 339,
  dngVersion: 50_706,
};
/** PhotometricInterpretation of sensor data: color filter array, linear raw (DNG 1.6). */
const rawPhotometrics = [32_803, 34_892];
/** Real images have fewer. */
const maxSubDirectories = 16;
const longType = 4;
/** Bytes per value of each type (TIFF 6.0, BigTIFF). */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** Read the directories of a TIFF (TIFF 6.0, BigTIFF) up to the first damaged one. Never throws. */
export function readTiff(file: Buffer, onRead: OnRead = () => {}): Tiff {
  const reader = makeReader(file, onRead);
  const seen = new Set<number>();
  const tiff: Tiff = { pages: 0, isRaw: false, first: new Map() };
  for (let at = reader.offset(reader.isBig ? 8 : 4); at !== 0 && !seen.has(at); tiff.pages++) {
    seen.add(at);
    const directory = readDirectory(file, reader, at);
    if (!directory) break;
    if (tiff.pages === 0) {
      tiff.first = directory.tags;
      // Raw files are marked in their first directory or in its subdirectories.
      tiff.isRaw = [directory, ...readSubDirectories(file, reader, directory)].some(isSensorData);
    }
    at = directory.next;
  }
  return tiff;
}

const isSensorData = ({ tags }: Directory) =>
  tags.has(tiffTag.dngVersion) || rawPhotometrics.includes(tags.get(tiffTag.photometric)?.value ?? 0);

const readSubDirectories = (file: Buffer, reader: Reader, { subDirectories }: Directory) =>
  subDirectories.flatMap((at) => readDirectory(file, reader, at) ?? []);

function makeReader(file: Buffer, onRead: OnRead): Reader {
  const isLittle = file[0] === 0x49;
  const number = (at: number, size: 2 | 4) => {
    if (at + size > file.length) return 0;
    onRead(at, at + size);
    return isLittle ? file.readUIntLE(at, size) : file.readUIntBE(at, size);
  };
  const short = (at: number) => number(at, 2);
  const isBig = short(2) === 43;
  // Accepted files are smaller than 4 GB.
  const offset = (at: number) => number(isBig && !isLittle ? at + 4 : at, 4);
  return { short, offset, isBig, onRead };
}

function readDirectory(file: Buffer, reader: Reader, at: number): Directory | undefined {
  const { short, offset, isBig, onRead } = reader;
  const [countBytes, entryBytes, linkBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  const entries = isBig ? offset(at) : short(at);
  const end = at + countBytes + entries * entryBytes;
  if (entries === 0 || end + linkBytes > file.length) return undefined;
  onRead(at, end + linkBytes);
  const tags: Directory['tags'] = new Map();
  let subDirectories: number[] = [];
  for (let entry = at + countBytes; entry < end; entry += entryBytes) {
    const inline = entry + entryBytes - linkBytes;
    const count = offset(entry + 4);
    const type = short(entry + 2);
    const isLong = type >= longType;
    const valueBytes = count * (typeBytes[type] ?? 0);
    if (valueBytes > linkBytes) onRead(offset(inline), Math.min(file.length, offset(inline) + valueBytes));
    const valueAt = count * (isLong ? 4 : 2) > linkBytes ? offset(inline) : inline;
    tags.set(short(entry), { value: isLong ? offset(valueAt) : short(valueAt), at: valueAt });
    if (short(entry) !== tiffTag.subDirectories) continue;
    const used = Math.min(count, maxSubDirectories);
    subDirectories = Array.from({ length: used }, (_, i) => offset(valueAt + i * linkBytes));
  }
  return { tags, subDirectories, next: offset(end) };
}
