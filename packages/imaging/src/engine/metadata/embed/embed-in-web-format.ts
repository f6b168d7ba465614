/** A change of a file: `bytes` replace `removed` bytes at `at`. */
export type Edit = { at: number; removed?: number; bytes: Uint8Array };
/** `head`: the first bytes of the file. */
type FileHead = { head: Uint8Array; sizeBytes: number };
type Blocks = { exif?: Uint8Array | undefined; xmp?: Uint8Array | undefined };

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);
const textAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
const toBytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Applies edits, which must be in order of position, to a file in memory. */
export function applyEdits(file: Uint8Array, edits: readonly Edit[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(file.subarray(at, edit.at), edit.bytes);
    at = edit.at + (edit.removed ?? 0);
  }
  return joinBytes([...parts, file.subarray(at)]);
}

const app1 = 0xe1;
const [exifName, xmpName] = ['Exif\0\0', 'http://ns.adobe.com/xap/1.0/\0'];
const [startBytes, jfifMarker] = [2, 0xe0];

/** Whether a JPEG begins with a JFIF segment. */
export const hasJfif = (head: Uint8Array): boolean => head[startBytes + 1] === jfifMarker;

/** Inserts segments into a JPEG, after its JFIF segment if it has one. */
export function embedInJpeg({ head }: Pick<FileHead, 'head'>, { exif, xmp }: Blocks): Edit {
  const at = hasJfif(head) ? startBytes + 2 + viewOf(head).getUint16(startBytes + 2) : startBytes;
  const segments = [...(exif ? [encodeSegment(exifName, exif)] : []), ...(xmp ? [encodeSegment(xmpName, xmp)] : [])];
  return { at, bytes: joinBytes(segments) };
}

function encodeSegment(name: string, data: Uint8Array): Uint8Array {
  const length = 2 + name.length + data.length;
  return joinBytes([Uint8Array.of(0xff, app1, length >> 8, length & 255), toBytes(name), data]);
}

const webpHeadBytes = 12;
const chunkHeadBytes = 8;
/** Flags of the VP8X chunk (RFC 9649). */
const vp8xFlags = { exif: 8, xmp: 4, alpha: 16 };
const extendedChunkBytes = 10;

/** Appends chunks and sets their flags in the VP8X chunk. Adds this chunk to simple files, which don't have one. */
export function embedInWebp({ head, sizeBytes }: FileHead, { exif, xmp }: Blocks): Edit[] {
  const announced = (exif ? vp8xFlags.exif : 0) | (xmp ? vp8xFlags.xmp : 0);
  const extended = textAt(head, webpHeadBytes) === 'VP8X' ? undefined : makeExtendedChunk(head, announced);
  const flagsAt = webpHeadBytes + chunkHeadBytes;
  const added = joinBytes([...(exif ? [encodeChunk('EXIF', exif)] : []), ...(xmp ? [encodeChunk('XMP ', xmp)] : [])]);
  const size = encodeSize(sizeBytes + (extended?.length ?? 0) + added.length - 8);
  const header = extended
    ? { at: webpHeadBytes, bytes: extended }
    : { at: flagsAt, removed: 1, bytes: Uint8Array.of((head[flagsAt] ?? 0) | announced) };
  return [{ at: 4, removed: 4, bytes: size }, header, { at: sizeBytes, bytes: added }];
}

/**
 * Creates the VP8X chunk for a simple file. Reads the size of the image, and whether it has alpha, from the header of
 * the only frame.
 */
function makeExtendedChunk(head: Uint8Array, announced: number): Uint8Array {
  const start = webpHeadBytes + chunkHeadBytes;
  const view = viewOf(head);
  const isLossless = textAt(head, webpHeadBytes) === 'VP8L';
  const bits = isLossless ? view.getUint32(start + 1, true) : 0;
  const width = isLossless ? (bits & 0x3fff) + 1 : view.getUint16(start + 6, true) & 0x3fff;
  const height = isLossless ? ((bits >>> 14) & 0x3fff) + 1 : view.getUint16(start + 8, true) & 0x3fff;
  const data = new Uint8Array(extendedChunkBytes);
  data[0] = announced | (bits & (1 << 28) ? vp8xFlags.alpha : 0);
  data.set(encodeSize(width - 1).subarray(0, 3), 4);
  data.set(encodeSize(height - 1).subarray(0, 3), 7);
  return encodeChunk('VP8X', data);
}

function encodeSize(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  viewOf(bytes).setUint32(0, value, true);
  return bytes;
}

const encodeChunk = (type: string, data: Uint8Array): Uint8Array =>
  joinBytes([toBytes(type), encodeSize(data.length), data, new Uint8Array(data.length % 2)]);
