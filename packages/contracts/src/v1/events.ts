import * as z from 'zod';
import { limits } from '../policy/limits.ts';
import { meters } from '../policy/meters.ts';
import { type EventType, eventTypeNames } from '../schemas/webhook-events.ts';
import { v1BatchSchema } from './batch.ts';
import { v1JobSchema } from './job.ts';

/**
 * A job as it was when something happened to it. Without links to its files, which work for a quarter of an hour only: ask
 * `status_url`, with a key, for fresh ones.
 */
export const v1JobEventSchema = v1JobSchema
  .pick({
    id: true,
    job_id: true,
    status: true,
    filename: true,
    scale_factor: true,
    format: true,
    quality: true,
    engine: true,
    original_size: true,
    processed_size: true,
    processing_time_ms: true,
    created_at: true,
    expires_at: true,
    error: true,
    status_url: true,
  })
  .extend({
    sequence: z.int().describe('Rises with everything that happens to this job: what comes late is told by it.'),
    batch_id: z.uuid().nullable(),
  });
const v1BatchEventSchema = v1BatchSchema.pick({
  id: true,
  batch_id: true,
  status: true,
  counts: true,
  created_at: true,
  status_url: true,
});
const v1QuotaEventSchema = z.object({
  meter: z.enum(meters),
  share: z.int().describe('Percent of what the plan includes.'),
  included: z.int(),
  left: z.int(),
  resets_at: z.iso.datetime(),
});
const v1TestEventSchema = z.object({ webhook_id: z.uuid(), message: z.string() });

const event = <const Type extends EventType, Data extends z.ZodType>(types: readonly Type[], data: Data) =>
  z.object({
    id: z.uuid().describe('The same as the header `webhook-id`: whoever gets an event twice knows it by this.'),
    type: z.enum(types),
    timestamp: z.iso.datetime(),
    sandbox: z.boolean(),
    data,
  });

const jobEvents = ['job.completed', 'job.failed', 'job.cancelled', 'job.expired'] as const;

/** An event: the body of a webhook, and a row of the feed. */
export const v1EventSchema = z.discriminatedUnion('type', [
  event(jobEvents, v1JobEventSchema),
  event(['batch.completed'], v1BatchEventSchema),
  event(['quota.warning'], v1QuotaEventSchema),
  event(['webhook.test'], v1TestEventSchema),
]);
export type V1Event = z.infer<typeof v1EventSchema>;
/** What is kept of an event; links are made when it is told. */
export type JobEventData = Omit<z.infer<typeof v1JobEventSchema>, 'status_url' | 'error'> & {
  error?: { code: string; message: string };
};
export type BatchEventData = Omit<z.infer<typeof v1BatchEventSchema>, 'status_url'>;
export type QuotaEventData = z.infer<typeof v1QuotaEventSchema>;
export type TestEventData = z.infer<typeof v1TestEventSchema>;

/** `next_cursor`: send it as `after` for more; null: there is nothing more yet, so ask again later after the last event's id. */
export const v1EventListSchema = z.object({ data: z.array(v1EventSchema), next_cursor: z.string().nullable() });

/** Events are told in the order in which they became known, the oldest first, for 30 days. */
export const v1EventListQuerySchema = z.strictObject({
  after: z
    .guid()
    .optional()
    .describe('The id of the last event that is known already; absent: from the oldest one kept.'),
  type: z.enum(eventTypeNames).optional(),
  order: z.enum(['asc', 'desc']).optional(),
  limit: z.coerce.number().int().min(1).max(limits.maxPageRows).optional(),
});
