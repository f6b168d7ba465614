import * as z from 'zod';
import { outputFormats } from '../../policy/images/image-formats.ts';
import { limits } from '../../policy/limits.ts';
import { requestedEngineSchema } from '../../recipe/engine-schemas.ts';
import { recipeSchema } from '../../recipe/recipe.ts';
import { storedTextSchema } from '../stored-text.ts';
import { jobErrorSchema, notesSchema, publicJobErrorSchema, sizeSchema } from './job.ts';

/** `expired`: the result was deleted before it was delivered. */
const resultDeliveryErrors = [
  'dns',
  'timeout',
  'tls',
  'unreachable',
  'broken',
  'not_allowed',
  'redirect',
  'bad_status',
  'expired',
  'internal',
] as const;
export type ResultDeliveryError = (typeof resultDeliveryErrors)[number];

const resultDeliverySchema = z.object({
  status: z
    .enum(['waiting', 'pending', 'delivered', 'failed', 'cancelled'])
    .describe(
      '`waiting` for the result, `pending` until an attempt succeeds, then `delivered` or `failed`. `cancelled` if the item has no result.',
    ),
  host: z.string().describe('Host of the target URL. The rest of the URL is secret.'),
  attempts: z.int().describe('Number of attempts so far.'),
  error: z.enum(resultDeliveryErrors).nullable().describe('Reason why the last attempt failed.'),
  statusCode: z.int().nullable().describe('HTTP status of the last response.'),
  nextAttemptAt: z.iso.datetime().nullable().describe('Time of the next attempt.'),
  deliveredAt: z.iso.datetime().nullable().describe('Time at which the result was delivered.'),
});

/**
 * Delays between delivery attempts, in seconds. They total 2 hours, because signed URLs rarely remain valid for longer.
 */
export const resultRetryDelaysS: readonly number[] = [10, 50, 240, 1_500, 5_400];

const recipeValue = z.union([z.string(), z.number(), z.boolean()]);

const newItemSchema = z
  .strictObject({
    clientId: z
      .string()
      .min(1)
      .max(limits.clientIdLength)
      .regex(/^[^\p{Cc}\p{Cs}]+$/u, "A clientId can't contain control characters.")
      .meta({
        description: 'Your ID for the file. Must be unique in the batch.',
        // Pattern for the API documents. Differs from the check, because some languages don't support `\p{...}`, and
        // others require a flag for it.
        pattern: '^[^\\x00-\\x1f\\x7f]+$',
      }),
    name: z
      .string()
      .max(limits.relativePathLength)
      .optional()
      .describe('File name. Required unless `image_url` is given.'),
    imageUrl: storedTextSchema.max(limits.urlLength).optional().meta({
      format: 'uri',
      description: 'URL to fetch the image from, instead of an upload.',
    }),
    targetUrl: storedTextSchema.max(limits.urlLength).optional().meta({
      format: 'uri',
      description:
        'URL to upload the result to with `PUT`, such as a signed URL of a bucket. It is stored encrypted, never returned, and deleted when the delivery ends.',
    }),
    relativePath: z
      .string()
      .max(limits.relativePathLength)
      .default('')
      .describe('Path of the file in its folder, with or without the file name.'),
    size: z.int().nonnegative().optional().describe('File size in bytes.'),
  })
  .refine(({ name, imageUrl }) => name !== undefined || imageUrl !== undefined, {
    path: ['name'],
    error: 'Each item must have a name or an imageUrl.',
  });

const tooManyItemsText = `A batch can have up to ${limits.batchItems} images.`;

export const newBatchSchema = z.strictObject({
  recipe: z.record(z.string(), recipeValue).default({}).describe('Options that apply to all items.'),
  items: z
    .array(newItemSchema)
    .min(1)
    .max(limits.batchItems, tooManyItemsText)
    .refine((items) => new Set(items.map(({ clientId }) => clientId)).size === items.length, {
      error: 'Each item must have a unique clientId.',
    })
    .describe('Files to process.'),
  acceptPartial: z
    .boolean()
    .default(false)
    .describe('Process as many files as there are credits left, instead of rejecting the batch.'),
});
export type NewBatchBody = z.output<typeof newBatchSchema>;

export const pauseBatchSchema = z.strictObject({ paused: z.boolean() });

export const retryBatchSchema = z
  .strictObject({ engine: requestedEngineSchema.optional().describe('Engine to use instead.') })
  .nullish();

/** Status of a batch item: `waiting` until the file is uploaded or fetched, then the status of its job. */
export const batchItemStatuses = [
  'waiting',
  'queued',
  'processing',
  'completed',
  'failed',
  'cancelled',
  'expired',
] as const;
export type BatchItemStatus = (typeof batchItemStatuses)[number];

const countsSchema = z.object({
  total: z.int().describe('Number of items.'),
  waiting: z.int().describe('Items whose file is not uploaded or fetched yet.'),
  queued: z.int().describe('Items whose job is queued.'),
  processing: z.int().describe('Items whose job is being processed.'),
  completed: z.int().describe('Items that are completed.'),
  failed: z.int().describe('Items that failed.'),
  cancelled: z.int().describe('Items that were canceled.'),
  expired: z.int().describe('Items whose result is deleted.'),
} satisfies Record<'total' | BatchItemStatus, z.ZodType>);

