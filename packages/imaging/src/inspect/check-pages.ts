import { AppError } from '@uprez/contracts/app-error';
import { limits } from '@uprez/contracts/limits';
import type { InputFormat } from '@uprez/contracts/picture-formats';
import { countPngFrames } from './count-png-frames.ts';
import { describeUnsupported } from './describe-unsupported.ts';
import { readTiffPages } from './read-tiff-pages.ts';

const count = (n: number) => n.toLocaleString('en-US');

/**
 * Refuse what only the first picture of is used, when it holds too many, and raw sensor data in a TIFF's clothes.
 * Throws AppError `too_many_frames` or `unsupported_format`.
 */
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
  if (format !== 'tiff') return 1;
  const { pages, isRaw } = readTiffPages(file);
  if (isRaw) throw new AppError('unsupported_format', { detail: describeUnsupported('camera raw') });
  return pages;
}
