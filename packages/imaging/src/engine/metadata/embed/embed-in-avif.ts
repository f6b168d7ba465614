import { type Box, listBoxes, readBox } from '../../../heif/read-boxes.ts';
import { readMeta } from '../../../heif/read-meta.ts';
import type { Embedding, EncodedFile } from './embedding.ts';
import type { Edit } from './splice-file.ts';

type NewItem = { id: number; type: string; contentType: string; data: Buffer };
type Extent = { id: number; ranges: { start: number; end: number }[] };

const boxHeadBytes = 16;
const take = () => true;

/**
 * Add items that describe the image (ISO/IEC 23008-12, annex A): their data at the end of the file, and a description in the
 * `meta` box, which becomes longer and moves all other data. Throws Error for files that libheif doesn't write.
 */
export async function embedInAvif({ read, sizeBytes }: EncodedFile, { exif, xmp }: Embedding): Promise<Edit[]> {
  const box = await findMeta(read, sizeBytes);
  const file = Buffer.concat([Buffer.alloc(box.start - 8), await read(box.start - 8, box.end - box.start + 8)]);
  const meta = readMeta(file, box, take);
  const { primary } = meta;
  if (primary === undefined) throw new Error('the encoded AVIF file has no primary image');
  const firstId = Math.max(...meta.items.keys()) + 1;
  const contents = [
    // The first 4 bytes say how many bytes there are before the TIFF header.
    ...(exif ? [{ type: 'Exif', contentType: '', data: Buffer.concat([Buffer.alloc(4), exif]) }] : []),
    ...(xmp ? [{ type: 'mime', contentType: 'application/rdf+xml', data: xmp }] : []),
  ];
  const items: NewItem[] = contents.map((content, i) => ({ id: firstId + i, ...content }));
  const known: Extent[] = [...meta.items.values()].map(({ id, extents }) => ({ id, ranges: extents }));
  if (known.some(({ ranges }) => ranges.some(({ start }) => start < box.end)))
    throw new Error('the encoded AVIF file has pixels before its description');
  const children = listBoxes(file, { start: box.start + 4, end: box.end }, take);
  const write = (moved: number) => writeMeta({ file, box, children, items, primary, extents: place(moved) });
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

type Parts = { file: Buffer; box: Box; children: Box[]; items: NewItem[]; primary: number; extents: Extent[] };

function writeMeta({ file, box, children, items, primary, extents }: Parts): Buffer {
  const version = file.subarray(box.start, box.start + 4);
  const references = items.map(({ id }) => makeBox('cdsc', short(id), short(1), short(primary)));
  const hasReferences = children.some(({ type }) => type === 'iref');
  const boxes = children.map((child) => {
    const content = file.subarray(child.start, child.end);
    if (child.type === 'iloc') return writeLocations(extents);
    if (child.type === 'iinf') return addItems(content, items);
    return makeBox(child.type, content, ...(child.type === 'iref' ? references : []));
  });
  const added = hasReferences ? [] : [makeBox('iref', Buffer.alloc(4), ...references)];
  return makeBox('meta', version, ...boxes, ...added);
}

/** Offsets and lengths of 4 bytes, no base, version 0. */
function writeLocations(extents: Extent[]): Buffer {
  const entries = extents.map(({ id, ranges }) => {
    const places = ranges.flatMap(({ start, end }) => [long(start), long(end - start)]);
    return Buffer.concat([short(id), short(0), short(ranges.length), ...places]);
  });
  return makeBox('iloc', Buffer.from([0, 0, 0, 0, 0x44, 0]), short(extents.length), ...entries);
}

/** The number of items has 2 bytes in version 0. */
function addItems(content: Buffer, items: NewItem[]): Buffer {
  if (content[0] !== 0) throw new Error('the encoded AVIF file has a list of items of an unknown version');
  const count = content.readUInt16BE(4) + items.length;
  const entries = items.map(({ id, type, contentType }) => {
    const names = type === 'mime' ? `\0${contentType}\0` : '\0';
    return makeBox('infe', Buffer.from([2, 0, 0, 0]), short(id), short(0), Buffer.from(`${type}${names}`, 'latin1'));
  });
  return makeBox('iinf', content.subarray(0, 4), short(count), content.subarray(6), ...entries);
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function long(value: number): Buffer {
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
