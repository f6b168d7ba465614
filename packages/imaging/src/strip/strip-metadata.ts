import { crc32 } from 'node:zlib';
import type { strippableFormats } from '../pipeline/may-return-source.ts';
import { openByteWriter, sliceChecked } from './byte-writer.ts';
import { encodeOrientation, orientationBytes, readOrientation } from './orientation.ts';
import { stripGif } from './strip-gif.ts';
import { type StripOptions, stripJpeg } from './strip-jpeg.ts';
import { stripWebp } from './strip-webp.ts';

const signatureBytes = 8;
/** Chunks that contain the pixels or affect their appearance or animation. */
const keptChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '),
);

/**
 * Removes all metadata from a PNG file except its orientation and color profile. Also removes all data after the image.
 */
function stripPng(file: Buffer, { removesResolution }: StripOptions = {}): Buffer {
  const output = openByteWriter(file.length + orientationBytes);
  output.add(sliceChecked(file, 0, signatureBytes));
  for (let at = signatureBytes; ; ) {
    const head = sliceChecked(file, at, at + 8);
    const chunk = sliceChecked(file, at, at + 12 + head.readUInt32BE(0));
    const name = head.toString('latin1', 4);
    if (name === 'eXIf') output.add(keepOrientation(chunk));
    else if (name === 'pHYs' && removesResolution) output.add(toAspectRatioChunk(chunk));
    else if (keptChunks.has(name)) output.add(chunk);
    if (name === 'IEND') return output.finish();
    at += chunk.length;
  }
}

/**
 * Converts a pHYs chunk to an aspect ratio (PNG 3, 11.3.5.3, unit 0). Returns an empty buffer for square pixels, which
 * don't need the chunk.
 */
function toAspectRatioChunk(chunk: Buffer): Buffer {
  const data = Buffer.from(sliceChecked(chunk, 8, 17));
  if (data.readUInt32BE(0) === data.readUInt32BE(4)) return Buffer.alloc(0);
  data[8] = 0;
  return makeChunk('pHYs', data);
}

function keepOrientation(chunk: Buffer): Buffer {
  const orientation = readOrientation(chunk.subarray(8, chunk.length - 4));
  return orientation === 1 ? Buffer.alloc(0) : makeChunk('eXIf', encodeOrientation(orientation));
}

function makeChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const stripFunctions: Record<(typeof strippableFormats)[number], (file: Buffer, options: StripOptions) => Buffer> = {
  jpeg: stripJpeg,
  png: stripPng,
  webp: stripWebp,
  gif: stripGif,
};

/**
 * Removes metadata from an image, such as the location where a photo was taken, without changing the pixels. Keeps the
 * orientation, the color profile, and animations. Throws `corrupt_image` for files that are cut off.
 */
export const stripMetadata = (file: Buffer, format: keyof typeof stripFunctions, options: StripOptions = {}): Buffer =>
  stripFunctions[format](file, options);
