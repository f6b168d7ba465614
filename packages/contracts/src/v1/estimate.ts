import * as z from 'zod';
import { requestedEngines } from '../policy/engines.ts';
import { outputFormats } from '../policy/image-formats.ts';
import { meters } from '../policy/meters.ts';
import { tiers } from '../policy/plans.ts';
import { engineSchema } from '../schemas/engine-list.ts';
import { estimateSchema } from '../schemas/estimate.ts';
import { noCursorSchema } from '../schemas/page.ts';
import { snakeObject } from './snake-object.ts';

const { limit } = estimateSchema.shape;
const limitShape = limit.unwrap().shape;
const v1LimitSchema = z.object({
  code: limitShape.code.describe('Error code.'),
  detail: limitShape.detail.describe('Explanation of the error.'),
  limit: limitShape.limit.describe('The limit.'),
  value: limitShape.value.describe('The value that exceeds it.'),
  max_scale: z.number().optional().describe('Largest accepted scale factor.'),
  unlocked_by: z.enum(tiers).optional().describe('Smallest plan that allows it.'),
});

export const v1EstimateSchema = estimateSchema.extend({
  limit: v1LimitSchema
    .optional()
    .describe('The first limit that the job would exceed. Absent if the job would be accepted.'),
});
export type V1Estimate = z.infer<typeof v1EstimateSchema>;

/** Response to a processing request with `dry_run=true`. */
export const v1DryRunSchema = z.object({
  dry_run: z.literal(true).describe('Always `true`.'),
  width: z.int().describe('Width of the result in pixels.'),
  height: z.int().describe('Height of the result in pixels.'),
  bytes: z.number().describe('Estimated file size in bytes.'),
  seconds: z.number().describe('Estimated processing time in seconds.'),
  format: z.enum(outputFormats).describe('File format of the result.'),
  quality: z.int().describe('Compression quality of the result.'),
  engine: z.enum(requestedEngines).describe('Engine that would process the image.'),
  original_size: z
    .object({ width: z.int(), height: z.int(), file_size: z.int() })
    .describe('Size of the image in pixels and bytes.'),
  units: z.int().describe('Credits that the job would cost.'),
  meter: z.enum(meters).describe('Quota that the credits would be taken from.'),
  notes: z.array(z.string()).describe('Adjustments to your options, and options that were chosen for you.'),
});
export type V1DryRun = z.infer<typeof v1DryRunSchema>;

export const v1EngineListSchema = z.object({
  data: z.array(snakeObject(engineSchema)),
  next_cursor: noCursorSchema,
});
export type V1EngineList = z.infer<typeof v1EngineListSchema>;
