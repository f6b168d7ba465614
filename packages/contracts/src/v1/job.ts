import * as z from 'zod';
import { requestedEngines } from '../policy/engines.ts';
import { outputFormats } from '../policy/image-formats.ts';
import { jobStatuses } from '../policy/job-status.ts';
import { limits } from '../policy/limits.ts';
import { deletionReceiptSchema, sizeSchema } from '../schemas/job.ts';
import { nextCursorSchema, pageLimitSchema } from '../schemas/page.ts';
import { snakeObject } from './snake-object.ts';

const time = z.iso.datetime();
const v1SizeSchema = snakeObject(sizeSchema);

/** A job of the public API. Every endpoint returns this shape, whatever the status. */
export const v1JobSchema = z.object({
  id: z.uuid().describe('ID of the job.'),
  job_id: z.uuid().describe('Same as `id`.'),
  success: z.boolean().describe('`false` if the job failed or was canceled.'),
  status: z.enum(jobStatuses).describe('Status of the job.'),
  progress: z.int().min(0).max(100).describe('Progress in percent.'),
  queue_position: z
    .int()
    .nonnegative()
    .optional()
    .describe('Approximate number of jobs ahead of this one. Present while the job is queued.'),
  filename: z.string().describe('File name of the image.'),
  scale_factor: z.number().describe('Scale factor for width and height.'),
  format: z.enum(outputFormats).describe('File format of the result.'),
  quality: z.int().describe('Compression quality of the result.'),
  engine: z
    .enum(requestedEngines)
    .describe('Engine that processes the image. `auto` is resolved when the job is created.'),
  original_size: v1SizeSchema.describe('Size of the image.'),
  processed_size: v1SizeSchema.nullable().describe('Size of the result. `null` until the job is completed.'),
  processing_time_ms: z
    .int()
    .nullable()
    .describe('Processing time in milliseconds. `null` until the job is completed.'),
  processing_time: z.number().nullable().describe('Processing time in seconds.'),
  estimated_seconds: z.number().describe('Estimated processing time in seconds.'),
  download_url: z
    .string()
    .nullable()
    .describe(
      `Signed URL of the result. Works without an API key for ${limits.downloadLinkMinutes} minutes. Each response contains a new one.`,
    ),
  status_url: z.string().describe('URL of the job.'),
  created_at: time.describe('Time at which the job was created.'),
  expires_at: time.nullable().describe('Time at which the result is deleted.'),
  sandbox: z.boolean().describe('Whether the job belongs to the sandbox.'),
  notes: z.array(z.string()).describe('Adjustments to your options, and options that were chosen for you.'),
  error: z
    .object({ code: z.string(), message: z.string(), documentation_url: z.string() })
    .optional()
    .describe('Reason for the failure. Present if the job failed or was canceled.'),
});
export type V1Job = z.infer<typeof v1JobSchema>;

export const v1JobListSchema = z.object({
  data: z.array(v1JobSchema).describe('Jobs, newest first.'),
  next_cursor: nextCursorSchema,
});

const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .optional();
export const v1JobListQuerySchema = z
  .strictObject({
    status: z.enum(jobStatuses).optional().describe('Return only jobs with this status.'),
    created_after: moment.describe('Return only jobs created at this time or later.'),
    created_before: moment.describe('Return only jobs created before this time.'),
    limit: pageLimitSchema.describe('Maximum number of jobs to return.'),
    cursor: z.guid().optional().describe('`next_cursor` of the previous page.'),
  })
  .transform(({ created_after: from, created_before: until, ...page }) => ({ ...page, from, until }));

const { id, ...deleted } = deletionReceiptSchema.shape;
/** Response to the deletion of a finished job. */
export const v1DeletionSchema = z.object({
  id,
  job_id: z.uuid().describe('Same as `id`.'),
  ...snakeObject(z.object(deleted)).shape,
});
export const v1DeletedJobSchema = z.union([v1DeletionSchema, v1JobSchema]);
