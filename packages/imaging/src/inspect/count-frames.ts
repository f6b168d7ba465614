import { readTiff } from './inspect-tiff.ts';
import { makeWorkBudget, type WorkBudget } from './work-budget.ts';

/** Block introducers (GIF89a, sections 20 to 26). */
const [imageBlock, extensionBlock] = [0x2c, 0x21];
const gifHeaderBytes = 13;
const riffHeaderBytes = 12;
/** The type of a chunk as a number: four characters. */
const typeOf = (name: string) => Buffer.from(name, 'latin1').readUInt32BE();
const frame = typeOf('ANMF');

/**
 * Number of images in a file, from its structure alone. Never throws: counting ends where the file is damaged or the
 * budget is used up.
 */
export function countFrames(file: Buffer, format: string, budget = makeWorkBudget()): number {
  if (format === 'png') return countPngFrames(file, budget);
  if (format === 'gif') return walkGif(file, budget).frames;
  if (format === 'webp') return countWebpFrames(file, budget);
  return format === 'tiff' ? readTiff(file, { budget }).pages : 1;
}

/** Whether the last block of a GIF is complete. The decoder does not report incomplete frames. */
export const isWholeGif = (file: Buffer, budget: WorkBudget) => walkGif(file, budget).end <= file.length;

function walkGif(file: Buffer, budget: WorkBudget): { frames: number; end: number } {
  let frames = 0;
  let at = gifHeaderBytes + colorTableBytes(file[10]);
  while (at < file.length && budget.take('gif')) {
    if (file[at] === imageBlock) {
      frames++;
      at = skipSubBlocks(file, at + 11 + colorTableBytes(file[at + 9]), budget);
    } else if (file[at] === extensionBlock) at = skipSubBlocks(file, at + 2, budget);
    else break;
  }
  return { frames, end: at };
}

/** Length of a color table, from the packed flags before it. */
const colorTableBytes = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function skipSubBlocks(file: Buffer, from: number, budget: WorkBudget): number {
  let at = from;
  while (at < file.length && file[at] !== 0 && budget.take('gif')) at += (file[at] as number) + 1;
  return at + 1;
}

function countWebpFrames(file: Buffer, budget: WorkBudget): number {
  let frames = 0;
  for (let at = riffHeaderBytes; at + 8 <= file.length && budget.take('webp'); ) {
    if (file.readUInt32BE(at) === frame) frames++;
    const length = file.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return Math.max(1, frames);
}

const signatureBytes = 8;
/** Length and type of a chunk; its data and a CRC of 4 bytes follow. */
const headerBytes = 8;
const [animation, pixels, end] = [typeOf('acTL'), typeOf('IDAT'), typeOf('IEND')];
const endChunk = Buffer.from('\0\0\0\0IEND\xae\x42\x60\x82', 'latin1');

/** Frame count of a PNG: that of its acTL chunk (APNG 1.0), which precedes the first IDAT chunk, else 1. */
function countPngFrames(file: Buffer, budget: WorkBudget): number {
  const at = findChunk(file, [animation, pixels], budget) ?? file.length;
  const hasCount = at + headerBytes + 4 <= file.length && file.readUInt32BE(at + 4) === animation;
  return hasCount ? Math.max(1, file.readUInt32BE(at + headerBytes)) : 1;
}

/** Whether a PNG has an IEND chunk. Bytes may follow it. */
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
