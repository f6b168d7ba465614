import { decodeText } from './decode-text.ts';
import type { MetadataBlocks } from './metadata-blocks.ts';

/** Markers of ITU-T T.81, and the names of application segments. */
const [startOfScan, endOfImage, comment, app1, app13] = [0xda, 0xd9, 0xfe, 0xe1, 0xed];
const names = {
  exif: 'Exif\0\0',
  xmp: 'http://ns.adobe.com/xap/1.0/\0',
  extended: 'http://ns.adobe.com/xmp/extension/\0',
  photoshop: 'Photoshop 3.0\0',
};
/** Length of the identifier of an extended packet. Its length and the offset of the part follow, 4 bytes each. */
const idBytes = 32;
const partHeadBytes = idBytes + 8;
/** How the main packet names the extended one, as an attribute or an element. */
const extendedId = /HasExtendedXMP\s{0,9}(?:=\s{0,9}["']|>)\s{0,9}([\dA-Fa-f]{32})/;
/** More than editors write. */
const maxExtendedBytes = 16 * 1024 * 1024;

/** Read the segments before the pixels. Other bytes between segments are skipped, as decoders do. */
export function readJpegBlocks(file: Buffer): MetadataBlocks {
  const blocks: MetadataBlocks = { xmp: [], texts: [] };
  const photoshop: Buffer[] = [];
  const parts: Buffer[] = [];
  for (const { marker, data } of listSegments(file)) {
    const after = (name: string) => (hasName(data, name) ? data.subarray(name.length) : undefined);
    if (marker === comment) blocks.texts.push({ keyword: 'Comment', text: decodeText(data) });
    if (marker === app13) photoshop.push(after(names.photoshop) ?? Buffer.alloc(0));
    if (marker !== app1) continue;
    blocks.exif ??= after(names.exif);
    blocks.xmp.push(...[after(names.xmp) ?? []].flat());
    parts.push(...[after(names.extended) ?? []].flat());
  }
  blocks.xmp.splice(1);
  const extended = joinExtended(parts, blocks.xmp[0]);
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

/** The extended packet that the main one names (XMP Specification Part 3, 1.1.3.1), or undefined if it isn't complete. */
function joinExtended(parts: Buffer[], main: Buffer | undefined): Buffer | undefined {
  const [, id] = extendedId.exec(main?.toString('latin1') ?? '') ?? [];
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
