import { makeConverter } from './convert-samples.ts';
import { type Encoding, type SourceColor, srgb } from './encoding.ts';
import { bmpColorSpace, hasBmpColorSpace, readBmpColor } from './read-bmp-color.ts';
import { listPngChunks, readPngColor } from './read-png-color.ts';

type Bytes = Uint8Array<ArrayBuffer>;
/** A file whose samples browsers show unchanged. `encoding`: of these samples; undefined for sRGB. */
export type PlainFile = { file: Bytes; encoding?: Encoding };

/** Chunks that describe colors. */
const colorChunks = ['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM'];
const [pngStart, bmpStart] = [0x8950, 0x424d];
const pngDepthAt = 24;

/**
 * Take the description of colors out of a PNG or BMP, because not all browsers read it, or read damaged ones as black.
 * Undefined for files that browsers show as they are: those with a profile, those without a description, and PNG of 16 bits,
 * which a canvas would round before they are converted.
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
  return { file: join([...parts, file.subarray(at)]), ...encodingOf(color) };
}

function toPlainBmp(file: Bytes): PlainFile | undefined {
  const color = readBmpColor(file);
  if (color.kind === 'embedded' || !hasBmpColorSpace(file)) return undefined;
  const copy = file.slice();
  new DataView(copy.buffer).setUint32(bmpColorSpace.at, bmpColorSpace.srgb, true);
  return { file: copy, ...encodingOf(color) };
}

function join(parts: readonly Bytes[]): Bytes {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Make a function that converts samples of 8 bits to sRGB in place. Undefined when they are in sRGB. */
export const makeSrgbConverter = (encoding: Encoding | undefined, channels: 3 | 4) =>
  encoding && makeConverter(encoding, srgb, { channels, depth: 8 });
