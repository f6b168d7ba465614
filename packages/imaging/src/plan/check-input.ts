import type { Inspection } from '@uprez/contracts/image-plan';
import { limits } from '@uprez/contracts/limits';
import type { Refusal } from './job-limits.ts';

const count = (n: number) => n.toLocaleString('en-US');

/** Compare a picture's header with the product's input limits: side, pixels, channels, frames, in this order. */
export function checkInput({ width, height, channels, frames }: Omit<Inspection, 'format'>): Refusal | undefined {
  const side = Math.max(width, height);
  if (side > limits.inputSide)
    return {
      code: 'side_too_long',
      detail: `One side of the picture is ${count(side)} pixels long; ${count(limits.inputSide)} is the limit. Nothing was charged.`,
      meta: { limit: limits.inputSide, value: side },
    };
  if (width * height > limits.inputPixels)
    return {
      code: 'too_many_pixels',
      detail: `The picture is ${count(width)} x ${count(height)}: more than ${count(limits.inputPixels / 1e6)} million pixels. Nothing was charged.`,
      meta: { limit: limits.inputPixels, value: width * height },
    };
  if (channels > limits.channels)
    return {
      code: 'unsupported_format',
      detail: `The picture has ${channels} channels; ${limits.channels} is the limit. Nothing was charged.`,
      meta: { limit: limits.channels, value: channels },
    };
  if (frames > limits.frames)
    return {
      code: 'unsupported_format',
      detail:
        'The picture is animated. Only still pictures are read: save one frame as JPEG, PNG or WebP first. Nothing was charged.',
      meta: { limit: limits.frames, value: frames },
    };
  return undefined;
}
