import { formatNames, formatTraits, type OutputFormat } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { formatCount } from '@uprez/contracts/texts/format';
import type { Refusal } from './job-limits.ts';

type Output = { width: number; height: number; format: OutputFormat; frames: number };
const megapixels = (n: number) => `${formatCount(Math.round(n / 1e5) / 10)} megapixels`;

/** Compare the output with what its format can hold, then with the largest output this caller may have. */
export function checkOutput({ width, height, format, frames }: Output, maxOutputPixels: number): Refusal | undefined {
  const size = `The result would be ${formatCount(width)} x ${formatCount(height)} pixels`;
  const side = Math.max(width, height);
  const { maxSide } = formatTraits[format];
  if (side > maxSide)
    return {
      code: 'output_too_large',
      detail: `${size}. ${formatNames[format]} allows up to ${formatCount(maxSide)} pixels per side.`,
      param: 'scaleFactor',
      meta: { limit: maxSide, value: side },
    };
  const pixels = width * height * frames;
  const most = Math.min(maxOutputPixels, frames > 1 ? limits.animationOutputPixels : limits.outputPixels);
  if (pixels > most)
    return {
      code: 'output_too_large',
      detail: `${size}${frames > 1 ? ` in ${formatCount(frames)} frames` : ''} (${megapixels(pixels)}). The maximum is ${megapixels(most)}.`,
      param: 'scaleFactor',
      meta: { limit: most, value: pixels },
    };
  return undefined;
}
