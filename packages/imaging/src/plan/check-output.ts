import { containerSide, limits } from '@uprez/contracts/limits';
import type { OutputFormat } from '@uprez/contracts/picture-formats';
import type { Refusal } from './job-limits.ts';

type Output = { width: number; height: number; format: OutputFormat };
const names: Record<OutputFormat, string> = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP' };
const count = (n: number) => n.toLocaleString('en-US');
const megapixels = (n: number) => `${count(Math.round(n / 1e5) / 10)} megapixels`;

/** Compare the output with what its format can hold, then with the largest output this caller may have. */
export function checkOutput({ width, height, format }: Output, maxOutputPixels: number): Refusal | undefined {
  const size = `The result would be ${count(width)} x ${count(height)} pixels`;
  const side = Math.max(width, height);
  if (side > containerSide[format])
    return {
      code: 'output_too_large',
      detail: `${size}; a ${names[format]} file holds at most ${count(containerSide[format])} on a side.`,
      param: 'scaleFactor',
      meta: { limit: containerSide[format], value: side },
    };
  const most = Math.min(maxOutputPixels, limits.outputPixels);
  if (width * height > most)
    return {
      code: 'output_too_large',
      detail: `${size} (${megapixels(width * height)}); the limit is ${megapixels(most)}.`,
      param: 'scaleFactor',
      meta: { limit: most, value: width * height },
    };
  return undefined;
}
