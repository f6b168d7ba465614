import * as z from 'zod';
import { limits } from '../policy/limits.ts';
import { nextCursorSchema, pageLimitSchema } from './page.ts';
import { storedTextSchema } from './stored-text.ts';
import {
  deliveryErrorNames,
  deliveryStatuses,
  disabledReasons,
  eventTypeNames,
  jobsEndpoint,
  subscribableEventTypes,
} from './webhook-events.ts';

const time = z.iso.datetime();
const urlSchema = storedTextSchema.trim().min(1).max(limits.urlLength).meta({ format: 'uri' });
const descriptionSchema = storedTextSchema.trim().max(limits.webhookDescriptionLength);
/** An empty list means all event types, including those added in the future. */
const eventsSchema = z
  .array(z.enum(subscribableEventTypes))
  .max(50)
  .transform((events) => subscribableEventTypes.filter((type) => events.includes(type)));

export const newWebhookSchema = z.strictObject({
  url: urlSchema.describe(
    'URL that receives the events. Must be a public `https` URL on port 443. If the service listens on loopback only, sandbox endpoints can also use `http` or `https` on `localhost`, with any port.',
  ),
  description: descriptionSchema.default('').describe('Your description of the endpoint.'),
  events: eventsSchema.default([]).describe('Types of events to send. An empty list means all types.'),
  sandbox: z
    .boolean()
    .default(false)
    .describe(
      'Whether to receive sandbox events. Requests with an API key always use the mode of the key; `true` with a live key is rejected.',
    ),
});
export const webhookChangeSchema = z.strictObject({
  url: urlSchema.optional().describe('URL that receives the events.'),
  description: descriptionSchema.optional().describe('Your description of the endpoint.'),
  events: eventsSchema.optional().describe('Types of events to send. An empty list means all types.'),
  isActive: z.boolean().optional().describe('`false` disables the endpoint, `true` enables it.'),
});
export const webhookRotationSchema = z
  .strictObject({
    overlapHours: z
      .number()
      .min(0)
      .max(limits.webhookMaxOverlapHours)
      .optional()
      .describe(
        `Hours until the previous secret expires (default ${limits.webhookOverlapHours}). With 0, it expires immediately.`,
      ),
  })
  .nullish();
export const webhookResendSchema = z.strictObject({
  since: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .describe('Resend only events created at this time or later.'),
});

export const webhookSchema = z.object({
  id: z.uuid().describe('ID of the endpoint.'),
  kind: z
    .enum(['endpoint', jobsEndpoint])
    .describe(
      '`endpoint`, or `jobs` for the `webhook_url` of individual jobs. `jobs` has no URL, events, or status of its own.',
    ),
  url: z.string().nullable().describe('URL that receives the events.'),
  description: z.string().describe('Your description of the endpoint.'),
  events: z.array(z.enum(eventTypeNames)).describe('Types of events to send. An empty list means all types.'),
  sandbox: z.boolean().describe('Whether the endpoint receives sandbox events.'),
  isActive: z.boolean().describe('Whether the endpoint is enabled.'),
  disabledReason: z
    .enum(disabledReasons)
    .nullable()
    .describe(
      '`owner`: disabled by you. `gone`: it responded with 410. `failing`: all attempts to deliver an event failed.',
    ),
  disabledAt: time.nullable().describe('Time at which the endpoint was disabled.'),
  failingSince: time
    .nullable()
    .describe('Time at which deliveries started to fail. `null` if the last one succeeded, or there was none.'),
  lastDeliveredAt: time.nullable().describe('Time of the last successful delivery.'),
  formerSecretUntil: time.nullable().describe('Time until which deliveries are also signed with the previous secret.'),
  createdAt: time.describe('Time at which the endpoint was created.'),
});
export const webhookListSchema = z.array(webhookSchema).describe('Webhook endpoints.');
export type WebhookView = z.infer<typeof webhookSchema>;
export const createdWebhookSchema = webhookSchema.extend({
  secret: z.string().describe('Secret that verifies deliveries. Not shown again.'),
});

const attemptErrorSchema = z.object({
  code: z.enum(deliveryErrorNames).describe('Error code.'),
  message: z.string().describe('Explanation of the error.'),
});
export const webhookDeliverySchema = z.object({
  id: z.uuid().describe('ID of the delivery.'),
  eventId: z.uuid().describe('ID of the event.'),
  eventType: z.enum(eventTypeNames).describe('Type of the event.'),
  subject: z.string().describe('Subject of the event: a file name, the ID of a batch, or a quota.'),
  url: z.string().describe('URL that receives the delivery.'),
  status: z.enum(deliveryStatuses).describe('Status of the delivery.'),
  attempts: z.int().describe('Number of attempts, including those before the delivery was resent.'),
  responseStatus: z.int().nullable().describe('Status code of the last response.'),
  error: attemptErrorSchema.nullable().describe('Error of the last attempt.'),
  createdAt: time.describe('Time at which the delivery was created.'),
  lastAttemptAt: time.nullable().describe('Time of the last attempt.'),
  nextAttemptAt: time.nullable().describe('Time of the next attempt.'),
});
export type WebhookDeliveryView = z.infer<typeof webhookDeliverySchema>;
export const webhookAttemptSchema = z.object({
  number: z.int().describe('Number of the attempt, starting with 1.'),
  at: time.describe('Time of the attempt.'),
  durationMs: z.int().describe('Duration in milliseconds.'),
  responseStatus: z.int().nullable().describe('Status code of the response.'),
  responseBody: z
    .string()
    .nullable()
    .describe(
      `Start of the response body, as text. Kept only for the last ${limits.loggedAnswers} attempts, otherwise null.`,
    ),
  error: attemptErrorSchema.nullable().describe('Error of the attempt.'),
});
export const webhookDeliveryDetailSchema = webhookDeliverySchema.extend({
  body: z.string().describe('Request body of the delivery.'),
  attemptLog: z.array(webhookAttemptSchema).describe(`The last ${limits.loggedAttempts} attempts, oldest first.`),
});
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetailSchema>;
export const webhookDeliveryListSchema = z.object({
  data: z.array(webhookDeliverySchema).describe('Deliveries, newest first.'),
  nextCursor: nextCursorSchema,
});
export const webhookDeliveryQuerySchema = z.strictObject({
  status: z.enum(deliveryStatuses).optional().describe('Return only deliveries with this status.'),
  limit: pageLimitSchema.describe('Maximum number of deliveries to return.'),
  cursor: z.guid().optional().describe('`next_cursor` of the previous page.'),
});
export const webhookResentSchema = z.object({ events: z.int().describe('Number of events to resend.') });
