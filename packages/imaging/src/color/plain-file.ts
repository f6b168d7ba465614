import { makeConverter } from './convert-samples.ts';
import { type Encoding, type SourceColor, srgb } from './encoding.ts';
import { bmpColorSpace, hasBmpColorSpace, readBmpColor } from './read-bmp-color.ts';
import { listPngChunks, readPngColor } from './read-png-color.ts';

type Bytes = Uint8Array<ArrayBuffer>;
/**
 * A file that browsers display correctly without its color profile. `encoding`: encoding of the samples, or undefined
 * for sRGB.
 */
export type PlainFile = { file: Bytes; encoding?: Encoding };

const colorChunks = ['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM'];
const [pngStart, bmpStart] = [0x8950, 0x424d];
const pngDepthAt = 24;

/**
 * Removes the color description from a PNG or BMP, because some browsers ignore it, and some render an image with a
 * damaged description as black. Returns undefined for files that are used unchanged: files with a profile, files
 * without a color description, and 16-bit PNGs, which a canvas would round before conversion.
 */
export function toPlainFile(file: Bytes): PlainFile | undefined {
  const start = ((file[0] ?? 0) << 8) | (file[1] ?? 0);
  if (start === pngStart && file[pngDepthAt] !== 16) return toPlainPng(file);
  return start === bmpStart ? toPlainBmp(file) : undefined;
}

const encodingOf = (color: SourceColor) => (color.kind === 'encoded' ? { encoding: color.encoding } : {});

function toPlainPng(file: Bytes): PlainFile | undefined {
  const color = readPngColor(file);
  const chunks = listPngChunks(file).filter(({ name }) => colorChunks.includes(name));
  if (color.kind === 'embedded' || chunks.length === 0) return undefined;
  const parts: Bytes[] = [];
  let at = 0;
  for (const { start, end } of chunks) {
    parts.push(file.subarray(at, start - 8));
    at = end + 4;
  }
  return { file: joinBytes([...parts, file.subarray(at)]), ...encodingOf(color) };
}

function toPlainBmp(file: Bytes): PlainFile | undefined {
  const color = readBmpColor(file);
  if (color.kind === 'embedded' || !hasBmpColorSpace(file)) return undefined;
  const copy = file.slice();
  new DataView(copy.buffer).setUint32(bmpColorSpace.at, bmpColorSpace.srgb, true);
  return { file: copy, ...encodingOf(color) };
}

function joinBytes(parts: readonly Bytes[]): Bytes {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Creates a function that converts 8-bit samples to sRGB in place. Returns undefined if they are already sRGB. */
export const makeSrgbConverter = (encoding: Encoding | undefined, channels: 3 | 4) =>
  encoding && makeConverter(encoding, srgb, { channels, depth: 8 });
