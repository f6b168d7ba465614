import { inflateSync } from 'node:zlib';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { InputFormat } from '@uprez/contracts/policy/images/image-formats';
import { listTopBoxes } from '../../../heif/describe-heif.ts';
import { type Item, readMeta } from '../../../heif/read-meta.ts';
import { makeWorkBudget } from '../../../inspect/work-budget.ts';
import { splitJxlContainer } from '../../../jxl/open-container.ts';
import { findBlockEnd, headBytes as gifHeadBytes, tableBytes } from '../../../strip/strip-gif.ts';
import { readExif } from '../exif/read-exif.ts';
import { decodeText } from './decode-text.ts';

/** Text with its keyword, as in PNG files. For comments in other formats, the keyword is `Comment`. */
export type KeyedText = { keyword: string; text: string };

/**
 * `exif`: a TIFF structure. `xmp`: packets, starting with the main packet. `iptc`: data sets, either raw or in
 * Photoshop resources. `unread`: whether a block is damaged or too large.
 */
export type MetadataBlocks = {
  exif?: Buffer | undefined;
  xmp: Buffer[];
  iptc?: Buffer | undefined;
  texts: KeyedText[];
  unread?: boolean;
};

const signatureBytes = 8;
/** Maximum total size of a file's decompressed text chunks, in bytes. Programs write less. */
const maxUnpackedBytes = 16 * 1024 * 1024;
/** Maximum compression ratio of Deflate (zlib Technical Details). */
const maxCompressionRatio = 1_032;
const xmpKeyword = 'XML:com.adobe.xmp';
const rawProfilePattern = /^Raw profile type (exif|APP1|xmp|iptc|8bim)$/;

type Text = { keyword: string; bytes: Buffer };
type InflateData = (data: Buffer) => Buffer | undefined;

/** Reads the chunks of a PNG, including those after the pixels. */
export function readPngBlocks(file: Buffer): MetadataBlocks {
  const blocks: MetadataBlocks = { xmp: [], texts: [] };
  const inflate = makeInflate();
  for (let at = signatureBytes; at + 12 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, end);
    if (type === 'eXIf') blocks.exif ??= dropExifHeader(data);
    else if (type in textReaders) addText(blocks, textReaders[type as keyof typeof textReaders](data, inflate));
    at = end + 4;
  }
  return blocks;
}

const dropExifHeader = (data: Buffer) =>
  data.subarray(0, exifHeader.length).equals(exifHeader) ? data.subarray(exifHeader.length) : data;

function addText(blocks: MetadataBlocks, text: Text | undefined): void {
  if (!text) {
    blocks.unread = true;
    return;
  }
  const { keyword, bytes } = text;
  const [, profile] = rawProfilePattern.exec(keyword) ?? [];
  if (keyword === xmpKeyword) blocks.xmp.push(bytes);
  else if (profile) addProfile(blocks, profile, bytes);
  else blocks.texts.push({ keyword, text: decodeText(bytes) });
}

/**
 * Adds a block that ImageMagick stored as text: its name, its length, and hexadecimal digits, each on separate lines.
 */
function addProfile(blocks: MetadataBlocks, name: string, bytes: Buffer): void {
  const [, digits = ''] = /^\s*\S+\s+\d+\s+([\da-f\s]*)/i.exec(bytes.toString('latin1')) ?? [];
  const data = Buffer.from(digits.replaceAll(/\s/g, ''), 'hex');
  if (data.length === 0) return;
  const isPacket = name === 'xmp' || (name === 'APP1' && data.includes('<'));
  if (isPacket) blocks.xmp.push(data.subarray(Math.max(0, data.indexOf('<'))));
  else if (name === 'exif' || name === 'APP1') blocks.exif ??= dropExifHeader(data);
  else blocks.iptc ??= data;
}

/** Readers of text chunks. Text is Latin-1, except in `iTXt` (PNG 3, 11.3.3). */
const textReaders = { tEXt: readPlainText, zTXt: readCompressedText, iTXt: readInternationalText };

