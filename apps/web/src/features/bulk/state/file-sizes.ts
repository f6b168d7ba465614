import { formatTraits } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import type { Row } from './row.ts';

/** Whether a row has a result that was not upscaled. Only such results should be smaller files. */
const isOptimized = ({ status, imageSize, result }: Row) =>
  status === 'completed' &&
  imageSize !== undefined &&
  result !== undefined &&
  result.width <= imageSize.width &&
  result.height <= imageSize.height;

/** Whether the result has more bytes than the original, but no more pixels. */
export const isLargerFile = (row: Row): boolean => isOptimized(row) && (row.result?.fileSize ?? 0) > row.size;

/**
 * Returns options that keep the result from being larger than the original file: `neverLarger` if possible, else a
 * target file size.
 */
export function repairOf({ size, imageSize, result, format }: Row, recipe?: Recipe): Partial<RecipeSettings> {
  const isSameSize = result?.width === imageSize?.width && result?.height === imageSize?.height;
  if (isSameSize && recipe?.neverLarger === false) return { neverLarger: true, format: 'auto' };
  const targetBytes = Math.max(limits.minTargetBytes, size);
  return format && formatTraits[format].lossy ? { targetBytes } : { targetBytes, format: 'webp' };
}

/** Returns the total bytes of all originals that were not upscaled, and the bytes that their results save. */
export function sumSavings(rows: readonly Row[]): { bytes: number; saved: number } {
  const optimized = rows.filter(isOptimized);
  const bytes = optimized.reduce((sum, { size }) => sum + size, 0);
  return { bytes, saved: bytes - optimized.reduce((sum, { result }) => sum + (result?.fileSize ?? 0), 0) };
}
