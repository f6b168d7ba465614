import * as z from 'zod';
import { limits } from '../policy/limits.ts';
import { storedTextSchema } from './stored-text.ts';
import {
  deliveryErrorNames,
  deliveryStatuses,
  disabledReasons,
  eventTypeNames,
  jobsEndpoint,
  subscribable,
} from './webhook-events.ts';

const time = z.iso.datetime();
const urlSchema = storedTextSchema.trim().min(1).max(limits.urlLength).meta({ format: 'uri' });
const descriptionSchema = storedTextSchema.trim().max(limits.webhookDescriptionLength);
/** Empty: all of them, and those that there will be. */
const eventsSchema = z
  .array(z.enum(subscribable))
  .max(50)
  .transform((events) => subscribable.filter((type) => events.includes(type)));

export const newWebhookSchema = z.strictObject({
  /** https on its own port, on the public internet. */
  url: urlSchema,
  description: descriptionSchema.default(''),
  events: eventsSchema.default([]),
  sandbox: z
    .boolean()
    .default(false)
    .describe('For events of the sandbox. With an API key its own world is meant: `true` with a live key is refused.'),
});
export const webhookChangeSchema = z.strictObject({
  url: urlSchema.optional(),
  description: descriptionSchema.optional(),
  events: eventsSchema.optional(),
  isActive: z.boolean().optional(),
});
/** Hours for which the former secret signs beside the new one; 0: from now on only the new one signs. */
export const webhookRotationSchema = z
  .strictObject({ overlapHours: z.number().min(0).max(limits.webhookMaxOverlapHours).optional() })
  .nullish();
/** All events of this time and later, whether they were delivered or not. */
export const webhookResendSchema = z.strictObject({
  since: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
});

export const webhookSchema = z.object({
  id: z.uuid(),
  kind: z
    .enum(['endpoint', jobsEndpoint])
    .describe('`jobs`: stands for the `webhook_url` of single jobs; it has no address, filter or switch of its own.'),
  url: z.string().nullable(),
  description: z.string(),
  events: z.array(z.enum(eventTypeNames)).describe('Empty: all.'),
  sandbox: z.boolean(),
  isActive: z.boolean(),
  disabledReason: z.enum(disabledReasons).nullable(),
  disabledAt: time.nullable(),
  failingSince: time
    .nullable()
    .describe('When deliveries began to fail; null: the last one succeeded, or there was none.'),
  lastDeliveredAt: time.nullable(),
  formerSecretUntil: time.nullable().describe('Until when the former secret signs beside the present one.'),
  createdAt: time,
});
export type WebhookView = z.infer<typeof webhookSchema>;
/** The answers that carry the secret: of making an endpoint, and of rotating its secret. */
export const createdWebhookSchema = webhookSchema.extend({ secret: z.string() });

const attemptErrorSchema = z.object({ code: z.enum(deliveryErrorNames), message: z.string() });
export const webhookDeliverySchema = z.object({
  id: z.uuid(),
  eventId: z.uuid(),
  eventType: z.enum(eventTypeNames),
  subject: z.string().describe('What the event is about: the name of a file, the id of a batch, or a meter.'),
  url: z.string(),
  status: z.enum(deliveryStatuses),
  attempts: z.int().describe('Made so far, those before it was sent again included.'),
  responseStatus: z.int().nullable().describe('Of the last attempt: the status that was answered, and what was wrong.'),
  error: attemptErrorSchema.nullable(),
  createdAt: time,
  lastAttemptAt: time.nullable(),
  nextAttemptAt: time.nullable(),
});
export type WebhookDeliveryView = z.infer<typeof webhookDeliverySchema>;
export const webhookAttemptSchema = z.object({
  number: z.int(),
  at: time,
  durationMs: z.int(),
  responseStatus: z.int().nullable(),
  responseBody: z.string().nullable().describe('The beginning of what was answered, as text.'),
  error: attemptErrorSchema.nullable(),
});
/** `body`: what is sent, byte for byte. */
export const webhookDeliveryDetailSchema = webhookDeliverySchema.extend({
  body: z.string(),
  attemptLog: z.array(webhookAttemptSchema),
});
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetailSchema>;
export const webhookDeliveryListSchema = z.object({
  data: z.array(webhookDeliverySchema),
  nextCursor: z.string().nullable(),
});
export const webhookDeliveryQuerySchema = z.strictObject({
  status: z.enum(deliveryStatuses).optional(),
  limit: z.coerce.number().int().min(1).max(limits.maxPageRows).optional(),
  cursor: z.guid().optional(),
});
/** How many events are on their way once more. */
export const webhookResentSchema = z.object({ events: z.int() });
