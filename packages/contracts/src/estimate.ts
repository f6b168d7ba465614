import * as z from 'zod';
import { meters } from './meters.ts';
import { inputFormats } from './picture-formats.ts';
import { tiers } from './plans.ts';

const recipeValue = z.union([z.string(), z.number(), z.boolean()]);

/**
 * A picture by its facts, and what shall become of it: `width` and `height` are the picture's. Every other field is one
 * of a recipe; the size of the result is `scaleFactor`, `longSide`, `shortSide`, `megapixels`, or `target` with the
 * recipe's own `width`, `height` and `fit`.
 */
export const estimateBodySchema = z
  .object({
    width: z.int().positive(),
    height: z.int().positive(),
    /** Of the file. */
    bytes: z.int().nonnegative().optional(),
    hasAlpha: z.boolean().default(false),
    /** Format of the picture; `format` is that of the result. */
    sourceFormat: z.enum(inputFormats).default('jpeg'),
    frames: z.int().positive().default(1),
    target: z.record(z.string(), recipeValue).default({}),
  })
  .catchall(recipeValue);
export type EstimateBody = z.output<typeof estimateBodySchema>;

const numberOrText = z.union([z.number(), z.string()]);

export const estimateSchema = z.object({
  /** Of the result, pixels of one frame. */
  width: z.int(),
  height: z.int(),
  /** Expected size of the file and time of the work; null where no machine could make it. */
  bytes: z.number().nullable(),
  seconds: z.number().nullable(),
  /** What the job would be charged, and on which meter. */
  units: z.int(),
  meter: z.enum(meters),
  /** Why the job would be refused: the first limit that it meets. */
  limit: z
    .object({
      code: z.string(),
      detail: z.string(),
      limit: numberOrText,
      value: numberOrText,
      /** Largest factor that would be accepted. */
      maxFactor: z.number().optional(),
      /** Smallest plan that allows it. */
      unlockedBy: z.enum(tiers).optional(),
    })
    .optional(),
});
export type Estimate = z.infer<typeof estimateSchema>;
