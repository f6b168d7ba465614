import { open } from 'node:fs/promises';
import type { OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import { type Box, listBoxes, readBox } from '../../../heif/read-boxes.ts';
import { readMeta } from '../../../heif/read-meta.ts';
import type { ExifField, ExifFields } from '../exif/read-exif.ts';
import { encodeDirectory, encodeSubdirectories, encodeWord, writeExif } from '../exif/write-exif.ts';
import { makeResolutionFields, type Resolution } from '../resolution.ts';
import type { ResultMetadata } from '../select-metadata.ts';
import { type EmbedInput, type EncodedFile, embedInGif, embedInPng, readBytes, spliceFile } from './embed-in-format.ts';
import { type Edit, embedInJpeg, embedInWebp, hasJfif } from './embed-in-web-format.ts';

type NewItem = { id: number; type: string; contentType: string; data: Buffer };
type Extent = { id: number; ranges: { start: number; end: number }[] };

const boxHeadBytes = 16;
const takeUnlimited = () => true;

/**
 * Adds metadata items (ISO/IEC 23008-12, annex A). Their data is added at the end of the file, and their descriptions
 * are added to the `meta` box. Growing this box moves all data after it. Throws Error for files that libheif wouldn't
 * write.
 */
async function embedInAvif({ read, sizeBytes }: EncodedFile, { exif, xmp }: EmbedInput): Promise<Edit[]> {
  const box = await findMeta(read, sizeBytes);
  const file = Buffer.concat([Buffer.alloc(box.start - 8), await read(box.start - 8, box.end - box.start + 8)]);
  const meta = readMeta(file, box, takeUnlimited);
  const { primary } = meta;
  if (primary === undefined) throw new Error('the encoded AVIF file has no primary image');
  const firstId = Math.max(...meta.items.keys()) + 1;
  const contents = [
    // The first 4 bytes are the number of bytes before the TIFF header.
    ...(exif ? [{ type: 'Exif', contentType: '', data: Buffer.concat([Buffer.alloc(4), exif]) }] : []),
    ...(xmp ? [{ type: 'mime', contentType: 'application/rdf+xml', data: xmp }] : []),
  ];
  const items: NewItem[] = contents.map((content, i) => ({ id: firstId + i, ...content }));
  const known: Extent[] = [...meta.items.values()].map(({ id, extents }) => ({ id, ranges: extents }));
  if (known.some(({ ranges }) => ranges.some(({ start }) => start < box.end)))
    throw new Error('the encoded AVIF file has pixels before its description');
  const children = listBoxes(file, { start: box.start + 4, end: box.end }, takeUnlimited);
  const write = (moved: number) => encodeMeta({ file, box, children, items, primary, extents: place(moved) });
  const place = (moved: number): Extent[] => {
    let at = sizeBytes + moved + 8;
    const added = items.map(({ id, data }) => {
      at += data.length;
      return { id, ranges: [{ start: at - data.length, end: at }] };
    });
    const shift = (range: Extent['ranges'][0]) => ({ start: range.start + moved, end: range.end + moved });
    return [...known.map(({ id, ranges }) => ({ id, ranges: ranges.map(shift) })), ...added];
  };
  const length = box.end - box.start + 8;
  const bytes = write(write(0).length - length);
  return [
    { at: box.start - 8, removed: length, bytes },
    { at: sizeBytes, bytes: makeBox('mdat', ...items.map(({ data }) => data)) },
  ];
}

async function findMeta(read: EncodedFile['read'], sizeBytes: number): Promise<Box> {
  for (let at = 0; at < sizeBytes; ) {
    const head = await read(at, boxHeadBytes);
    const box = readBox(head, 0, Number.MAX_SAFE_INTEGER);
    if (!box) break;
    if (box.type === 'meta') return { ...box, start: at + box.start, end: at + box.end };
    at += box.end;
  }
  throw new Error('the encoded AVIF file has no description');
}

type MetaBoxInput = { file: Buffer; box: Box; children: Box[]; items: NewItem[]; primary: number; extents: Extent[] };

function encodeMeta({ file, box, children, items, primary, extents }: MetaBoxInput): Buffer {
  const version = file.subarray(box.start, box.start + 4);
  const references = items.map(({ id }) => makeBox('cdsc', encodeUint16(id), encodeUint16(1), encodeUint16(primary)));
  const hasReferences = children.some(({ type }) => type === 'iref');
  const boxes = children.map((child) => {
    const content = file.subarray(child.start, child.end);
    if (child.type === 'iloc') return encodeLocations(extents);
    if (child.type === 'iinf') return addItems(content, items);
    return makeBox(child.type, content, ...(child.type === 'iref' ? references : []));
  });
  const added = hasReferences ? [] : [makeBox('iref', Buffer.alloc(4), ...references)];
  return makeBox('meta', version, ...boxes, ...added);
}

/** Writes an `iloc` box of version 0, with 4-byte offsets and lengths and no base. */
function encodeLocations(extents: Extent[]): Buffer {
  const entries = extents.map(({ id, ranges }) => {
    const places = ranges.flatMap(({ start, end }) => [encodeUint32(start), encodeUint32(end - start)]);
    return Buffer.concat([encodeUint16(id), encodeUint16(0), encodeUint16(ranges.length), ...places]);
  });
  return makeBox('iloc', Buffer.from([0, 0, 0, 0, 0x44, 0]), encodeUint16(extents.length), ...entries);
}

/** Adds items to an `iinf` box of version 0. In this version, the item count has 2 bytes. */
function addItems(content: Buffer, items: NewItem[]): Buffer {
  if (content[0] !== 0) throw new Error('the encoded AVIF file has a list of items of an unknown version');
  const count = content.readUInt16BE(4) + items.length;
  const entries = items.map(({ id, type, contentType }) => {
    const names = type === 'mime' ? `\0${contentType}\0` : '\0';
    return makeBox(
      'infe',
      Buffer.from([2, 0, 0, 0]),
      encodeUint16(id),
      encodeUint16(0),
      Buffer.from(`${type}${names}`, 'latin1'),
    );
  });
  return makeBox('iinf', content.subarray(0, 4), encodeUint16(count), content.subarray(6), ...entries);
}

function encodeUint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function encodeUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function makeBox(type: string, ...contents: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + contents.reduce((sum, { length }) => sum + length, 0), 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...contents]);
}

