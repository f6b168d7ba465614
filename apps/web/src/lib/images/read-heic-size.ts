import type { Size } from '../format/format.ts';

/** Number of bytes to read. Covers everything before the pixels. */
export const heicHeaderBytes = 256 * 1024;

type Box = { type: string; start: number; end: number };
const boxHeaderBytes = 8;

/**
 * Lists the boxes in part of a file (ISO/IEC 14496-12). Stops at the first box with a 64-bit length, because only boxes
 * with pixels are that long.
 */
function listBoxes(view: DataView, { start, end }: Pick<Box, 'start' | 'end'>): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at + boxHeaderBytes <= end; ) {
    const length = view.getUint32(at) || end - at;
    if (length < boxHeaderBytes) break;
    const type = String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at + 4, 4));
    boxes.push({ type, start: at + boxHeaderBytes, end: Math.min(at + length, end) });
    at += length;
  }
  return boxes;
}

/** `ipma` lists the property indexes for each item ID. */
function listProperties(view: DataView, iprp: Box, item: number): Box[] {
  const boxes = listBoxes(view, iprp);
  const [ipco, ipma] = ['ipco', 'ipma'].map((name) => boxes.find(({ type }) => type === name));
  if (!ipco || !ipma) return [];
  const all = listBoxes(view, ipco);
  const isLong = view.getUint8(ipma.start) > 0;
  const isWide = (view.getUint8(ipma.start + 3) & 1) === 1;
  let at = ipma.start + 8;
  for (let entries = view.getUint32(ipma.start + 4); entries > 0; entries--) {
    const id = isLong ? view.getUint32(at) : view.getUint16(at);
    at += isLong ? 4 : 2;
    const count = view.getUint8(at++);
    const numbers = Array.from({ length: count }, (_, i) =>
      isWide ? view.getUint16(at + 2 * i) & 0x7fff : view.getUint8(at + i) & 0x7f,
    );
    if (id === item) return numbers.flatMap((number) => all[number - 1] ?? []);
    at += count * (isWide ? 2 : 1);
  }
  return [];
}

/** Returns an image's size after applying a property: the stored size, a crop, or a rotation. */
function applyProperty(view: DataView, size: Size, { type, start }: Box): Size {
  const fraction = (at: number) => Math.round(view.getInt32(at) / view.getUint32(at + 4));
  if (type === 'ispe') return { width: view.getUint32(start + 4), height: view.getUint32(start + 8) };
  if (type === 'clap') return { width: fraction(start), height: fraction(start + 8) };
  const isTurned = type === 'irot' && (view.getUint8(start) & 1) === 1;
  return isTurned ? { width: size.height, height: size.width } : size;
}

/**
 * Returns the size of a HEIC file's primary image (ISO/IEC 23008-12) from the file's first bytes, or undefined if they
 * don't contain it.
 */
export function readHeicSize(bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const meta = listBoxes(view, { start: 0, end: bytes.length }).find(({ type }) => type === 'meta');
    const boxes = meta ? listBoxes(view, { start: meta.start + 4, end: meta.end }) : [];
    const [pitm, iprp] = ['pitm', 'iprp'].map((name) => boxes.find(({ type }) => type === name));
    if (!pitm || !iprp) return undefined;
    const item = view.getUint8(pitm.start) > 0 ? view.getUint32(pitm.start + 4) : view.getUint16(pitm.start + 4);
    const properties = listProperties(view, iprp, item);
    const size = properties.reduce<Size>((known, box) => applyProperty(view, known, box), { width: 0, height: 0 });
    return size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    return undefined; // The header is longer, or damaged.
  }
}