function splitAtZero(data: Buffer): [head: string, rest: Buffer] {
  const zero = data.indexOf(0);
  return zero < 0 ? ['', Buffer.alloc(0)] : [data.toString('latin1', 0, zero), data.subarray(zero + 1)];
}

function readPlainText(data: Buffer): Text {
  const [keyword, bytes] = splitAtZero(data);
  return { keyword, bytes };
}

function readCompressedText(data: Buffer, inflate: InflateData): Text | undefined {
  const [keyword, rest] = splitAtZero(data);
  const bytes = inflate(rest.subarray(1));
  return bytes && { keyword, bytes };
}

function readInternationalText(data: Buffer, inflate: InflateData): Text | undefined {
  const [keyword, rest] = splitAtZero(data);
  const [, afterLanguage] = splitAtZero(rest.subarray(2));
  const [, value] = splitAtZero(afterLanguage);
  const bytes = rest[0] === 1 ? inflate(value) : value;
  return bytes && { keyword, bytes };
}

/**
 * Creates a function that decompresses the text chunks of one file. The function returns undefined for damaged chunks,
 * and once the limit is reached.
 */
function makeInflate(): InflateData {
  let left = maxUnpackedBytes;
  return (data) => {
    try {
      const bytes = left > 0 ? inflateSync(data, { maxOutputLength: left }) : undefined;
      left -= bytes?.length ?? 0;
      return bytes;
    } catch {
      // The number of bytes decompressed before the error is unknown, so the maximum is assumed.
      left -= Math.min(left, data.length * maxCompressionRatio);
      return undefined;
    }
  };
}

/** JPEG markers (ITU-T T.81), and the names of application segments. */
const [startOfScan, endOfImage, comment, app1, app13] = [0xda, 0xd9, 0xfe, 0xe1, 0xed];
const segmentNames = {
  exif: 'Exif\0\0',
  xmp: 'http://ns.adobe.com/xap/1.0/\0',
  extended: 'http://ns.adobe.com/xmp/extension/\0',
  photoshop: 'Photoshop 3.0\0',
};
/**
 * Length of an extended packet's identifier, in bytes. The identifier is followed by the packet's length and the part's
 * offset, with 4 bytes each.
 */
