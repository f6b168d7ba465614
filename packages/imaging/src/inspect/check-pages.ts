import { AppError } from '@uprez/contracts/errors/app-error';
import type { InputFormat } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { countFrames } from './count-frames.ts';

const count = (n: number) => n.toLocaleString('en-US');

/**
 * Refuse files that hold too many images, before a decoder counts them in its own way and time. Throws AppError
 * `too_many_frames`.
 */
export function checkPages(file: Buffer, format: InputFormat): void {
  const pages = countFrames(file, format);
  if (pages > limits.frames)
    throw new AppError('too_many_frames', {
      detail: `The file has ${count(pages)} pages. The maximum is ${count(limits.frames)}.`,
      meta: { limit: limits.frames, value: pages },
    });
}
