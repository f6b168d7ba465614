import { walkGif } from '../canvas/list-gif-frames.ts';
import { readTiff } from './read-tiff.ts';
import { makeWorkBudget, type WorkBudget } from './work-budget.ts';

const riffHeaderBytes = 12;
const chunkTypeOf = (name: string) => Buffer.from(name, 'latin1').readUInt32BE();
const frameType = chunkTypeOf('ANMF');

/**
 * Counts the images in a file from its structure alone. Never throws: counting ends where the file is damaged or the
 * budget is used up.
 */
export function countFrames(file: Buffer, format: string, budget = makeWorkBudget()): number {
  if (format === 'png') return countPngFrames(file, budget);
  if (format === 'gif') return walkGif(file, budget).frames;
  if (format === 'webp') return countWebpFrames(file, budget);
  return format === 'tiff' ? readTiff(file, { budget }).pages : 1;
}

function countWebpFrames(file: Buffer, budget: WorkBudget): number {
  let frames = 0;
  for (let at = riffHeaderBytes; at + 8 <= file.length && budget.take('webp'); ) {
    if (file.readUInt32BE(at) === frameType) frames++;
    const length = file.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return Math.max(1, frames);
}

const signatureBytes = 8;
/** Length of a chunk's length and type fields, in bytes. The chunk's data and a 4-byte CRC follow. */
const headerBytes = 8;
const [animation, pixels, end] = [chunkTypeOf('acTL'), chunkTypeOf('IDAT'), chunkTypeOf('IEND')];
const endChunk = Buffer.from('\0\0\0\0IEND\xae\x42\x60\x82', 'latin1');

/**
 * Returns the frame count of a PNG from its acTL chunk (APNG 1.0), which precedes the first IDAT chunk. Returns 1 if
 * the file has no acTL chunk.
 */
function countPngFrames(file: Buffer, budget: WorkBudget): number {
  const at = findChunk(file, [animation, pixels], budget) ?? file.length;
  const hasCount = at + headerBytes + 4 <= file.length && file.readUInt32BE(at + 4) === animation;
  return hasCount ? Math.max(1, file.readUInt32BE(at + headerBytes)) : 1;
}

/** Returns the offset of the first IDAT chunk of a PNG, or the file length if it has none. */
export const findPngPixels = (file: Buffer, budget: WorkBudget): number =>
  findChunk(file, [pixels], budget) ?? file.length;

/** Whether a PNG has an IEND chunk. Other bytes may follow the chunk. */
export const hasPngEnd = (file: Buffer, budget: WorkBudget): boolean =>
  endsWithPngEnd(file) || findChunk(file, [end], budget) !== undefined;

export const endsWithPngEnd = (file: Buffer): boolean => file.subarray(-endChunk.length).equals(endChunk);

function findChunk(file: Buffer, types: readonly number[], budget: WorkBudget): number | undefined {
  for (let at = signatureBytes; at + headerBytes <= file.length; at += headerBytes + 4 + file.readUInt32BE(at)) {
    if (!budget.take('png')) return undefined;
    if (types.includes(file.readUInt32BE(at + 4))) return at;
  }
  return undefined;
}
