import * as z from 'zod';
import { camelCase } from '../recipe/parse-recipe.ts';
import { batchItemStatuses, manifestRowSchema, newBatchSchema } from '../schemas/batch.ts';
import { nextCursorSchema, noCursorSchema, pageLimitSchema } from '../schemas/page.ts';
import { snakeObject } from './snake-object.ts';

/** Converts keys to camelCase at every level, except inside `recipe`, which accepts aliases. */
function camelNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelNames);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [camelCase(name), name === 'recipe' ? inner : camelNames(inner)]),
  );
}

export const v1NewBatchSchema = z.preprocess(camelNames, newBatchSchema);

export const v1BatchItemSchema = z.object({
  id: z.uuid().describe('ID of the item.'),
  client_id: z.string().describe('Your ID for the file.'),
  name: z.string().describe('File name of the image.'),
  relative_path: z.string().describe('Path of the file in its folder.'),
  size: z.int().nullable().describe('File size in bytes.'),
  status: z
    .enum(batchItemStatuses)
    .describe('`waiting` until the file is uploaded or fetched, then the status of the job.'),
  progress: z.int().min(0).max(100).describe('Progress in percent.'),
  job_id: z.uuid().nullable().describe('ID of the job that processes the file.'),
  download_url: z.string().nullable().describe('Signed URL of the result.'),
  upload_url: z
    .string()
    .nullable()
    .describe('URL to upload the file to. `null` once the file is uploaded, and for images that are fetched by URL.'),
  notes: z.array(z.string()).describe('Adjustments to your options, and options that were chosen for you.'),
  error: z
    .object({ code: z.string(), message: z.string(), documentation_url: z.string() })
    .nullable()
    .describe('Reason for the failure.'),
});
export type V1BatchItem = z.infer<typeof v1BatchItemSchema>;

/** A batch of the public API. */
export const v1BatchSchema = z.object({
  id: z.uuid().describe('ID of the batch.'),
  batch_id: z.uuid().describe('Same as `id`.'),
  status: z.enum(['active', 'finished', 'cancelled']).describe('`finished` when every item has ended.'),
  progress: z.int().min(0).max(100).describe('Average progress of all items in percent.'),
  counts: z.record(z.enum(['total', ...batchItemStatuses]), z.int()).describe('Number of items by status.'),
  recipe: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe('Options that apply to all items.'),
  sandbox: z.boolean().describe('Whether the batch belongs to the sandbox.'),
  status_url: z.string().describe('URL of the batch.'),
  zip_url: z.string().describe('URL of a ZIP archive with all results so far.'),
  created_at: z.iso.datetime().describe('Time at which the batch was created.'),
  expires_at: z.iso.datetime().describe('Time until which files can be uploaded.'),
  items: z.array(v1BatchItemSchema).describe('Items of the batch.'),
});
export type V1Batch = z.infer<typeof v1BatchSchema>;

/** One page of batches, without their items. */
export const v1BatchListSchema = z.object({
  data: z.array(v1BatchSchema.omit({ items: true })),
  next_cursor: nextCursorSchema,
});
export const v1BatchListQuerySchema = z.strictObject({
  limit: pageLimitSchema.describe('Maximum number of batches to return.'),
  cursor: z.guid().optional().describe('`next_cursor` of the previous page.'),
});

const { item, clientId, job, ...facts } = manifestRowSchema.shape;
/** One row of a manifest. */
export const v1ManifestRowSchema = z.object({
  item_id: item,
  client_id: clientId,
  job_id: job,
  ...snakeObject(z.object(facts)).shape,
});
export type V1ManifestRow = z.infer<typeof v1ManifestRowSchema>;
export const v1ManifestSchema = z.object({
  data: z.array(v1ManifestRowSchema).describe('One row per item.'),
  next_cursor: noCursorSchema,
});