const xmpTag = 700;
const byteType = 1;
const bigTiffVersion = 43;

/** Appends the EXIF and GPS directories, and a copy of the first directory with the added fields. */
async function embedInTiff({ head, read, sizeBytes }: EncodedFile, metadata: EmbedInput): Promise<Edit[]> {
  const isBig = head.readUInt16LE(2) === bigTiffVersion;
  const [offsetAt, word] = isBig ? [8, 8] : [4, 4];
  const { entries, next } = await readEntries(read, Number(readWord(head, offsetAt, isBig)), isBig);
  const padding = Buffer.alloc(sizeBytes % 2);
  const at = sizeBytes + padding.length;
  const { image, exif, gps } = metadata.fields ?? { image: [], exif: [], gps: [] };
  const sub = encodeSubdirectories({ exif, gps }, at, isBig);
  const directoryAt = at + sub.bytes.length;
  const xmp: ExifField[] = metadata.xmp ? [{ tag: xmpTag, type: byteType, bytes: metadata.xmp, isLittle: true }] : [];
  const fields = [...image, ...xmp, ...sub.pointers];
  const known = new Set(fields.map(({ tag }) => tag));
  const others = entries.filter((entry) => !known.has(entry.readUInt16LE(0)));
  const directory = encodeDirectory({ fields, at: directoryAt, isBig, entries: others, next });
  return [
    { at: offsetAt, removed: word, bytes: encodeWord(directoryAt, isBig) },
    { at: sizeBytes, bytes: Buffer.concat([padding, sub.bytes, directory]) },
  ];
}

const readWord = (bytes: Buffer, at: number, isBig: boolean) =>
  isBig ? Number(bytes.readBigUInt64LE(at)) : bytes.readUInt32LE(at);

