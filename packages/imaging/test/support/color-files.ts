import { guardedSharp, toSrgb } from '../../src/decoders.ts';
import { u16 } from '../hostile/heif-file.ts';
import { makePngFile, pngChunk } from '../hostile/png-file.ts';

const words = (...values: number[]) => {
  const data = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) data.writeUInt32BE(value, 4 * i);
  return data;
};

export const gama = (value: number) => pngChunk('gAMA', words(value));
/** White, red, green, and blue, as 100,000 times x and y. */
export const chromaticities = (...values: number[]) => pngChunk('cHRM', words(...values));
export const srgbChunk = pngChunk('sRGB', Buffer.of(0));
/** `more`: the matrix and the flag of a full range. */
export const cicp = (primaries: number, transfer: number, more = [0, 1]) =>
  pngChunk('cICP', Buffer.of(primaries, transfer, ...more));

const white = [31_270, 32_900];
export const chroma = {
  srgb: [...white, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000],
  p3: [...white, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000],
  adobe: [...white, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000],
  bt2020: [...white, 70_800, 29_200, 17_000, 79_700, 13_100, 4_600],
};

const side = 16;

/** Returns a PNG of one color with these chunks. */
export function flatPng(
  pixel: number[],
  chunks: Buffer[],
  kind: Partial<Parameters<typeof makePngFile>[0]> = {},
): Buffer {
  const bytes = kind.bits === 16 ? pixel.flatMap((value) => [value >> 8, value & 255]) : pixel;
  const row = Buffer.from([0, ...Array.from({ length: side }, () => bytes).flat()]);
  const rows = Buffer.concat(Array.from({ length: side }, () => row));
  return makePngFile({ width: side, height: side, colorType: 2, rows, chunks, ...kind });
}

/** Returns an AVIF of one color with these code points, and with a profile. */
export async function flatAvif(pixel: number[], points: [primaries: number, transfer: number], icc?: Buffer) {
  const [r = 0, g = 0, b = 0] = pixel;
  const create = { width: side, height: side, channels: 3, background: { r, g, b } } as const;
  const image = guardedSharp({ create });
  const options = { lossless: true, chromaSubsampling: '4:4:4' } as const;
  const plain = await image.avif(options).toBuffer();
  const at = plain.indexOf('nclx') - 4;
  if (at < 4) throw new Error('the file has no code points');
  u16(...points).copy(plain, at + 8);
  if (!icc) return plain;
  return addProfile(plain, icc);
}

/** Adds a profile to the only item of an AVIF that libheif wrote, beside its code points. */
function addProfile(file: Buffer, icc: Buffer): Buffer {
  const property = Buffer.concat([words(12 + icc.length), Buffer.from('colrprof', 'latin1'), icc]);
  const startOf = (type: string) => file.indexOf(type) - 4;
  const [properties, links, data] = [startOf('ipco'), startOf('ipma'), startOf('mdat')];
  const head = Buffer.from(file.subarray(0, links));
  const link = Buffer.concat([file.subarray(links, data), Buffer.of(5)]);
  const grow = (at: number, by: number, part = head) => part.writeUInt32BE(part.readUInt32BE(at) + by, at);
  grow(properties, property.length);
  for (const type of ['iprp', 'meta']) grow(startOf(type), property.length + 1);
  grow(0, 1, link);
  // The number of properties of the item: four, and the new one.
  link[link.length - 6] = 5;
  const offset = words(data + 8);
  const moved = words(data + 8 + property.length + 1);
  moved.copy(head, head.indexOf(offset, startOf('iloc')));
  return Buffer.concat([head, property, link, file.subarray(data)]);
}

/** Returns the pixel in the middle as color-managed programs show it in sRGB, 8 bits. */
export async function shownPixel(file: Buffer): Promise<number[]> {
  const image = guardedSharp(file, { limitInputPixels: 10_000_000 });
  const { data, info } = await toSrgb(image, await image.metadata())
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  const color = [...data.subarray(at, at + Math.min(3, info.channels))];
  return color.length < 3 ? [0, 0, 0].map(() => color[0] ?? -1) : color;
}

/** Exponents of red, green, and blue, endpoints as x, y, and z, and an ICC profile. */
type BmpColors = { gamma?: number[]; endpoints?: number[]; profile?: Buffer };

/** Returns a BMP of one color with a header of version 4, or of version 5 with a profile. */
export function flatBmp([r = 0, g = 0, b = 0]: number[], { gamma = [], endpoints = [], profile }: BmpColors): Buffer {
  const header = Buffer.alloc(14 + (profile ? 124 : 108));
  const pixels = Buffer.alloc(3 * side * side, Buffer.of(b, g, r));
  header.write('BM', 'latin1');
  header.writeUInt32LE(header.length, 10);
  header.writeUInt32LE(header.length - 14, 14);
  header.writeInt32LE(side, 18);
  header.writeInt32LE(side, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  for (const [i, value] of endpoints.entries()) header.writeInt32LE(Math.round(value * 2 ** 30), 74 + 4 * i);
  for (const [i, value] of gamma.entries()) header.writeUInt32LE(Math.round(value * 2 ** 16), 110 + 4 * i);
  if (profile) {
    header.writeUInt32LE(0x4d424544, 70);
    header.writeUInt32LE(header.length - 14 + pixels.length, 126);
    header.writeUInt32LE(profile.length, 130);
  }
  return Buffer.concat([header, pixels, ...(profile ? [profile] : [])]);
}
