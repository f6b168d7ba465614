import * as z from 'zod';
import { meters } from '../policy/plans/meters.ts';
import { publicBatchItemSchema, publicBatchSchema } from '../schemas/jobs/batch.ts';
import { publicJobErrorSchema, publicJobSchema } from '../schemas/jobs/job.ts';
import { pageLimitSchema } from '../schemas/page.ts';
import { type EventType, eventTypeNames } from '../schemas/webhook-events.ts';
import { toV1Schema } from './to-v1-schema.ts';

/**
 * A job as it was at the time of an event. Doesn't include download URLs, because they expire. A new URL is available
 * at `status_url`.
 */
export const v1JobEventSchema = toV1Schema(
  publicJobSchema
    .pick({
      id: true,
      jobId: true,
      status: true,
      filename: true,
      scaleFactor: true,
      format: true,
      quality: true,
      engine: true,
      originalSize: true,
      processedSize: true,
      processingTimeMs: true,
      createdAt: true,
      expiresAt: true,
      error: true,
      statusUrl: true,
    })
    .extend({
      sequence: z
        .int()
        .describe('Increases with each event of the job. Use it to detect events that arrive out of order.'),
      batchId: z.uuid().nullable().describe('ID of the batch that the job belongs to.'),
    }),
);
const v1BatchEventSchema = toV1Schema(
  publicBatchSchema.pick({ id: true, batchId: true, status: true, counts: true, createdAt: true, statusUrl: true }),
);
const v1ItemEventSchema = toV1Schema(
  publicBatchItemSchema.pick({ id: true, clientId: true, name: true, relativePath: true }).extend({
    batchId: publicBatchSchema.shape.batchId.describe('ID of the batch.'),
    error: publicJobErrorSchema.describe('Reason for the rejection.'),
    statusUrl: publicBatchSchema.shape.statusUrl,
  }),
);
const v1QuotaEventSchema = z.object({
  meter: z.enum(meters).describe('Quota that the event refers to.'),
  share: z.int().describe('Percentage of the included credits that is used.'),
  included: z.int().describe('Credits included in your plan.'),
  left: z.int().describe('Credits left.'),
  resets_at: z.iso.datetime().describe('Time at which the quota resets.'),
});
const v1TestEventSchema = z.object({
  webhook_id: z.uuid().describe('ID of the webhook endpoint.'),
  message: z.string().describe('A fixed test message.'),
});

const makeEventSchema = <const Type extends EventType, Data extends z.ZodType>(types: readonly Type[], data: Data) =>
  z.object({
    id: z.uuid().describe('ID of the event. Same as the `webhook-id` header. Use it to detect duplicate deliveries.'),
    type: z.enum(types).describe('Type of the event.'),
    timestamp: z.iso.datetime().describe('Time of the event.'),
    sandbox: z.boolean().describe('Whether the event belongs to the sandbox.'),
    data: data.describe('Details of the event.'),
  });

const jobEventTypes = ['job.completed', 'job.failed', 'job.cancelled', 'job.expired'] as const;

/** An event, as sent to webhooks and listed in the event feed. */
export const v1EventSchema = z.discriminatedUnion('type', [
  makeEventSchema(jobEventTypes, v1JobEventSchema),
  makeEventSchema(['batch.completed'], v1BatchEventSchema),
  makeEventSchema(['batch.item_rejected'], v1ItemEventSchema),
  makeEventSchema(['quota.warning'], v1QuotaEventSchema),
  makeEventSchema(['webhook.test'], v1TestEventSchema),
]);
export type V1Event = z.infer<typeof v1EventSchema>;
/** Stored part of a job event. URLs are added when the event is sent. */
export type JobEventData = Omit<z.infer<typeof v1JobEventSchema>, 'status_url' | 'error'> & {
  error?: { code: string; message: string };
};
export type BatchEventData = Omit<z.infer<typeof v1BatchEventSchema>, 'status_url'>;
export type ItemEventData = Omit<z.infer<typeof v1ItemEventSchema>, 'status_url' | 'error'> & {
  error: { code: string; message: string };
};
export type QuotaEventData = z.infer<typeof v1QuotaEventSchema>;
export type TestEventData = z.infer<typeof v1TestEventSchema>;

export const v1EventListSchema = z.object({
  data: z.array(v1EventSchema).describe('Events, oldest first unless `order` is `desc`.'),
  next_cursor: z
    .string()
    .nullable()
    .describe(
      '`after` of the next page. `null` if there are no more events. Continue later with the ID of the last event.',
    ),
});

export const v1EventListQuerySchema = z.strictObject({
  after: z.guid().optional().describe('ID of the last event you received. Omit to start with the oldest stored event.'),
  type: z.enum(eventTypeNames).optional().describe('Return only events of this type.'),
  order: z.enum(['asc', 'desc']).optional().describe('`asc` returns the oldest events first, `desc` the newest.'),
  limit: pageLimitSchema.describe('Maximum number of events to return.'),
});
