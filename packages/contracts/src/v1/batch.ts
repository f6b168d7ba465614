import * as z from 'zod';
import { camelCase } from '../recipe/parse-recipe.ts';
import { batchItemStatuses, manifestRowSchema, newBatchSchema, retryBatchSchema } from '../schemas/batch.ts';

/** Names of objects in either spelling; what lies inside a recipe is read by its own rules. */
function camelNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelNames);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [camelCase(name), name === 'recipe' ? inner : camelNames(inner)]),
  );
}

export const v1NewBatchSchema = z.preprocess(camelNames, newBatchSchema);
export const v1RetryBatchSchema = z.preprocess(camelNames, retryBatchSchema);

export const v1BatchItemSchema = z.object({
  id: z.uuid(),
  client_id: z.string(),
  name: z.string(),
  relative_path: z.string(),
  size: z.int().nullable(),
  status: z.enum(batchItemStatuses),
  progress: z.int().min(0).max(100).describe('0-100.'),
  job_id: z.uuid().nullable().describe('The job that has its file.'),
  download_url: z.string().nullable(),
  upload_url: z
    .string()
    .nullable()
    .describe('Where its file is sent, as long as it waits for it; null for an image that is fetched.'),
  notes: z.array(z.string()),
  error: z.object({ code: z.string(), message: z.string(), documentation_url: z.string() }).nullable(),
});
export type V1BatchItem = z.infer<typeof v1BatchItemSchema>;

/** A batch as the public API answers it, everywhere. */
export const v1BatchSchema = z.object({
  id: z.uuid(),
  batch_id: z.uuid().describe('The same as `id`.'),
  status: z.enum(['active', 'finished', 'cancelled']).describe('`finished`: nothing waits or runs any more.'),
  progress: z.int().min(0).max(100).describe('0-100, all items counting alike.'),
  counts: z.record(z.enum(['total', ...batchItemStatuses]), z.int()),
  recipe: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  sandbox: z.boolean(),
  status_url: z.string(),
  zip_url: z.string().describe('All results so far in one archive.'),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().describe('Until then files may come.'),
  items: z.array(v1BatchItemSchema),
});
export type V1Batch = z.infer<typeof v1BatchSchema>;

const row = manifestRowSchema.shape;
/** One row of a manifest. `path`: in the archive with the same `name`. `units`: what the item costs as of now. */
export const v1ManifestRowSchema = z.object({
  item_id: row.item,
  client_id: row.clientId,
  job_id: row.job,
  name: row.name,
  path: row.path,
  status: row.status,
  source_width: row.sourceWidth,
  source_height: row.sourceHeight,
  source_bytes: row.sourceBytes,
  width: row.width,
  height: row.height,
  bytes: row.bytes,
  sha256: row.sha256,
  engine: row.engine,
  units: row.units,
  error: row.error,
  message: row.message,
});
export type V1ManifestRow = z.infer<typeof v1ManifestRowSchema>;
export const v1ManifestSchema = z.object({ data: z.array(v1ManifestRowSchema), next_cursor: z.null() });
