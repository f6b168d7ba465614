import { limits } from '@uprez/contracts/policy/limits';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { formatCount } from '@uprez/contracts/texts/format';
import type { Rejection } from './job-limits.ts';

/** Check side, pixels, and frames of an image against the input limits. */
export function checkInput(image: Pick<Inspection, 'width' | 'height' | 'frames'>): Rejection | undefined {
  const { width, height, frames } = image;
  const side = Math.max(width, height);
  if (side > limits.inputSide)
    return {
      code: 'side_too_long',
      detail: `One side of the image is ${formatCount(side)} pixels long. The maximum is ${formatCount(limits.inputSide)}.`,
      meta: { limit: limits.inputSide, value: side },
    };
  if (width * height > limits.inputPixels)
    return {
      code: 'too_many_pixels',
      detail: `The image is ${formatCount(width)} x ${formatCount(height)} pixels. The maximum is ${formatCount(limits.inputPixels / 1e6)} megapixels.`,
      meta: { limit: limits.inputPixels, value: width * height },
    };
  if (frames > limits.frames || (frames > 1 && frames * width * height > limits.animationPixels))
    return {
      code: 'too_many_frames',
      detail: `The animation has ${formatCount(frames)} frames of ${formatCount(width)} x ${formatCount(height)} pixels. The maximum is ${formatCount(limits.frames)} frames and ${formatCount(limits.animationPixels / 1e6)} megapixels in total.`,
      meta: { limit: limits.frames, value: frames },
    };
  return undefined;
}
