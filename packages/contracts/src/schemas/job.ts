import * as z from 'zod';
import { requestedEngines } from '../policy/engines.ts';
import { outputFormats } from '../policy/image-formats.ts';
import { jobStatuses } from '../policy/job-status.ts';

/** An image's pixels and bytes. */
export const sizeSchema = z.object({
  width: z.int().describe('Width in pixels.'),
  height: z.int().describe('Height in pixels.'),
  fileSize: z.int().describe('File size in bytes.'),
});

/** A job in responses of `/api`. URLs are root-relative; `downloadUrl` is signed, `thumbnailUrl` requires the cookie. */
export const jobSchema = z.object({
  id: z.uuid(),
  filename: z.string(),
  status: z.enum(jobStatuses),
  /** 0-100. */
  progress: z.int().min(0).max(100),
  /** Approximate number of jobs ahead in the queue. */
  queuePosition: z.int().nonnegative().optional(),
  scaleFactor: z.number(),
  format: z.enum(outputFormats),
  quality: z.int(),
  /** The engine, with `auto` resolved. */
  engine: z.enum(requestedEngines),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  originalSize: sizeSchema,
  processedSize: sizeSchema.nullable(),
  processingTimeMs: z.int().nullable(),
  estimatedSeconds: z.number(),
  downloadUrl: z.string().nullable(),
  thumbnailUrl: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  statusUrl: z.string().optional(),
});
export type Job = z.infer<typeof jobSchema>;

/** Response to the deletion of a finished job. */
export const deletionReceiptSchema = z.object({
  id: z.uuid().describe('ID of the job.'),
  deletedAt: z.iso.datetime().describe('Time of the deletion.'),
  objects: z
    .array(z.object({ kind: z.enum(['source', 'result', 'thumbnail']), sha256: z.string() }))
    .describe('Deleted files with their SHA-256 digests.'),
});
export type DeletionReceipt = z.infer<typeof deletionReceiptSchema>;

/** The response to deleting a job: the deleted files of a finished one, or the canceled job. */
export const deletedJobSchema = z.union([deletionReceiptSchema, jobSchema]);

export const jobListQuerySchema = z.object({
  status: z.enum(jobStatuses).optional(),
  limit: z.coerce.number().int().optional(),
  /** ID of the last job of the previous page. */
  cursor: z.guid().optional(),
});