/** The byte order is always little-endian, because libvips writes little-endian files. */
async function readEntries(read: EncodedFile['read'], at: number, isBig: boolean) {
  const [countBytes, entryBytes, word] = isBig ? [8, 20, 8] : [2, 12, 4];
  const count = (await read(at, countBytes)).readUInt16LE(0);
  const table = await read(at + countBytes, count * entryBytes + word);
  const entries = Array.from({ length: count }, (_, i) => table.subarray(i * entryBytes, (i + 1) * entryBytes));
  return { entries, next: readWord(table, count * entryBytes, isBig) };
}

/**
 * Start of a JFIF segment of version 1.02, up to its density unit. Added to files that have no JFIF segment.
 * `densityAt`: offset of the density unit in a file.
 */
const jfifHead = Buffer.from('\xff\xe0\0\x10JFIF\0\x01\x02', 'latin1');
const densityAt = 13;
const emptyThumbnail = Buffer.from([0, 0]);

function embedWithDensity({ head }: EncodedFile, { exif, xmp, resolution }: EmbedInput): Edit[] {
  const blocks = embedInJpeg({ head }, { exif, xmp });
  const density = resolution && encodeDensity(resolution);
  if (!density) return [blocks];
  if (hasJfif(head)) return [{ at: densityAt, removed: density.length, bytes: density }, blocks];
  return [{ ...blocks, bytes: Buffer.concat([jfifHead, density, emptyThumbnail, blocks.bytes]) }];
}

/** Encodes the unit and density of the JFIF segment (ITU-T T.871) as whole pixels per inch. */
function encodeDensity({ x, y }: Resolution): Buffer {
  const bytes = Buffer.from([1, 0, 0, 0, 0]);
  bytes.writeUInt16BE(Math.round(x), 1);
  bytes.writeUInt16BE(Math.round(y), 3);
  return bytes;
}

/** JPEG XL isn't included, because its metadata is written together with the container. */
type EmbeddedFormat = Exclude<OutputFormat, 'jxl'>;
const embedders: Record<EmbeddedFormat, (file: EncodedFile, metadata: EmbedInput) => Edit[] | Promise<Edit[]>> = {
  jpeg: embedWithDensity,
  png: embedInPng,
  webp: embedInWebp,
  avif: embedInAvif,
  tiff: embedInTiff,
  gif: embedInGif,
};

/**
 * Returns the EXIF fields, including the resolution. PNG files store the resolution in a chunk, so the resolution alone
 * doesn't add EXIF data to them.
 */
export function exifOf({ exif, resolution }: ResultMetadata, format: OutputFormat): ExifFields | undefined {
  if (!resolution || (format === 'png' && !exif)) return exif;
  const { image, ...others } = exif ?? { image: [], exif: [], gps: [] };
  return { image: [...image, ...makeResolutionFields(resolution)], ...others };
}

/** Number of bytes at the start of a file that are read as its head. The headers of results are shorter. */
const headBytes = 64 * 1024;

/**
 * Writes metadata into an encoded file. Does nothing if no metadata is given. libvips isn't used for this, because it
 * would write only ASCII text, and only EXIF tags that it knows.
 */
export async function embedMetadata(path: string, format: EmbeddedFormat, metadata: ResultMetadata): Promise<void> {
  const { resolution } = metadata;
  const fields = exifOf(metadata, format);
  if (!fields && !metadata.xmp && !resolution) return;
  const exif = fields && writeExif(fields);
  const xmp = metadata.xmp === undefined ? undefined : Buffer.from(metadata.xmp);
  const handle = await open(path, 'r');
  let edits: Edit[];
  try {
    const { size } = await handle.stat();
    const read = (at: number, length: number) => readBytes(handle, at, length);
    const file = { head: await read(0, headBytes), sizeBytes: size, read };
    edits = await embedders[format](file, { exif, fields, xmp, resolution });
  } finally {
    await handle.close();
  }
  await spliceFile(path, edits);
}
