import { type Image, makeImage } from './images.ts';

/** `pixels`: color indices of a frame, row by row. */
export type GifImage = {
  left: number;
  top: number;
  width: number;
  height: number;
  pixels: number[];
  disposal: number;
  /** The color index that isn't drawn. */
  transparent?: number;
  /** A color table of its own: red, green, and blue of each color. */
  palette?: number[];
  isInterlaced?: boolean;
  /** Without a graphic control extension. Its disposal is 0. */
  isBare?: boolean;
};
/** `palette`: of 4 colors, or 256. */
export type GifCanvas = { width: number; height: number; palette: number[]; frames: GifImage[] };

const short = (value: number) => [value & 255, value >> 8];
const tableFlags = (palette: number[]) => 0x80 | (Math.log2(palette.length / 3) - 1);

/** Encodes a GIF as it is described, with any combination of features. The background color is that of index 1. */
export function makeGif({ width, height, palette, frames }: GifCanvas): Buffer {
  const header = [...Buffer.from('GIF89a', 'latin1'), ...short(width), ...short(height), tableFlags(palette), 1, 0];
  return Buffer.from([...header, ...palette, ...frames.flatMap((frame) => encodeFrame(frame, palette)), 0x3b]);
}

function encodeFrame(frame: GifImage, shared: number[]): number[] {
  const { left, top, width, height, pixels, disposal, transparent, palette, isInterlaced = false } = frame;
  const flags = (disposal << 2) | (transparent === undefined ? 0 : 1);
  const control = [0x21, 0xf9, 4, flags, 10, 0, transparent ?? 0, 0];
  const place = [0x2c, left, top, width, height].flatMap((value, i) => (i === 0 ? [value] : short(value)));
  const order = isInterlaced
    ? [
        [0, 8],
        [4, 8],
        [2, 4],
        [1, 2],
      ].flatMap(([from = 0, step = 1]) => rowsFrom(from, step, height))
    : rowsFrom(0, 1, height);
  const ordered = order.flatMap((y) => pixels.slice(y * width, (y + 1) * width));
  const bits = Math.log2((palette ?? shared).length / 3);
  const own = palette ? tableFlags(palette) : 0;
  const described = [...place, own | (isInterlaced ? 0x40 : 0), ...(palette ?? []), bits];
  return [...(frame.isBare ? [] : control), ...described, ...toBlocks(ordered, bits), 0];
}

const rowsFrom = (from: number, step: number, height: number) =>
  Array.from({ length: Math.ceil(Math.max(0, height - from) / step) }, (_, i) => from + i * step);

/** LZW with a table that is cleared when it is half full, so that codes have several lengths. */
function toBlocks(pixels: number[], bits: number): number[] {
  const clear = 2 ** bits;
  const bytes: number[] = [];
  let [held, heldBits, size] = [0, 0, bits + 1];
  const put = (code: number) => {
    held |= code << heldBits;
    for (heldBits += size; heldBits >= 8; heldBits -= 8, held >>= 8) bytes.push(held & 255);
  };
  let [table, next, prefix] = [new Map<string, number>(), clear + 2, ''];
  const codeOf = (text: string) => table.get(text) ?? Number(text);
  put(clear);
  for (const pixel of pixels) {
    const longer = prefix === '' ? `${pixel}` : `${prefix},${pixel}`;
    if (prefix === '' || table.has(longer)) {
      prefix = longer;
      continue;
    }
    put(codeOf(prefix));
    table.set(longer, next++);
    if (next === 2 ** size + 1) size++;
    prefix = `${pixel}`;
    if (next < 1_200) continue;
    put(codeOf(prefix));
    if (next + 1 === 2 ** size + 1) size++;
    put(clear);
    [table, next, prefix, size] = [new Map(), clear + 2, '', bits + 1];
  }
  if (prefix !== '') {
    put(codeOf(prefix));
    if (next + 1 === 2 ** size + 1) size++;
  }
  put(clear + 1);
  if (heldBits > 0) bytes.push(held & 255);
  const blocks: number[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.slice(at, at + 255);
    blocks.push(part.length, ...part);
  }
  return blocks;
}

/** Draws the frames of a GIF as browsers do: on a transparent canvas, which disposal to the background shows again. */
export function drawGif({ width, height, palette: shared, frames }: GifCanvas): Image[] {
  let canvas = new Uint8Array(width * height * 4);
  return frames.map((frame) => {
    const before = canvas.slice();
    const palette = frame.palette ?? shared;
    const places = frame.pixels.map((_, i) => {
      const [x, y] = [frame.left + (i % frame.width), frame.top + Math.floor(i / frame.width)];
      return 4 * (y * width + x);
    });
    frame.pixels.forEach((index, i) => {
      const isDrawn = frame.isBare || index !== frame.transparent;
      if (isDrawn) canvas.set([...palette.slice(3 * index, 3 * index + 3), 255], places[i]);
    });
    const shown = canvas.slice();
    const disposal = frame.isBare ? 0 : frame.disposal;
    if (disposal === 2) for (const at of places) canvas.set([0, 0, 0, 0], at);
    if (disposal === 3 || disposal === 4) canvas = before;
    return makeImage({ width, height, channels: 4 }, (x, y) => [
      ...shown.slice(4 * (y * width + x), 4 * (y * width + x) + 4),
    ]);
  });
}
