import { formatNames, formatTraits, type OutputFormat } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { formatCount } from '@uprez/contracts/texts/format';
import type { Rejection } from './job-limits.ts';

type Output = { width: number; height: number; format: OutputFormat; frames: number };
const megapixels = (n: number) => `${formatCount(Math.round(n / 1e5) / 10)} megapixels`;

/** Check the output against the limits of its format, then against the caller's. */
export function checkOutput({ width, height, format, frames }: Output, maxOutputPixels: number): Rejection | undefined {
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

/** Check the memory of the child process. */
export function checkMemory(peakBytes: number): Rejection | undefined {
  if (peakBytes <= limits.childMemoryBytes) return undefined;
  const megabytes = (bytes: number) => `${formatCount(Math.round(bytes / 1024 / 1024))} MB`;
  return {
    code: 'output_too_large',
    detail: `Processing would need about ${megabytes(peakBytes)} of memory. The maximum is ${megabytes(limits.childMemoryBytes)}. PNG and JPEG need less than other formats.`,
    param: 'scaleFactor',
    meta: { limit: limits.childMemoryBytes, value: Math.round(peakBytes) },
  };
}

/** Check the operator's time limit. */
export function checkTime(seconds: number, maxJobSeconds: number): Rejection | undefined {
  if (seconds <= maxJobSeconds) return undefined;
  return {
    code: 'job_too_long',
    detail: `Processing would take about ${formatCount(seconds)} seconds. The maximum is ${formatCount(maxJobSeconds)}.`,
    param: 'scaleFactor',
    meta: { limit: maxJobSeconds, value: seconds },
  };
}
