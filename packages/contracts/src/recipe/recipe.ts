import * as z from 'zod';
import {
  dpiRange,
  factorRange,
  grainRange,
  qualityRange,
  requestedFormats,
  strengthRange,
} from '../policy/images/image-formats.ts';
import { profileNamePattern } from '../policy/images/print-profiles.ts';
import { limits } from '../policy/limits.ts';
import { retention } from '../policy/plans/plans.ts';
import { requestedEngineSchema } from './engine-schemas.ts';
import { alphaModes, detailModes, edgeModes, fitModes, metadataChoices } from './recipe-choices.ts';

const side = z.int().min(1).max(limits.outputSide);

/**
 * The options of a job in canonical form, stored with the job and returned in every response. Exactly one of these sets
 * the size: `scaleFactor`, `width` and/or `height` (with `fit`), `longSide`, `shortSide`, or `megapixels`.
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
  fit: z.enum(fitModes),
  format: z.enum(requestedFormats),
  quality: z.int().min(qualityRange.min).max(qualityRange.max),
  engine: requestedEngineSchema,
  /** Look of images that are upscaled with AI. Absent means `faithful`. */
  detail: z.enum(detailModes).optional(),
  /** Share of an AI engine's changes that is kept, as a percentage. Absent means all of them. */
  strength: z.int().min(strengthRange.min).max(strengthRange.max).optional(),
  /** Maximum file size, in bytes. `quality` is then the upper bound when searching for a quality that fits. */
  targetBytes: z.int().min(limits.minTargetBytes).max(limits.maxTargetBytes).optional(),
  /** Film grain that is added when upscaling, as a percentage of the maximum. 0 or absent means none. */
  grain: z.int().min(0).max(grainRange.max).optional(),
  /** What continues the image beyond its edges. `clamp` if absent. */
  edges: z.enum(edgeModes).optional(),
  /** What the alpha channel means. `transparency` if absent. */
  alpha: z.enum(alphaModes).optional(),
  /**
   * Whether to return the original image if a result of the same size and format would be a larger file. False if
   * absent.
   */
  neverLarger: z.boolean().optional(),
  /** Background color for transparent areas if the format has no transparency: `#rrggbb`. */
  background: z.string().regex(/^#[0-9a-f]{6}$/),
  metadata: z.enum(metadataChoices),
  /** Whether to keep the GPS location. Requires `metadata: all`. */
  gps: z.boolean(),
  /** Print resolution to write, in dots per inch. Doesn't change the pixels. */
  dpi: z.int().min(dpiRange.min).max(dpiRange.max).optional(),
  /** Name of the CMYK profile to convert to. Absent means RGB. */
  printProfile: z.string().regex(profileNamePattern).optional(),
  /** Whether to keep the print resolution of the image. If absent, it is kept unless `metadata` is `none`. */
  keepDpi: z.boolean().optional(),
  /** Hours until the result is deleted. */
  retention: z
    .number()
    .min(0)
    .max(retention.resultMinutes / 60),
});
type TextRecipe = z.infer<typeof recipeSchema>;
/** Options that are sent as text and returned in responses. */
export type RecipeField = keyof TextRecipe;
/**
 * All options of a job. `mask`: a PNG in base64 from `parseMask`. It isn't part of `recipeSchema`, because responses
 * don't contain it.
 */
export type Recipe = TextRecipe & { mask?: string | undefined };