export const publicBatchItemSchema = z.object({
  id: z.uuid().describe('ID of the item.'),
  clientId: z.string().describe('Your ID for the file.'),
  name: z.string().describe('File name of the image.'),
  relativePath: z.string().describe('Path of the file in its folder.'),
  size: z.int().nullable().describe('File size in bytes.'),
  status: z
    .enum(batchItemStatuses)
    .describe('`waiting` until the file is uploaded or fetched, then the status of the job.'),
  progress: z.int().min(0).max(100).describe('Progress in percent.'),
  jobId: z.uuid().nullable().describe('ID of the job that processes the file.'),
  downloadUrl: z.string().nullable().describe('Signed URL of the result.'),
  uploadUrl: z
    .string()
    .nullable()
    .describe('URL to upload the file to. `null` once the file is uploaded, and for images that are fetched by URL.'),
  delivery: resultDeliverySchema.nullable().describe('Upload of the result to the `target_url` of the item.'),
  notes: notesSchema,
  error: publicJobErrorSchema.nullable().describe('Reason for the failure.'),
});
export type PublicBatchItem = z.infer<typeof publicBatchItemSchema>;

export const batchItemSchema = publicBatchItemSchema.omit({ uploadUrl: true }).extend({
  /** Size of the inspected file, and size of the result. */
  originalSize: sizeSchema.nullable(),
  processedSize: sizeSchema.nullable(),
  /** Format of the result. Absent until the job is created. */
  format: z.enum(outputFormats).optional(),
  thumbnailUrl: z.string().nullable(),
  freeCancelUntil: z.iso.datetime().optional(),
  error: jobErrorSchema.nullable(),
});
export type BatchItem = z.infer<typeof batchItemSchema>;

export const publicBatchSchema = z.object({
  id: z.uuid().describe('ID of the batch.'),
  batchId: z.uuid().describe('Same as `id`.'),
  status: z.enum(['active', 'finished', 'cancelled']).describe('`finished` when every item has ended.'),
  progress: z.int().min(0).max(100).describe('Average progress of all items in percent.'),
  counts: countsSchema.describe('Number of items by status.'),
  recipe: z.record(z.string(), recipeValue).describe('Options that apply to all items.'),
  sandbox: z.boolean().describe('Whether the batch belongs to the sandbox.'),
  statusUrl: z.string().describe('URL of the batch.'),
  zipUrl: z.string().describe('URL of a ZIP archive with all results so far.'),
  createdAt: z.iso.datetime().describe('Time at which the batch was created.'),
  expiresAt: z.iso.datetime().describe('Time until which files can be uploaded.'),
  items: z.array(publicBatchItemSchema).describe('Items of the batch.'),
  notes: z
    .array(z.string())
    .describe('Preferences of the request that were ignored. Empty except in responses that create a batch.'),
});
export type PublicBatch = z.infer<typeof publicBatchSchema>;

export const batchSchema = publicBatchSchema
  .omit({ batchId: true, sandbox: true, statusUrl: true, zipUrl: true, notes: true })
  .extend({
    recipe: recipeSchema,
    /** Whether the batch is paused. Queued images don't start until it is resumed. */
    paused: z.boolean(),
    items: z.array(batchItemSchema),
  });
export type Batch = z.infer<typeof batchSchema>;

const uuidLength = 36;

export const namingQuerySchema = z.strictObject({
  name: z
    .string()
    .max(limits.namePatternLength)
    .optional()
    .describe('Pattern for the file names in the ZIP archive, such as `{name}-{factor}x.{ext}`.'),
  items: z
    .string()
    .max(limits.batchItems * (uuidLength + 1))
    .optional()
    .describe('IDs of the items to include, separated by commas. All items by default.'),
});

export const manifestRowSchema = z.object({
  item: z.uuid().describe('ID of the item.'),
  clientId: z.string().describe('Your ID for the file.'),
  job: z.uuid().nullable().describe('ID of the job.'),
  name: z.string().describe('File name of the image.'),
  path: z.string().nullable().describe('Path in the ZIP archive with the same `name` pattern.'),
  status: z.enum(batchItemStatuses).describe('Status of the item.'),
  sourceWidth: z.int().nullable().describe('Width of the image in pixels.'),
  sourceHeight: z.int().nullable().describe('Height of the image in pixels.'),
  sourceBytes: z.int().nullable().describe('File size of the image in bytes.'),
  width: z.int().nullable().describe('Width of the result in pixels.'),
  height: z.int().nullable().describe('Height of the result in pixels.'),
  bytes: z.int().nullable().describe('File size of the result in bytes.'),
  sha256: z.string().nullable().describe('SHA-256 digest of the result.'),
  engine: z.string().nullable().describe('Engine that processed the image.'),
  units: z.int().describe('Credits reserved or charged so far.'),
  error: z.string().nullable().describe('Error code of the item.'),
  message: z.string().nullable().describe('Explanation of the error.'),
});
export const manifestSchema = z.array(manifestRowSchema);
export type ManifestRow = z.infer<typeof manifestRowSchema>;

const { item, clientId, job, ...facts } = manifestRowSchema.shape;
const publicRowSchema = z.object({ itemId: item, clientId, jobId: job, ...facts });
export type PublicManifestRow = z.infer<typeof publicRowSchema>;
export const publicManifestSchema = z.array(publicRowSchema).describe('One row per item.');

const bulkResultSchema = z.object({
  id: z.uuid(),
  filename: z.string(),
  status: z.enum(batchItemStatuses),
  error: z.string().nullable(),
  downloadUrl: z.string().nullable(),
});
export const bulkResultsSchema = z.object({ batchId: z.uuid(), results: z.array(bulkResultSchema) });
export type BulkResults = z.infer<typeof bulkResultsSchema>;
export const bulkStartedSchema = z.object({ batchId: z.uuid(), statusUrl: z.string() });