const idBytes = 32;
const partHeadBytes = idBytes + 8;
const extendedIdPattern = /HasExtendedXMP\s{0,9}(?:=\s{0,9}["']|>)\s{0,9}([\dA-Fa-f]{32})/;
/** Maximum size of an extended packet, in bytes. Editors write less. */
const maxExtendedBytes = 16 * 1024 * 1024;

/** Reads the segments before the pixels. Skips other bytes between segments, as decoders do. */
function readJpegBlocks(file: Buffer): MetadataBlocks {
  const blocks: MetadataBlocks = { xmp: [], texts: [] };
  const photoshop: Buffer[] = [];
  const parts: Buffer[] = [];
  for (const { marker, data } of listSegments(file)) {
    const after = (name: string) => (hasName(data, name) ? data.subarray(name.length) : undefined);
    if (marker === comment) blocks.texts.push({ keyword: 'Comment', text: decodeText(data) });
    if (marker === app13) photoshop.push(after(segmentNames.photoshop) ?? Buffer.alloc(0));
    if (marker !== app1) continue;
    blocks.exif ??= after(segmentNames.exif);
    blocks.xmp.push(...[after(segmentNames.xmp) ?? []].flat());
    parts.push(...[after(segmentNames.extended) ?? []].flat());
  }
  blocks.xmp.splice(1);
  const extended = joinExtendedXmp(parts, blocks.xmp[0]);
  if (extended) blocks.xmp.push(extended);
  const resources = Buffer.concat(photoshop);
  if (resources.length > 0) blocks.iptc = resources;
  return { ...blocks, unread: parts.length > 0 && !extended };
}

const hasName = (data: Buffer, name: string) => data.toString('latin1', 0, name.length) === name;

function* listSegments(file: Buffer): Generator<{ marker: number; data: Buffer }> {
  for (let at = 2; ; ) {
    const start = file.indexOf(0xff, at);
    const marker = file[start + 1];
    if (start < 0 || marker === undefined || start + 4 > file.length) return;
    if (marker === startOfScan || marker === endOfImage) return;
    if (marker === 0xff || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) {
      at = start + (marker === 0xff ? 1 : 2);
      continue;
    }
    const end = start + 2 + Math.max(2, file.readUInt16BE(start + 2));
    yield { marker, data: file.subarray(start + 4, end) };
    at = end;
  }
}

/**
 * Joins the parts of the extended packet that the main packet references (XMP Specification Part 3, 1.1.3.1). Returns
 * undefined if the extended packet is incomplete.
 */
function joinExtendedXmp(parts: Buffer[], main: Buffer | undefined): Buffer | undefined {
  const [, id] = extendedIdPattern.exec(main?.toString('latin1') ?? '') ?? [];
  const offsetOf = (part: Buffer) => part.readUInt32BE(idBytes + 4);
  const own = parts
    .filter((part) => part.length > partHeadBytes && part.toString('latin1', 0, idBytes) === id)
    .sort((a, b) => offsetOf(a) - offsetOf(b));
  const length = own[0]?.readUInt32BE(idBytes) ?? 0;
  if (length === 0 || length > maxExtendedBytes) return undefined;
  const content: Buffer[] = [];
  let filled = 0;
  for (const part of own) {
    if (offsetOf(part) !== filled) return undefined;
    content.push(part.subarray(partHeadBytes));
    filled += part.length - partHeadBytes;
  }
  return filled === length ? Buffer.concat(content) : undefined;
}

/**
 * Length of an EXIF item's prefix, in bytes. The prefix states how many more bytes precede the EXIF data (ISO/IEC
 * 23008-12, annex A.2.1).
 */
const prefixBytes = 4;
const xmpType = 'application/rdf+xml';

/** Reads the metadata items of a HEIC or AVIF file that describe the primary image. Throws AppError `corrupt_image`. */
function readHeifBlocks(file: Buffer): MetadataBlocks {
  const budget = makeWorkBudget();
  const take = () => budget.take('heic');
  const box = listTopBoxes(file, take).find(({ type }) => type === 'meta');
  if (!box) throw new AppError('corrupt_image');
  const { items, references, primary } = readMeta(file, box, take);
  const describing = references.filter(({ type, to }) => type === 'cdsc' && to.includes(primary ?? -1));
  const ids = new Set(describing.map(({ from }) => from));
  const find = (accept: (item: Item) => boolean) =>
    [...items.values()].find((item) => ids.has(item.id) && accept(item));
  const found = [find(({ type }) => type === 'Exif'), find(({ contentType }) => contentType === xmpType)];
  const [block, xmp] = found.map((item) => item && joinExtents(file, item));
  const start = block && block.length > prefixBytes ? prefixBytes + block.readUInt32BE(0) : 0;
  const exif = block?.subarray(start);
  return {
    exif: exif && start > 0 && exif.length > 0 ? exif : undefined,
    xmp: xmp && xmp.length > 0 ? [xmp] : [],
    texts: [],
    unread: [block && exif, xmp].some((data) => data?.length === 0),
  };
}

/**
 * Returns the data of an item. Returns an empty buffer if its extents add up to more than the file's size, because they
 * overlap or extend beyond the file.
 */
function joinExtents(file: Buffer, item: Item): Buffer {
  const ranges = item.extents.filter(({ start, end }) => end > start);
  const length = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  return length > file.length
    ? Buffer.alloc(0)
    : Buffer.concat(ranges.map(({ start, end }) => file.subarray(start, end)));
}

const headBytes = 12;
const exifHeader = Buffer.from('Exif\0\0', 'latin1');

/** Reads the chunks of a WebP file (RFC 9649). */
function readWebpBlocks(file: Buffer): MetadataBlocks {
  const blocks: MetadataBlocks = { xmp: [], texts: [] };
  for (let at = headBytes; at + 8 <= file.length; ) {
    const length = file.readUInt32LE(at + 4);
    const name = file.toString('latin1', at, at + 4);
    const data = file.subarray(at + 8, at + 8 + length);
    const hasHeader = data.subarray(0, exifHeader.length).equals(exifHeader);
    if (name === 'EXIF') blocks.exif ??= hasHeader ? data.subarray(exifHeader.length) : data;
    if (name === 'XMP ' && blocks.xmp.length === 0) blocks.xmp.push(data);
    at += 8 + length + (length % 2);
  }
  return blocks;
}

/** Tags of metadata blocks in the first directory (XMP Specification Part 3, Adobe Photoshop TIFF Technical Notes). */
const [xmpTag, iptcTag, photoshopTag] = [700, 33_723, 34_377];
const longType = 4;

/** Reads the metadata blocks of a TIFF file. The file itself is the EXIF data. */
function readTiffBlocks(file: Buffer): MetadataBlocks {
  const image = readExif(file)?.image ?? [];
  const find = (wanted: number) => image.find(({ tag }) => tag === wanted);
  const [xmp, iptc, photoshop] = [find(xmpTag), find(iptcTag), find(photoshopTag)];
  // Some programs declare these bytes as 32-bit numbers, which reverses the byte order within each number.
  const isSwapped = iptc?.type === longType && iptc.bytes[0] !== 0x1c;
  const data = isSwapped ? Buffer.from(iptc.bytes).swap32() : iptc?.bytes;
  return { exif: file, xmp: xmp ? [xmp.bytes] : [], iptc: data ?? photoshop?.bytes, texts: [] };
}

const readers: Record<InputFormat, (file: Buffer) => MetadataBlocks> = {
  jpeg: readJpegBlocks,
  png: readPngBlocks,
  webp: readWebpBlocks,
  gif: readGifBlocks,
  tiff: readTiffBlocks,
  avif: readHeifBlocks,
  heic: readHeifBlocks,
  jxl: readJxlBlocks,
  bmp: () => noBlocks,
};

const noBlocks: MetadataBlocks = { xmp: [], texts: [] };

/** Finds the metadata in a file. Blocks after a damaged part may not be found. Never throws. */
export function findBlocks(file: Buffer, format: InputFormat): MetadataBlocks {
  try {
    return readers[format](file);
  } catch {
    return { ...noBlocks, unread: true };
  }
}

function readJxlBlocks(file: Buffer): MetadataBlocks {
  const budget = makeWorkBudget();
  const { exif, xmp, unread = false } = splitJxlContainer(file, () => budget.take('jxl'));
  return { exif, xmp: xmp ? [xmp] : [], texts: [], unread };
}

const [extension, trailer, commentLabel, application] = [0x21, 0x3b, 0xfe, 0xff];
const xmpName = 'XMP DataXMP';
/** Offset of an application extension's name, after the introducer, label, and length. */
const nameAt = 3;
/**
 * Length of the trailer after a packet, in bytes. The trailer leads programs that skip data block by block to the end
 * of the packet (XMP Specification Part 3, 1.1.2).
 */
const magicTrailerBytes = 258;

/** Reads the comments and the XMP packet of a GIF. Throws AppError `corrupt_image` if the file is truncated. */
function readGifBlocks(file: Buffer): MetadataBlocks {
  const blocks: MetadataBlocks = { xmp: [], texts: [] };
  for (let at = gifHeadBytes + tableBytes(file[10] ?? 0); at < file.length && file[at] !== trailer; ) {
    const end = findBlockEnd(file, at);
    const label = file[at] === extension ? file[at + 1] : undefined;
    if (label === commentLabel)
      blocks.texts.push({ keyword: 'Comment', text: decodeText(joinBlocks(file, at + 2, end)) });
    const name = file.toString('latin1', at + nameAt, at + nameAt + xmpName.length);
    if (label === application && name === xmpName && end - magicTrailerBytes > at)
      blocks.xmp.push(file.subarray(at + nameAt + xmpName.length, end - magicTrailerBytes));
    at = end;
  }
  return blocks;
}

function joinBlocks(file: Buffer, start: number, end: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = start; at < end; ) {
    const length = file[at] ?? 0;
    parts.push(file.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return Buffer.concat(parts);
}
