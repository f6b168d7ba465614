import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import { outputFormats } from '@uprez/contracts/policy/images/image-formats';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';

/** Formats whose metadata can be removed without encoding the pixels again. */
export const strippableFormats = ['jpeg', 'png', 'webp', 'gif'] as const;

const includesFormat = (formats: readonly string[], format: string) => formats.includes(format);

type PipelineResult = Pick<ImagePipeline, 'engine' | 'source' | 'crop'> & {
  output: Pick<ImagePipeline['output'], 'width' | 'height'>;
};

/**
 * Whether the source may be returned as the result if a new file would be larger. The job must only reduce the file
 * size: it keeps the dimensions and the format, and its settings for metadata and print resolution don't require
 * encoding.
 */
export function mayReturnSource(recipe: Recipe, { engine, source, crop, output }: PipelineResult): boolean {
  if (!recipe.neverLarger || isAiEngine(engine) || crop) return false;
  if (output.width !== source.width || output.height !== source.height) return false;
  if (recipe.printProfile !== undefined) return false;
  if (recipe.dpi !== undefined || recipe.keepDpi !== undefined) return false;
  if (recipe.format !== 'auto' && recipe.format !== source.format) return false;
  const keepsAll = recipe.metadata === 'all' && recipe.gps;
  return includesFormat(keepsAll ? outputFormats : strippableFormats, source.format);
}
