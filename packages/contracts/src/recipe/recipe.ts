import * as z from 'zod';
import { requestedEngines } from '../policy/engines.ts';
import { factorRange, qualityRange, requestedFormats } from '../policy/image-formats.ts';
import { limits } from '../policy/limits.ts';
import { retention } from '../policy/plans.ts';
import { fits, metadataChoices } from './recipe-choices.ts';

const side = z.int().min(1).max(limits.outputSide);

/**
 * What a caller asks for, in one canonical form; stored with the job and echoed in every answer. The size is asked for
 * in exactly one way: `scaleFactor`, `width` and/or `height` (with `fit`), `longSide`, `shortSide` or `megapixels`.
 */
export const recipeSchema = z.strictObject({
  scaleFactor: z.number().min(factorRange.min).max(factorRange.max).optional(),
  width: side.optional(),
  height: side.optional(),
  longSide: side.optional(),
  shortSide: side.optional(),
  megapixels: z
    .number()
    .min(0.000_001)
    .max(limits.outputPixels / 1e6)
    .optional(),
  fit: z.enum(fits),
  format: z.enum(requestedFormats),
  quality: z.int().min(qualityRange.min).max(qualityRange.max),
  engine: z.enum(requestedEngines),
  /** Largest file that is wanted: `quality` is the best that is tried. */
  targetBytes: z.int().min(limits.minTargetBytes).max(limits.maxTargetBytes).optional(),
  /** What transparent parts lie on where the format has none: `#rrggbb`. */
  background: z.string().regex(/^#[0-9a-f]{6}$/),
  metadata: z.enum(metadataChoices),
  /** Keep the place where a photo was taken; only with `metadata: all`. */
  gps: z.boolean(),
  /** Hours until the result is deleted. */
  retention: z
    .number()
    .min(0)
    .max(retention.resultMinutes / 60),
});
export type Recipe = z.infer<typeof recipeSchema>;
export type RecipeField = keyof Recipe;
