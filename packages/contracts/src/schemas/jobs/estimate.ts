import * as z from 'zod';
import { engineVariants, modelUses } from '../../policy/images/engines.ts';
import { inputFormats, outputFormats } from '../../policy/images/image-formats.ts';
import { meters } from '../../policy/plans/meters.ts';
import { tiers } from '../../policy/plans/plans.ts';
import { jobEngineSchema, requestedEngineSchema } from '../../recipe/engine-schemas.ts';
import { customModelFactsSchema } from '../image-pipeline.ts';
import { notesSchema } from './job.ts';

const recipeValue = z.union([z.string(), z.number(), z.boolean()]);

/**
 * Properties of an image, and options for a job. `width` and `height` are the size of the image. The size of the result
 * is given by `scaleFactor`, `longSide`, `shortSide`, `megapixels`, or by `target`, which has its own `width`,
 * `height`, and `fit`.
 */
export const estimateBodySchema = z
  .object({
    width: z.int().positive().describe('Width of the image in pixels.'),
    height: z.int().positive().describe('Height of the image in pixels.'),
    bytes: z.int().nonnegative().optional().describe('File size of the image in bytes.'),
    hasAlpha: z.boolean().default(false).describe('Whether the image has transparency.'),
    sourceFormat: z
      .enum(inputFormats)
      .default('jpeg')
      .describe('File format of the image. `format` is the format of the result.'),
    frames: z.int().positive().default(1).describe('Number of frames of an animation.'),
    target: z.record(z.string(), recipeValue).default({}).describe('Size of the result.'),
  })
  .catchall(recipeValue);
export type EstimateBody = z.output<typeof estimateBodySchema>;

const price = {
  units: z.int().describe('Credits that the job would cost.'),
  meter: z.enum(meters).describe('Quota that the credits would be taken from.'),
};
const size = {
  width: z.int().describe('Width of the result in pixels.'),
  height: z.int().describe('Height of the result in pixels.'),
};
const numberOrText = z.union([z.number(), z.string()]);

export const estimateSchema = z.object({
  ...size,
  pausedEngine: jobEngineSchema
    .nullable()
    .describe('Engine of the job, if it is paused. The job waits until the engine resumes. `null` if it runs.'),
  bytes: z.number().nullable().describe("Estimated file size in bytes. `null` if the image can't be processed."),
  seconds: z
    .number()
    .nullable()
    .describe("Estimated processing time in seconds. `null` if the image can't be processed."),
  minSeconds: z
    .number()
    .nullable()
    .describe(
      "Estimated processing time in seconds if the image is soft, because soft parts are processed at a smaller size. `null` if the image can't be processed.",
    ),
  waitSeconds: z
    .number()
    .nonnegative()
    .nullable()
    .describe('Estimated seconds in the queue before processing starts. `null` if unknown.'),
  ...price,
  limit: z
    .object({
      code: z.string().describe('Error code.'),
      detail: z.string().describe('Explanation of the error.'),
      limit: numberOrText.describe('The limit.'),
      value: numberOrText.describe('The value that exceeds it.'),
      maxFactor: z.number().optional().describe('Largest accepted scale factor.'),
      unlockedBy: z.enum(tiers).optional().describe('Smallest plan that allows it.'),
    })
    .optional()
    .describe('The first limit that the job would exceed. Absent if the job would be accepted.'),
});
export type Estimate = z.infer<typeof estimateSchema>;

/** Response to a processing request with `dry_run=true`. */
export const dryRunSchema = z.object({
  dryRun: z.literal(true).describe('Always `true`.'),
  ...size,
  bytes: z.number().describe('Estimated file size in bytes.'),
  seconds: z.number().describe('Estimated processing time in seconds.'),
  minSeconds: z
    .number()
    .describe(
      'Estimated processing time in seconds if the image is soft, because soft parts are processed at a smaller size.',
    ),
  format: z.enum(outputFormats).describe('File format of the result.'),
  quality: z.int().describe('Compression quality of the result.'),
  engine: requestedEngineSchema.describe('Engine that would process the image.'),
  originalSize: z
    .object({
      width: z.int().describe('Width in pixels.'),
      height: z.int().describe('Height in pixels.'),
      fileSize: z.int().describe('File size in bytes.'),
    })
    .describe('Size of the image in pixels and bytes.'),
  ...price,
  notes: notesSchema,
});
export type DryRun = z.infer<typeof dryRunSchema>;

/** A custom model as a worker announces it. */
export const customModelInfoSchema = customModelFactsSchema.extend({
  title: z.string().describe('Title of the model.'),
  license: z.string().describe('License of the weights.'),
  source: z.string().describe('Where the weights come from.'),
  for: z.enum(modelUses).describe('What the model was trained on.'),
});
export type CustomModelInfo = z.infer<typeof customModelInfoSchema>;

const engineSchema = z.object({
  name: jobEngineSchema.describe('Value for `engine`.'),
  meter: z.enum(['ai', 'standard']).describe('Quota that its credits are taken from.'),
  says: z.string().describe('Description of the engine.'),
  isAuto: z.boolean().describe('Whether `auto` upscales with this engine.'),
  available: z.boolean().nullable().describe('Whether a worker runs this engine. `null` if unknown.'),
  paused: z.boolean().describe('Whether the engine is paused. Its jobs wait until it resumes.'),
  installing: z.boolean().describe('Whether the model is being downloaded.'),
  device: z.string().nullable().describe('Device that runs the model.'),
  variant: z.enum(engineVariants).nullable().describe('Precision of the model.'),
  reason: z.string().nullable().describe('Reason for the precision.'),
  pixelsPerSecond: z.number().nullable().describe('Measured speed in input pixels per second.'),
  custom: customModelInfoSchema.optional().describe('Model that the operator has added. Absent for built-in engines.'),
});
export type Engine = z.infer<typeof engineSchema>;
export const engineListSchema = z.array(engineSchema).describe('Engines.');

export const printProfileSchema = z.object({
  name: z.string().describe('Value for `print_profile`.'),
  description: z.string().describe('Description in the profile.'),
});
export type PrintProfile = z.infer<typeof printProfileSchema>;
