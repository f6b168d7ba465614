import * as z from 'zod';
import { requestedEngines } from '../policy/engines.ts';
import { outputFormats } from '../policy/image-formats.ts';
import { jobStatuses } from '../policy/job-status.ts';
import { limits } from '../policy/limits.ts';

const time = z.iso.datetime();
const v1SizeSchema = z.object({ width: z.int(), height: z.int(), file_size: z.int() });

/** A job as the public API answers it, everywhere: one shape, whatever became of it. */
export const v1JobSchema = z.object({
  id: z.uuid(),
  job_id: z.uuid().describe('The same as `id`.'),
  success: z.boolean().describe('False once the job has failed or was cancelled.'),
  status: z.enum(jobStatuses),
  progress: z.int().min(0).max(100).describe('0-100.'),
  queue_position: z.int().nonnegative().optional().describe('While queued: about how many other jobs start before it.'),
  filename: z.string(),
  scale_factor: z.number(),
  format: z.enum(outputFormats),
  quality: z.int(),
  engine: z.enum(requestedEngines).describe('The engine that runs: `auto` already resolved.'),
  original_size: v1SizeSchema,
  processed_size: v1SizeSchema.nullable().describe('Of the result; null until there is one.'),
  processing_time_ms: z.int().nullable(),
  processing_time: z.number().nullable().describe('The same in seconds.'),
  estimated_seconds: z.number(),
  download_url: z
    .string()
    .nullable()
    .describe('Works without a key for 15 minutes, and is made anew with every answer.'),
  status_url: z.string(),
  created_at: time,
  expires_at: time.nullable().describe('When the result is deleted.'),
  sandbox: z.boolean().describe('Whether it belongs to the sandbox: small, free, counted nowhere.'),
  notes: z.array(z.string()).describe('What is not exactly as it was asked for, or was decided for the caller.'),
  error: z.object({ code: z.string(), message: z.string(), documentation_url: z.string() }).optional(),
});
export type V1Job = z.infer<typeof v1JobSchema>;

export const v1JobListSchema = z.object({
  data: z.array(v1JobSchema),
  next_cursor: z.string().nullable().describe('Send it as `cursor` for the next page; null: this was the last.'),
});

const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .optional();
export const v1JobListQuerySchema = z.strictObject({
  status: z.enum(jobStatuses).optional(),
  /** Made at this time or later, and before that one. */
  created_after: moment,
  created_before: moment,
  limit: z.coerce.number().int().min(1).max(limits.maxPageRows).optional(),
  cursor: z.guid().optional(),
});

/** What deleting a finished job answers: which bytes were removed. */
export const v1DeletionSchema = z.object({
  id: z.uuid(),
  job_id: z.uuid(),
  deleted_at: time,
  objects: z.array(z.object({ kind: z.enum(['source', 'result', 'thumbnail']), sha256: z.string() })),
});
