import { formatTraits, type OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { chooseFormat } from '@uprez/imaging/pipeline/choose-format';
import { scaleSize } from '@uprez/imaging/pipeline/compute-target-size';
import type { RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import type { Row } from './row.ts';

/**
 * Returns the format of a row's result. Returns undefined if the format depends on data that the browser can't read.
 */
export function formatOfRow({ imageSize, facts, format }: Row, settings: RecipeSettings): OutputFormat | undefined {
  if (format) return format;
  if (settings.format !== 'auto') return settings.format;
  const { traits, frames = 1 } = facts ?? {};
  if (!imageSize || !traits) return undefined;
  return chooseFormat(settings, { ...traits, frames }, scaleSize(imageSize, settings.scaleFactor));
}

type Losses = { transparency: Row[]; frames: Row[] };

/** Returns the rows whose output formats would drop transparency or animation. */
export function findLosses(rows: readonly Row[], settingsOf: (row: Row) => RecipeSettings): Losses {
  const losses: Losses = { transparency: [], frames: [] };
  for (const row of rows) {
    const format = formatOfRow(row, settingsOf(row));
    if (!format || !row.facts) continue;
    if (row.facts.frames && !formatTraits[format].animated) losses.frames.push(row);
    else if (row.facts.isTransparent && !formatTraits[format].alpha) losses.transparency.push(row);
  }
  return losses;
}

/**
 * Returns the rows that repeat an earlier row with the same bytes and settings. Maps their IDs to that earlier row.
 * Repeated rows are free.
 */
export function findRepeats(rows: readonly Row[], settingsOf: (row: Row) => RecipeSettings): ReadonlyMap<string, Row> {
  const first = new Map<string, Row>();
  const repeats = new Map<string, Row>();
  for (const row of rows) {
    if (!row.digest) continue;
    const key = row.digest + JSON.stringify(settingsOf(row));
    const earlier = first.get(key);
    if (earlier) repeats.set(row.id, earlier);
    else first.set(key, row);
  }
  return repeats;
}

/** Whether a row has a result that wasn't upscaled. Only such a result is expected to be a smaller file. */
const isOptimized = ({ status, imageSize, result }: Row) =>
  status === 'completed' &&
  imageSize !== undefined &&
  result !== undefined &&
  result.width <= imageSize.width &&
  result.height <= imageSize.height;

/** Whether the result is a larger file than the original although it wasn't upscaled. */
export const isLargerFile = (row: Row): boolean => isOptimized(row) && (row.result?.fileSize ?? 0) > row.size;

/**
 * Returns options for a result that isn't larger than the original file. Uses `neverLarger` if possible, and a target
 * file size otherwise.
 */
export function repairOf({ size, imageSize, result, format }: Row, recipe?: Recipe): Partial<RecipeSettings> {
  const isSameSize = result?.width === imageSize?.width && result?.height === imageSize?.height;
  if (isSameSize && recipe?.neverLarger === false) return { neverLarger: true, format: 'auto' };
  const targetBytes = Math.max(limits.minTargetBytes, size);
  return format && formatTraits[format].lossy ? { targetBytes } : { targetBytes, format: 'webp' };
}

/**
 * Returns the total size of all originals that weren't upscaled, and how much smaller their results are, both in bytes.
 */
export function sumSavings(rows: readonly Row[]): { bytes: number; saved: number } {
  const optimized = rows.filter(isOptimized);
  const bytes = optimized.reduce((sum, { size }) => sum + size, 0);
  return { bytes, saved: bytes - optimized.reduce((sum, { result }) => sum + (result?.fileSize ?? 0), 0) };
}
