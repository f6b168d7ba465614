import { factorRange } from '@uprez/contracts/policy/images/image-formats';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';

type Size = { width: number; height: number };
export type Target = Size & { crop: ImagePipeline['crop']; factor: number };

export const scaleSize = ({ width, height }: Size, factor: number): Size => ({
  width: Math.max(1, Math.round(width * factor)),
  height: Math.max(1, Math.round(height * factor)),
});

/** Computes the output size of a recipe. A side set by the recipe is exact. */
export function computeTargetSize(recipe: Recipe, source: Size): Target {
  if (recipe.fit === 'cover' && recipe.width && recipe.height) return cropToBox(source, recipe as Size);
  const factor = requestedFactor(recipe, source);
  return { ...scaleSize(source, factor), factor, crop: null };
}

function requestedFactor(recipe: Recipe, { width, height }: Size): number {
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

/** Crops the center of the source to the shape of the box, in whole source pixels. */
function cropToBox(source: Size, box: Size): Target {
  const factor = computeFactor(source, box);
  const width = Math.min(source.width, Math.max(1, Math.round(box.width / factor)));
  const height = Math.min(source.height, Math.max(1, Math.round(box.height / factor)));
  const [left, top] = [Math.floor((source.width - width) / 2), Math.floor((source.height - height) / 2)];
  const isWhole = width === source.width && height === source.height;
  return { ...box, factor, crop: isWhole ? null : { left, top, width, height } };
}

/** Returns the size of the used part of the source. */
export const usedSize = ({ crop, source }: Pick<ImagePipeline, 'crop' | 'source'>): Size => crop ?? source;

/** Returns the factor by which an image is upscaled, on the side where it is larger if its shape changes. */
export const computeFactor = (used: Size, output: Size): number =>
  Math.max(output.width / used.width, output.height / used.height);

/**
 * Whether an image is decoded at its full size and then shrunk row by row. This applies to images with transparency,
 * to results with several frames, and to images that wrap at their edges.
 */
export const shrinksInRows = ({
  shrinks,
  source,
  output,
}: Pick<ImagePipeline, 'shrinks' | 'source' | 'output'>): boolean =>
  shrinks && (output.frames > 1 || source.hasAlpha || output.edges === 'wrap');
