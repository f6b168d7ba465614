import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflate, deflateSync } from 'node:zlib';
import { type RowFile, readChunks } from '../rows/row-file.ts';
import { colorAt, type Palette } from './find-palette.ts';
import type { Pixels } from './open-pixels.ts';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const paletteType = 3;

/** Write a PNG with an exact palette (PNG 1.2). The quantizers of the libraries change transparent colors. */
export async function writePalettePng(path: string, { rows: image, icc }: Pixels, palette: Palette) {
  const bits = [1, 2, 4].find((depth) => palette.colors.length <= 2 ** depth) ?? 8;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(image.width, 0);
  header.writeUInt32BE(image.height, 4);
  header.set([bits, paletteType], 8);
  const compressed = Readable.from(packRows(image, palette, bits)).pipe(createDeflate({ level: 9 }));
  async function* file() {
    const profile = icc ? [profileChunk(icc)] : [];
    yield Buffer.concat([signature, chunk('IHDR', header), ...profile, ...paletteChunks(palette)]);
    for await (const data of compressed) yield chunk('IDAT', data);
    yield chunk('IEND', Buffer.alloc(0));
  }
  await pipeline(file, createWriteStream(path));
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

const profileChunk = (icc: Buffer) =>
  chunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(icc)]));

/** PLTE, and tRNS with the alpha of the transparent colors, which come first. */
function paletteChunks({ colors }: Palette): Buffer[] {
  const samples = colors.flatMap((color) => [color & 255, (color >>> 8) & 255, (color >>> 16) & 255]);
  const opacities = colors.map((color) => color >>> 24).filter((alpha) => alpha < 255);
  const transparency = opacities.length > 0 ? [chunk('tRNS', Buffer.from(opacities))] : [];
  return [chunk('PLTE', Buffer.from(samples)), ...transparency];
}

/** Yield rows of indices, `bits` each, highest bits first. Unfiltered, because indices compress best without filters. */
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
