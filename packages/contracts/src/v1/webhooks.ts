import * as z from 'zod';
import {
  createdWebhookSchema,
  newWebhookSchema,
  webhookAttemptSchema,
  webhookChangeSchema,
  webhookDeliveryDetailSchema,
  webhookDeliverySchema,
  webhookRotationSchema,
  webhookSchema,
} from '../schemas/webhooks.ts';
import { camelKeys } from './camel-keys.ts';
import { snakeObject } from './snake-object.ts';

/** The bodies of the web app, with keys in any spelling. */
export const v1NewWebhookSchema = z.preprocess(camelKeys, newWebhookSchema);
export const v1WebhookChangeSchema = z.preprocess(camelKeys, webhookChangeSchema);
export const v1WebhookRotationSchema = z.preprocess(camelKeys, webhookRotationSchema);

export const v1WebhookSchema = snakeObject(webhookSchema);
export type V1Webhook = z.infer<typeof v1WebhookSchema>;
export const v1CreatedWebhookSchema = snakeObject(createdWebhookSchema);
export const v1WebhookListSchema = z.object({
  data: z.array(v1WebhookSchema).describe('Webhook endpoints.'),
  next_cursor: z.null().describe('Always `null`.'),
});

export const v1WebhookDeliverySchema = snakeObject(webhookDeliverySchema);
export type V1WebhookDelivery = z.infer<typeof v1WebhookDeliverySchema>;
export const v1WebhookDeliveryListSchema = z.object({
  data: z.array(v1WebhookDeliverySchema).describe('Deliveries, newest first.'),
  next_cursor: z.string().nullable().describe('`cursor` of the next page. `null` on the last page.'),
});
export const v1WebhookDeliveryDetailSchema = snakeObject(webhookDeliveryDetailSchema).extend({
  attempt_log: z.array(snakeObject(webhookAttemptSchema)).describe('Attempts, oldest first.'),
});
export type V1WebhookDeliveryDetail = z.infer<typeof v1WebhookDeliveryDetailSchema>;
