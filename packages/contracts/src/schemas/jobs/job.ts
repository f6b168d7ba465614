import * as z from 'zod';
import { outputFormats } from '../../policy/images/image-formats.ts';
import { fidelityLevels } from '../../policy/images/results.ts';
import { jobStatuses } from '../../policy/job-status.ts';
import { limits } from '../../policy/limits.ts';
import { requestedEngineSchema } from '../../recipe/engine-schemas.ts';
import { recipeSchema } from '../../recipe/recipe.ts';

const time = z.iso.datetime();

export const sizeSchema = z.object({
  width: z.int().describe('Width in pixels.'),
  height: z.int().describe('Height in pixels.'),
  fileSize: z.int().describe('File size in bytes.'),
});

export const jobErrorSchema = z.object({
  code: z.string().describe('Error code.'),
  message: z.string().describe('Explanation of the error.'),
});
export const publicJobErrorSchema = jobErrorSchema.extend({
  documentationUrl: z.string().describe("URL of the error code's documentation."),
});
export const notesSchema = z
  .array(z.string())
  .describe('Adjustments to your options, and options that were chosen for you.');

/** Every endpoint returns this shape, whatever the job's status. */
export const publicJobSchema = z.object({
  id: z.uuid().describe('ID of the job.'),
  jobId: z.uuid().describe('Same as `id`.'),
  success: z
    .boolean()
    .nullable()
    .describe('Whether the job made a result. `false` if it failed or was canceled, `null` until it ends.'),
  status: z.enum(jobStatuses).describe('Status of the job.'),
  progress: z.int().min(0).max(100).describe('Progress in percent.'),
  queuePosition: z
    .int()
    .nonnegative()
    .optional()
    .describe('Approximate number of jobs ahead of this one. Present while the job is queued.'),
  filename: z.string().describe('File name of the image.'),
  scaleFactor: z.number().describe('Scale factor for width and height.'),
  format: z.enum(outputFormats).describe('File format of the result.'),
  quality: z.int().describe('Compression quality of the result.'),
  engine: requestedEngineSchema.describe(
    'Engine that processes the image. `auto` is resolved when the job is created, and again when it runs, by content.',
  ),
  originalSize: sizeSchema.describe('Size of the image.'),
  processedSize: sizeSchema.nullable().describe('Size of the result. `null` until the job is completed.'),
  processingTimeMs: z.int().nullable().describe('Processing time in milliseconds. `null` until the job is completed.'),
  processingTime: z.number().nullable().describe('Processing time in seconds.'),
  fidelity: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .describe(
      `Agreement of the result with the image at the same size, before compression. \`100\` is identical, and below \`${fidelityLevels[2].from}\` looks different. \`null\` until the job is completed, and for results of older versions.`,
    ),
  estimatedSeconds: z.number().describe('Estimated processing time in seconds.'),
  credits: z
    .int()
    .describe("Credits that the job costs. `0` if it failed, was canceled free of charge, or isn't charged."),
  cached: z
    .boolean()
    .describe(
      'Whether the result is a copy of a stored result of the same image and options, at no charge. `false` until the job is completed.',
    ),
  freeCancelUntil: time
    .optional()
    .describe('Time until which you can cancel the job free of charge. Present while the job is processing.'),
  downloadUrl: z
    .string()
    .nullable()
    .describe(
      `Signed URL of the result. Works without an API key for ${limits.downloadLinkMinutes} minutes. Each response contains a new one.`,
    ),
  statusUrl: z.string().describe('URL of the job.'),
  createdAt: time.describe('Time at which the job was created.'),
  expiresAt: time.nullable().describe('Time at which the result is deleted.'),
  sandbox: z.boolean().describe('Whether the job belongs to the sandbox.'),
  notes: notesSchema,
  error: publicJobErrorSchema.optional().describe('Reason for the failure. Present if the job failed or was canceled.'),
});
export type PublicJob = z.infer<typeof publicJobSchema>;

/** URLs are root-relative. `downloadUrl` is signed. `thumbnailUrl` can only be requested with the session cookie. */
export const jobSchema = publicJobSchema
  .omit({ jobId: true, success: true, processingTime: true, sandbox: true, cached: true })
  .extend({
    thumbnailUrl: z.string().nullable(),
    /** The requested options. The fields above describe the result. */
    recipe: recipeSchema,
    /** Estimated time until the job starts, in seconds. Absent if the job isn't queued or the time is unknown. */
    waitSeconds: z.number().nonnegative().optional(),
    error: jobErrorSchema.optional(),
    statusUrl: z.string().optional(),
  });
export type Job = z.infer<typeof jobSchema>;

export const deletionReceiptSchema = z.object({
  id: z.uuid().describe('ID of the job.'),
  deletedAt: time.describe('Time of the deletion.'),
  objects: z
    .array(
      z.object({
        kind: z.enum(['source', 'result', 'thumbnail']).describe('Purpose of the file.'),
        sha256: z.string().describe('SHA-256 digest of the file.'),
      }),
    )
    .describe('Deleted files with their SHA-256 digests.'),
});
export type DeletionReceipt = z.infer<typeof deletionReceiptSchema>;

const { id, ...deleted } = deletionReceiptSchema.shape;
export const publicDeletionSchema = z.object({ id, jobId: publicJobSchema.shape.jobId, ...deleted });

/** For a finished job, lists the deleted files. For an unfinished job, contains the canceled job. */
export const deletedJobSchema = z.union([deletionReceiptSchema, jobSchema]);
export const publicDeletedJobSchema = z.union([publicDeletionSchema, publicJobSchema]);

export const newShareSchema = z.object({ hours: z.literal(limits.shareHours) });

/** Root-relative URL of a public page that shows a result, and when the URL expires. */
export const shareSchema = z.object({ url: z.string(), expiresAt: time });

export const jobListQuerySchema = z.object({
  status: z.enum(jobStatuses).optional(),
  /** Matches part of the file name, ignoring case. */
  search: z.string().trim().max(limits.searchLength).optional(),
  limit: z.coerce.number().int().optional(),
  /** ID of the last job on the previous page. */
  cursor: z.guid().optional(),
});
