import { limits } from '@uprez/contracts/policy/limits';
import { formatCount } from '@uprez/contracts/texts/format';
import type { Refusal } from './job-limits.ts';

/** Refuse what the child process would be stopped for; WebP and AVIF output are the usual reason. */
export function checkMemory(peakBytes: number): Refusal | undefined {
  if (peakBytes <= limits.childMemoryBytes) return undefined;
  const [needed, most] = [peakBytes, limits.childMemoryBytes].map((bytes) =>
    formatCount(Math.round(bytes / 1024 / 1024)),
  );
  return {
    code: 'output_too_large',
    detail: `This needs about ${needed} MB of memory. The maximum is ${most} MB. PNG and JPEG need less than other formats.`,
    param: 'scaleFactor',
    meta: { limit: limits.childMemoryBytes, value: Math.round(peakBytes) },
  };
}

/** Refuse what would take longer than the operator allows. */
export function checkTime(seconds: number, maxJobSeconds: number): Refusal | undefined {
  if (seconds <= maxJobSeconds) return undefined;
  return {
    code: 'job_too_long',
    detail: `Processing would take about ${formatCount(seconds)} seconds. The maximum is ${formatCount(maxJobSeconds)}.`,
    param: 'scaleFactor',
    meta: { limit: maxJobSeconds, value: seconds },
  };
}
