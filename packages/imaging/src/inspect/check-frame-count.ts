import { AppError } from '@uprez/contracts/errors/app-error';
import type { InputFormat } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { countFrames } from './count-frames.ts';

const format = (n: number) => n.toLocaleString('en-US');

/** Reject files with too many images before a decoder counts them. Throws AppError `too_many_frames`. */
export function checkFrameCount(file: Buffer, inputFormat: InputFormat): void {
  const frames = countFrames(file, inputFormat);
  if (frames > limits.frames)
    throw new AppError('too_many_frames', {
      detail: `The file has ${format(frames)} pages. The maximum is ${format(limits.frames)}.`,
      meta: { limit: limits.frames, value: frames },
    });
}
