import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { formatBytes } from '@uprez/contracts/texts/format';
import { formatDuration, formatSize, formatSizeChange } from './format.ts';

type FinishedJob = Pick<Job, 'originalSize' | 'processedSize' | 'processingTimeMs' | 'engine'>;

/**
 * Formats a finished job as `1,024 x 768 -> 4,096 x 3,072 · 1.2 MB -> 9.8 MB (+717%) · 4.1 s · photo-fast`. Omits
 * unknown parts.
 */
export function formatCaption({ originalSize, processedSize, processingTimeMs, engine }: FinishedJob): string {
  if (!processedSize) return formatSize(originalSize);
  return [
    `${formatSize(originalSize)} -> ${formatSize(processedSize)}`,
    `${formatBytes(originalSize.fileSize)} -> ${formatBytes(processedSize.fileSize)} (${formatSizeChange(originalSize.fileSize, processedSize.fileSize)})`,
    ...(processingTimeMs === null ? [] : [formatDuration(processingTimeMs)]),
    engine,
  ].join(' · ');
}
