import { formatTraits } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import type { Settings } from '../state/settings-store.ts';

/** Whether a result's file is larger than the original although the image isn't. */
export const isLargerFile = ({ originalSize, processedSize }: Pick<Job, 'originalSize' | 'processedSize'>): boolean =>
  processedSize !== null &&
  processedSize.fileSize > originalSize.fileSize &&
  processedSize.width <= originalSize.width &&
  processedSize.height <= originalSize.height;

/**
 * Returns settings that keep the result's file from being larger than the original. If the dimensions are unchanged,
 * returns settings that allow the original file as the result. Otherwise, sets a file size limit.
 */
export function repairSettingsOf({ originalSize, processedSize, format }: Job, settings: Settings): Partial<Settings> {
  const isSameSize = processedSize?.width === originalSize.width && processedSize.height === originalSize.height;
  if (isSameSize && !settings.neverLarger) return { neverLarger: true, format: 'auto' };
  if (isSameSize && settings.format !== 'auto' && !formatTraits[format].lossy) return { format: 'auto' };
  const targetBytes = Math.max(limits.minTargetBytes, originalSize.fileSize);
  return formatTraits[format].lossy ? { targetBytes } : { targetBytes, format: 'webp' };
}
