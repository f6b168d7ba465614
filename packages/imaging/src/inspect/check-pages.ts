import { AppError } from '@uprez/contracts/app-error';
import { limits } from '@uprez/contracts/limits';
import type { InputFormat } from '@uprez/contracts/picture-formats';
import { countPngFrames } from './count-png-frames.ts';
import { readTiff } from './read-tiff.ts';

const count = (n: number) => n.toLocaleString('en-US');

/** Refuse files with too many pictures of which only the first would be used. Throws AppError `too_many_frames`. */
export function checkPages(file: Buffer, format: InputFormat): void {
  const pages = countPages(file, format);
  if (pages > limits.frames)
    throw new AppError('too_many_frames', {
      detail: `The file holds ${count(pages)} pictures; ${count(limits.frames)} is the limit. Nothing was charged.`,
      meta: { limit: limits.frames, value: pages },
    });
}

function countPages(file: Buffer, format: InputFormat): number {
  if (format === 'png') return countPngFrames(file);
  return format === 'tiff' ? readTiff(file).pages : 1;
}
