import { countPngFrames } from './png-chunks.ts';
import { readTiff } from './read-tiff.ts';

/** Block introducers (GIF89a, sections 20 to 26). */
const [imageBlock, extensionBlock] = [0x2c, 0x21];
const gifHeaderBytes = 13;
const riffHeaderBytes = 12;

/** Number of images in a file, from its structure alone. Never throws: counting ends where the file is damaged. */
export function countFrames(file: Buffer, format: string): number {
  if (format === 'png') return countPngFrames(file);
  if (format === 'gif') return walkGif(file).frames;
  if (format === 'webp') return countWebpFrames(file);
  return format === 'tiff' ? readTiff(file).pages : 1;
}

/** Whether the last block of a GIF is complete. The decoder does not report incomplete frames. */
export const isWholeGif = (file: Buffer) => walkGif(file).end <= file.length;

function walkGif(file: Buffer): { frames: number; end: number } {
  let frames = 0;
  let at = gifHeaderBytes + colorTableBytes(file[10]);
  while (at < file.length) {
    if (file[at] === imageBlock) {
      frames++;
      at = skipSubBlocks(file, at + 11 + colorTableBytes(file[at + 9]));
    } else if (file[at] === extensionBlock) at = skipSubBlocks(file, at + 2);
    else break;
  }
  return { frames, end: at };
}

/** Length of a color table, from the packed flags before it. */
const colorTableBytes = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function skipSubBlocks(file: Buffer, from: number): number {
  let at = from;
  while (at < file.length && file[at] !== 0) at += (file[at] as number) + 1;
  return at + 1;
}

function countWebpFrames(file: Buffer): number {
  let frames = 0;
  for (let at = riffHeaderBytes; at + 8 <= file.length; ) {
    if (file.toString('latin1', at, at + 4) === 'ANMF') frames++;
    const length = file.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return Math.max(1, frames);
}
