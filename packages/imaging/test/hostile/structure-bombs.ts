import { limits } from '@uprez/contracts/policy/limits';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { makeGif, wrapWebp } from './animations.ts';
import type { Bomb } from './bomb.ts';
import { insertChunks, makePngFile, pngChunk } from './png-file.ts';
import { makeTiffFile } from './tiff-file.ts';

/** `parts`: the number of entries, chunks, segments, or blocks of a file of this format. */
type Structure = {
  format: keyof typeof limits.inspectionSteps;
  parts: string;
  make: (parts: number) => Promise<Buffer>;
};

const photo = makePhoto({ width: 16, height: 16 });
const repeat = (part: Buffer, times: number) => Buffer.alloc(part.length * times, part);

type TiffShape = { entries: number; pages?: number };
const firstPrivateTag = 40_000;

/** Returns a grey TIFF whose directories have additional entries with different tags. */
export function tiffOf({ entries, pages = 1 }: TiffShape): Buffer {
  const tags = Array.from({ length: entries }, (_, i) => [firstPrivateTag + i, 4, [1]] as [number, number, number[]]);
  const image = { width: 4, height: 4, photometric: 1, samples: 1, bits: 8, data: new Uint8Array(16).fill(255) };
  return makeTiffFile({ ...image, entries: tags, pages });
}

/**
 * Returns a TIFF of `sizeBytes` whose directories after the first begin two bytes apart, so each has the entries of all
 * others.
 */
export function overlappingTiff(sizeBytes: number, directories: number): Buffer {
  const file = Buffer.alloc(sizeBytes);
  const image = tiffOf({ entries: 0 });
  image.copy(file);
  const linkBytes = 14;
  const entries = Math.floor((sizeBytes - linkBytes * (directories + 1) - image.length - 16) / 12);
  let link = image.readUInt32LE(4) + 2 + image.readUInt16LE(image.readUInt32LE(4)) * 12;
  for (let i = 0; i < directories; i++) {
    const at = image.length + 2 * i;
    file.writeUInt16LE(entries + i, at);
    file.writeUInt32LE(at, link);
    link = at + 2 + 12 * (entries + i);
  }
  return file;
}

const jpegWith = async (segments: Buffer) => {
  const jpeg = await encodeAs(photo, 'jpeg');
  return Buffer.concat([jpeg.subarray(0, 2), segments, jpeg.subarray(2)]);
};
const pngWith = (chunks: Buffer) =>
  insertChunks(makePngFile({ width: 4, height: 4, rows: Buffer.alloc(20) }), [chunks]);
const gifHeaderBytes = 19;
const gifWith = (blocks: Buffer) => {
  const gif = makeGif({ width: 4, height: 4, frames: 1 });
  return Buffer.concat([gif.subarray(0, gifHeaderBytes), blocks, gif.subarray(gifHeaderBytes)]);
};

/** Valid files with many small parts. */
export const structures: Structure[] = [
  { format: 'jpeg', parts: 'restart markers', make: (parts) => jpegWith(repeat(Buffer.from([0xff, 0xd0]), parts)) },
  { format: 'jpeg', parts: 'comments', make: (parts) => jpegWith(repeat(Buffer.from([0xff, 0xfe, 0, 2]), parts)) },
  {
    format: 'png',
    parts: 'private chunks',
    make: async (parts) => pngWith(repeat(pngChunk('prVt', Buffer.alloc(0)), parts)),
  },
  {
    format: 'webp',
    parts: 'unknown chunks',
    make: async (parts) => {
      const still = await toSharp(photo).webp({ lossless: true }).toBuffer();
      return wrapWebp([still.subarray(12), repeat(Buffer.from('XXXX\0\0\0\0', 'latin1'), parts)]);
    },
  },
  { format: 'gif', parts: 'comments', make: async (parts) => gifWith(repeat(Buffer.from([0x21, 0xfe, 0]), parts)) },
  {
    format: 'gif',
    parts: 'blocks of one byte',
    make: async (parts) =>
      gifWith(Buffer.concat([Buffer.from([0x21, 0xfe]), repeat(Buffer.from([1, 1]), parts), Buffer.from([0])])),
  },
  { format: 'tiff', parts: 'entries', make: async (parts) => tiffOf({ entries: parts }) },
];

/** Small files that take parsers or decoders long, because they have more parts than any real image. */
export const structureBombs: Bomb[] = [
  ...structures.map(({ format, parts, make }) => {
    const count = format === 'tiff' ? limits.tiffEntries : limits.inspectionSteps[format];
    return { name: `${format} file of ${count} ${parts}`, code: 'corrupt_image' as const, make: () => make(count) };
  }),
  { name: 'TIFF of 900 overlapping directories', code: 'corrupt_image', make: () => overlappingTiff(96_000, 900) },
  { name: 'TIFF of 4,000 overlapping directories', code: 'corrupt_image', make: () => overlappingTiff(96_000, 4_000) },
  { name: 'TIFF of 30 pages of 400 entries', code: 'corrupt_image', make: () => tiffOf({ entries: 400, pages: 30 }) },
  { name: 'TIFF of 1,980 unknown tags', code: 'corrupt_image', make: () => tiffOf({ entries: 1_980 }) },
];
