import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { targetSize } from '../../plan/target-size.ts';

type Size = { width: number; height: number };

/** Factors that round a side to its length in the result. */
const factors = (from: number, to: number) => ({ least: (to - 0.5) / from, most: (to + 0.5) / from });

/** The part of a source that a result shows: all of it (null) where one factor explains both sides, else what `cover` leaves. */
export function findCrop(source: Size, result: Size) {
  const [across, down] = [factors(source.width, result.width), factors(source.height, result.height)];
  if (across.least <= down.most && down.least <= across.most) return null;
  return targetSize({ ...recipeDefaults, fit: 'cover', width: result.width, height: result.height }, source).crop;
}
