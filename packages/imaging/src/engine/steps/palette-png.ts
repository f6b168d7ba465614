import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflate, deflateSync } from 'node:zlib';
import { type RowFile, readChunks } from '../rows/row-file.ts';
import { whiteOf } from '../rows/row-stream.ts';
import type { Pixels } from './open-pixels.ts';

/** The exact colors of an image, at most 256, as 0xAABBGGRR. Transparent colors come first. */
export type Palette = { colors: number[]; indexOf: Map<number, number> };

const maxColors = 256;

function colorAt(rows: ArrayLike<number>, at: number, channels: number): number {
  const alpha = channels % 2 === 0 ? (rows[at + channels - 1] as number) : 255;
  const [green, blue] = channels < 3 ? [at, at] : [at + 1, at + 2];
  return ((rows[at] as number) | ((rows[green] as number) << 8) | ((rows[blue] as number) << 16) | (alpha << 24)) >>> 0;
}

/** Collects the colors of an 8-bit image. Returns undefined if the image has more than 256 colors or another depth. */
export async function findPalette(image: RowFile): Promise<Palette | undefined> {
  const { channels, depth } = image;
  if (depth !== 8) return undefined;
  const found = new Set<number>();
  for await (const rows of readChunks(image)) {
    for (let i = 0, last = -1; i < rows.length; i += channels) {
      const color = colorAt(rows, i, channels);
      if (color === last) continue;
      last = color;
      found.add(color);
      if (found.size > maxColors) return undefined;
    }
  }
  const colors = [...found].sort((a, b) => a - b);
  return { colors, indexOf: new Map(colors.map((color, index) => [color, index])) };
}

/** Whether a pixel isn't opaque. With `isPartly`, whether one is neither opaque nor invisible. */
export async function hasTransparentPixels(image: RowFile, { isPartly = false } = {}): Promise<boolean> {
  const { channels, depth } = image;
  if (channels % 2 === 1) return false;
  const [least, opaque] = [isPartly ? 1 : 0, whiteOf(depth)];
  for await (const rows of readChunks(image)) {
    for (let i = channels - 1; i < rows.length; i += channels) {
      const alpha = rows[i] as number;
      if (alpha >= least && alpha < opaque) return true;
    }
  }
  return false;
}

/** Whether all pixels of an RGB file are gray. For color images, usually reads only the first rows. */
export async function isGrayscale(file: RowFile): Promise<boolean> {
  if (file.channels < 3) return false;
  for await (const rows of readChunks(file)) {
    for (let i = 0; i < rows.length; i += file.channels)
      if (rows[i] !== rows[i + 1] || rows[i] !== rows[i + 2]) return false;
  }
  return true;
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const paletteType = 3;

/**
 * Writes a PNG with an exact palette (PNG 1.2). Doesn't use the quantizers of the libraries, because they change
 * transparent colors.
 */
export async function writePalettePng(path: string, { rows: image, icc }: Pixels, palette: Palette) {
  const bits = [1, 2, 4].find((depth) => palette.colors.length <= 2 ** depth) ?? 8;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(image.width, 0);
  header.writeUInt32BE(image.height, 4);
  header.set([bits, paletteType], 8);
  const compressed = Readable.from(packRows(image, palette, bits)).pipe(createDeflate({ level: 9 }));
  async function* file() {
    const profile = icc ? [encodeProfileChunk(icc)] : [];
    yield Buffer.concat([signature, encodeChunk('IHDR', header), ...profile, ...encodePaletteChunks(palette)]);
    for await (const data of compressed) yield encodeChunk('IDAT', data);
    yield encodeChunk('IEND', Buffer.alloc(0));
  }
  await pipeline(file, createWriteStream(path));
}

function encodeChunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

const encodeProfileChunk = (icc: Buffer) =>
  encodeChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(icc)]));

/** Creates a PLTE chunk, and a tRNS chunk with the alpha of the transparent colors, which come first in the palette. */
function encodePaletteChunks({ colors }: Palette): Buffer[] {
  const samples = colors.flatMap((color) => [color & 255, (color >>> 8) & 255, (color >>> 16) & 255]);
  const opacities = colors.map((color) => color >>> 24).filter((alpha) => alpha < 255);
  const transparency = opacities.length > 0 ? [encodeChunk('tRNS', Buffer.from(opacities))] : [];
  return [encodeChunk('PLTE', Buffer.from(samples)), ...transparency];
}

/**
 * Yields rows of palette indices with `bits` bits each, most significant bits first. Rows aren't filtered, because
 * indices compress best without filters.
 */
async function* packRows(image: RowFile, { indexOf }: Palette, bits: number) {
  const { width, channels } = image;
  const rowBytes = 1 + Math.ceil((width * bits) / 8);
  const perByte = 8 / bits;
  for await (const rows of readChunks(image)) {
    const count = rows.length / channels / width;
    const packed = Buffer.alloc(count * rowBytes);
    for (let row = 0; row < count; row++)
      for (let x = 0; x < width; x++) {
        const index = indexOf.get(colorAt(rows, (row * width + x) * channels, channels)) as number;
        const at = row * rowBytes + 1 + Math.floor(x / perByte);
        packed[at] = (packed[at] as number) | (index << (8 - bits * ((x % perByte) + 1)));
      }
    yield packed;
  }
}
