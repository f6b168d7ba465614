import * as z from 'zod';
import { inputFormats } from '../policy/image-formats.ts';
import { meters } from '../policy/meters.ts';
import { tiers } from '../policy/plans.ts';

const recipeValue = z.union([z.string(), z.number(), z.boolean()]);

/**
 * An image by its facts, and what shall become of it: `width` and `height` are the image's. Every other field is one
 * of a recipe; the size of the result is `scaleFactor`, `longSide`, `shortSide`, `megapixels`, or `target` with the
 * recipe's own `width`, `height` and `fit`.
 */
export const estimateBodySchema = z
  .object({
    width: z.int().positive(),
    height: z.int().positive(),
    bytes: z.int().nonnegative().optional().describe('Of the file.'),
    hasAlpha: z.boolean().default(false),
    sourceFormat: z.enum(inputFormats).default('jpeg').describe('Format of the image; `format` is that of the result.'),
    frames: z.int().positive().default(1),
    target: z.record(z.string(), recipeValue).default({}),
  })
  .catchall(recipeValue);
export type EstimateBody = z.output<typeof estimateBodySchema>;

const numberOrText = z.union([z.number(), z.string()]);

export const estimateSchema = z.object({
  width: z.int().describe('Of the result, pixels of one frame.'),
  height: z.int(),
  bytes: z
    .number()
    .nullable()
    .describe('Expected size of the file and time of the work; null where no machine could make it.'),
  seconds: z.number().nullable(),
  units: z.int().describe('What the job would be charged, and on which meter.'),
  meter: z.enum(meters),
  /** Why the job would be refused: the first limit that it meets. */
  limit: z
    .object({
      code: z.string(),
      detail: z.string(),
      limit: numberOrText,
      value: numberOrText,
      maxFactor: z.number().optional().describe('Largest factor that would be accepted.'),
      unlockedBy: z.enum(tiers).optional().describe('Smallest plan that allows it.'),
    })
    .optional(),
});
export type Estimate = z.infer<typeof estimateSchema>;
