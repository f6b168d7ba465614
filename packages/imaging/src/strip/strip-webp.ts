import { AppError } from '@uprez/contracts/errors/app-error';
import { openByteWriter, sliceChecked } from './byte-writer.ts';
import { encodeOrientation, orientationBytes, readOrientation } from './orientation.ts';

const headBytes = 12;
const keptChunks = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ICCP']);
const keptFrameChunks = new Set(['VP8 ', 'VP8L', 'ALPH']);
const frameHeadBytes = 16;
const [exifFlag, xmpFlag] = [0x08, 0x04];

/**
 * Removes all metadata from a WebP file except its orientation and color profile. Also removes all data after the
 * image.
 */
export function stripWebp(file: Buffer): Buffer {
  const output = openByteWriter(file.length + orientationBytes);
  output.add(sliceChecked(file, 0, headBytes));
  const end = 8 + file.readUInt32LE(4);
  if (end > file.length) throw new AppError('corrupt_image');
  let hasOrientation = false;
  for (let at = headBytes; at < end; ) {
    const chunk = chunkAt(file, at);
    const name = nameOf(chunk);
    const exif = name === 'EXIF' ? keepOrientation(chunk) : undefined;
    if (exif) {
      output.add(exif);
      hasOrientation = true;
    } else if (name === 'ANMF') output.add(keepFrame(chunk));
    else if (keptChunks.has(name)) output.add(chunk);
    at += chunk.length;
  }
  return finishFile(output.finish(), hasOrientation);
}

const nameOf = (chunk: Buffer) => chunk.toString('latin1', 0, 4);

function chunkAt(file: Buffer, at: number): Buffer {
  const length = sliceChecked(file, at, at + 8).readUInt32LE(4);
  const chunk = sliceChecked(file, at, Math.min(at + 8 + length + (length % 2), file.length));
  if (chunk.length < 8 + length) throw new AppError('corrupt_image');
  return chunk;
}

/** Keeps only the pixel chunks of an animation frame. Other chunks may come before and after them. */
function keepFrame(frame: Buffer): Buffer {
  const end = 8 + frame.readUInt32LE(4);
  const parts: Buffer[] = [sliceChecked(frame, 0, 8 + frameHeadBytes)];
  for (let at = 8 + frameHeadBytes; at < end; ) {
    const chunk = chunkAt(frame, at);
    if (keptFrameChunks.has(nameOf(chunk))) parts.push(chunk);
    at += chunk.length;
  }
  const stripped = Buffer.concat(parts);
  stripped.writeUInt32LE(stripped.length - 8, 4);
  return stripped;
}

function finishFile(stripped: Buffer, hasOrientation: boolean): Buffer {
  stripped.writeUInt32LE(stripped.length - 8, 4);
  if (stripped.toString('latin1', 12, 16) !== 'VP8X') return stripped;
  const flags = sliceChecked(stripped, 20, 21).readUInt8() & ~(exifFlag | xmpFlag);
  stripped.writeUInt8(hasOrientation ? flags | exifFlag : flags, 20);
  return stripped;
}

function keepOrientation(chunk: Buffer): Buffer | undefined {
  const data = chunk.subarray(8);
  const orientation = readOrientation(data.toString('latin1', 0, 6) === 'Exif\0\0' ? data.subarray(6) : data);
  if (orientation === 1) return undefined;
  const tiff = encodeOrientation(orientation);
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
  head.writeUInt32LE(tiff.length, 4);
  return Buffer.concat([head, tiff]);
}
