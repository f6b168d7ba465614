import { factorRange } from '@uprez/contracts/policy/image-formats';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';

type Size = { width: number; height: number };
/** Output size, the part of the source that fills it, and how many times as long its longer side becomes. */
export type Target = Size & { crop: ImagePlan['crop']; factor: number };

/** Each side times the factor, rounded on its own, at least one pixel. */
export const outputSize = ({ width, height }: Size, factor: number): Size => ({
  width: Math.max(1, Math.round(width * factor)),
  height: Math.max(1, Math.round(height * factor)),
});

/** The size that a recipe asks of an image. The side that a recipe names comes out exactly. */
export function targetSize(recipe: Recipe, source: Size): Target {
  if (recipe.fit === 'cover' && recipe.width && recipe.height) return coverBox(source, recipe as Size);
  const factor = askedFactor(recipe, source);
  return { ...outputSize(source, factor), factor, crop: null };
}

function askedFactor(recipe: Recipe, { width, height }: Size): number {
  if (recipe.longSide) return recipe.longSide / Math.max(width, height);
  if (recipe.shortSide) return recipe.shortSide / Math.min(width, height);
  if (recipe.megapixels) return Math.sqrt((recipe.megapixels * 1e6) / (width * height));
  const { width: boxWidth, height: boxHeight } = recipe;
  if (!boxWidth && !boxHeight) return recipe.scaleFactor ?? factorRange.default;
  const factors = [boxWidth && boxWidth / width, boxHeight && boxHeight / height].filter(
    (factor) => factor !== undefined,
  );
  const factor = Math.min(...factors);
  return recipe.fit === 'inside' ? Math.min(1, factor) : factor;
}

/** The box filled: the middle of the source in the box's shape, in whole source pixels. */
function coverBox(source: Size, box: Size): Target {
  const factor = Math.max(box.width / source.width, box.height / source.height);
  const width = Math.min(source.width, Math.max(1, Math.round(box.width / factor)));
  const height = Math.min(source.height, Math.max(1, Math.round(box.height / factor)));
  const [left, top] = [Math.floor((source.width - width) / 2), Math.floor((source.height - height) / 2)];
  const isWhole = width === source.width && height === source.height;
  return { ...box, factor, crop: isWhole ? null : { left, top, width, height } };
}

/** The size of the part of the source that a plan works on. */
export const usedSize = ({ crop, source }: Pick<ImagePlan, 'crop' | 'source'>): Size => crop ?? source;
