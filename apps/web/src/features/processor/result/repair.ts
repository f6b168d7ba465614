import { formatTraits } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import type { Settings } from '../state/settings-store.ts';

/** A result with more bytes than the image, although it doesn't have more pixels. */
export const isLargerFile = ({ originalSize, processedSize }: Pick<Job, 'originalSize' | 'processedSize'>): boolean =>
  processedSize !== null &&
  processedSize.fileSize > originalSize.fileSize &&
  processedSize.width <= originalSize.width &&
  processedSize.height <= originalSize.height;

/** Options with which the file isn't larger than the image: the image itself if that can be, else a lower quality. */
export function repairOf({ originalSize, processedSize, format }: Job, settings: Settings): Partial<Settings> {
  const isSameSize = processedSize?.width === originalSize.width && processedSize.height === originalSize.height;
  if (isSameSize && !settings.neverLarger) return { neverLarger: true, format: 'auto' };
  if (isSameSize && settings.format !== 'auto' && !formatTraits[format].lossy) return { format: 'auto' };
  const targetBytes = Math.max(limits.minTargetBytes, originalSize.fileSize);
  return formatTraits[format].lossy ? { targetBytes } : { targetBytes, format: 'webp' };
}
