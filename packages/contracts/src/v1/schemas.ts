import * as z from 'zod';
import { v1ProblemSchema } from '../errors/problem.ts';
import { jobStatuses } from '../policy/job-status.ts';
import { accountSchema } from '../schemas/dashboard.ts';
import {
  batchItemSchema,
  batchSchema,
  manifestSchema,
  type PublicBatch,
  publicBatchItemSchema,
  publicBatchSchema,
  publicManifestSchema,
} from '../schemas/jobs/batch.ts';
import { dryRunSchema, engineListSchema, estimateSchema } from '../schemas/jobs/estimate.ts';
import {
  deletedJobSchema,
  jobSchema,
  type PublicJob,
  publicDeletedJobSchema,
  publicDeletionSchema,
  publicJobSchema,
} from '../schemas/jobs/job.ts';
import { receiptSchema } from '../schemas/jobs/receipt.ts';
import { nextCursorSchema, pageLimitSchema } from '../schemas/page.ts';
import {
  createdWebhookSchema,
  webhookDeliveryDetailSchema,
  webhookDeliveryListSchema,
  webhookDeliverySchema,
  webhookListSchema,
  webhookSchema,
} from '../schemas/webhooks.ts';
import { v1EventListSchema, v1EventSchema, v1JobEventSchema } from './events.ts';
import type { SnakeCaseKeys } from './fields.ts';
import { toV1Schema } from './to-v1-schema.ts';

export type V1Job = SnakeCaseKeys<PublicJob>;
export type V1Batch = SnakeCaseKeys<PublicBatch>;

const jobs = z.array(toV1Schema(publicJobSchema)).describe('Jobs, newest first.');
const batches = z
  .array(toV1Schema(publicBatchSchema.omit({ items: true, notes: true })))
  .describe('Batches, newest first.');

/** Response schemas of the public API, by their names in the API documents. */
export const v1Schemas = {
  Job: toV1Schema(publicJobSchema),
  JobList: z.object({ data: jobs, next_cursor: nextCursorSchema }),
  Receipt: toV1Schema(receiptSchema),
  Deletion: toV1Schema(publicDeletionSchema),
  DryRun: toV1Schema(dryRunSchema),
  Estimate: toV1Schema(estimateSchema),
  EngineList: toV1Schema(engineListSchema),
  Account: toV1Schema(accountSchema),
  Batch: toV1Schema(publicBatchSchema),
  BatchItem: toV1Schema(publicBatchItemSchema),
  BatchList: z.object({ data: batches, next_cursor: nextCursorSchema }),
  Webhook: toV1Schema(webhookSchema),
  CreatedWebhook: toV1Schema(createdWebhookSchema),
  WebhookList: toV1Schema(webhookListSchema),
  Delivery: toV1Schema(webhookDeliverySchema),
  DeliveryList: toV1Schema(webhookDeliveryListSchema),
  DeliveryDetail: toV1Schema(webhookDeliveryDetailSchema),
  Event: v1EventSchema,
  EventList: v1EventListSchema,
  JobEvent: v1JobEventSchema,
  Problem: v1ProblemSchema,
};

/**
 * Response schemas for which renaming the fields isn't enough to get the `/v1` schema. Events are the same in both
 * APIs, because they always use snake_case.
 */
const v1SchemaOverrides = new Map<z.ZodType, z.ZodType>([
  [jobSchema, v1Schemas.Job],
  [receiptSchema, v1Schemas.Receipt],
  [deletedJobSchema, toV1Schema(publicDeletedJobSchema)],
  [batchSchema, v1Schemas.Batch],
  [batchItemSchema, v1Schemas.BatchItem],
  [manifestSchema, toV1Schema(publicManifestSchema)],
  [v1EventListSchema, v1EventListSchema],
]);

/** Returns the `/v1` response schema for an `/api` response schema. */
export const v1SchemaOf = (schema: z.ZodType): z.ZodType => v1SchemaOverrides.get(schema) ?? toV1Schema(schema);

const cursor = z.guid().optional().describe('`next_cursor` of the previous page.');
const timeSchema = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .optional();
export const v1JobListQuerySchema = z
  .strictObject({
    status: z.enum(jobStatuses).optional().describe('Return only jobs with this status.'),
    created_after: timeSchema.describe('Return only jobs created at this time or later.'),
    created_before: timeSchema.describe('Return only jobs created before this time.'),
    limit: pageLimitSchema.describe('Maximum number of jobs to return.'),
    cursor,
  })
  .transform(({ created_after: from, created_before: until, ...page }) => ({ ...page, from, until }));
export const v1BatchListQuerySchema = z.strictObject({
  limit: pageLimitSchema.describe('Maximum number of batches to return.'),
  cursor,
});
