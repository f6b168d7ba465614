import * as z from 'zod';
import { engineNames, engineVariants, requestedEngines } from '../policy/engines.ts';
import { outputFormats } from '../policy/image-formats.ts';
import { meters } from '../policy/meters.ts';
import { tiers } from '../policy/plans.ts';
import { estimateBodySchema, estimateSchema } from '../schemas/estimate.ts';
import { camelKeys } from './camel-keys.ts';

/** The same as on the web, in either spelling. */
export const v1EstimateBodySchema = z.preprocess(camelKeys, estimateBodySchema);

const { limit } = estimateSchema.shape;
const limitShape = limit.unwrap().shape;
const v1LimitSchema = z.object({
  code: limitShape.code,
  detail: limitShape.detail,
  limit: limitShape.limit,
  value: limitShape.value,
  max_scale: z.number().optional().describe('Largest factor that would be accepted.'),
  unlocked_by: z.enum(tiers).optional(),
});

export const v1EstimateSchema = estimateSchema.extend({
  limit: v1LimitSchema.optional().describe('Why the job would be refused: the first limit that it meets.'),
});
export type V1Estimate = z.infer<typeof v1EstimateSchema>;

/** What a processing call with `dry_run=true` answers: read from the image itself. */
export const v1DryRunSchema = z.object({
  dry_run: z.literal(true),
  width: z.int(),
  height: z.int(),
  bytes: z.number(),
  seconds: z.number(),
  format: z.enum(outputFormats),
  quality: z.int(),
  engine: z.enum(requestedEngines),
  original_size: z.object({ width: z.int(), height: z.int(), file_size: z.int() }),
  units: z.int(),
  meter: z.enum(meters),
  notes: z.array(z.string()),
});
export type V1DryRun = z.infer<typeof v1DryRunSchema>;

export const v1EngineListSchema = z.object({
  data: z.array(
    z.object({
      name: z.enum(engineNames),
      meter: z.enum(['ai', 'standard']),
      says: z.string(),
      is_auto: z.boolean(),
      available: z.boolean().nullable(),
      device: z.string().nullable(),
      variant: z.enum(engineVariants).nullable(),
      reason: z.string().nullable(),
      pixels_per_second: z.number().nullable(),
    }),
  ),
  next_cursor: z.null(),
});
export type V1EngineList = z.infer<typeof v1EngineListSchema>;
