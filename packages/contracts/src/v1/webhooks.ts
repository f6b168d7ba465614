import * as z from 'zod';
import { nextCursorSchema, noCursorSchema } from '../schemas/page.ts';
import {
  createdWebhookSchema,
  webhookAttemptSchema,
  webhookDeliveryDetailSchema,
  webhookDeliverySchema,
  webhookSchema,
} from '../schemas/webhooks.ts';
import { snakeObject } from './snake-object.ts';

export const v1WebhookSchema = snakeObject(webhookSchema);
export type V1Webhook = z.infer<typeof v1WebhookSchema>;
export const v1CreatedWebhookSchema = snakeObject(createdWebhookSchema);
export const v1WebhookListSchema = z.object({
  data: z.array(v1WebhookSchema).describe('Webhook endpoints.'),
  next_cursor: noCursorSchema,
});

export const v1WebhookDeliverySchema = snakeObject(webhookDeliverySchema);
export type V1WebhookDelivery = z.infer<typeof v1WebhookDeliverySchema>;
export const v1WebhookDeliveryListSchema = z.object({
  data: z.array(v1WebhookDeliverySchema).describe('Deliveries, newest first.'),
  next_cursor: nextCursorSchema,
});
export const v1WebhookDeliveryDetailSchema = snakeObject(webhookDeliveryDetailSchema).extend({
  attempt_log: z.array(snakeObject(webhookAttemptSchema)).describe('Attempts, oldest first.'),
});
export type V1WebhookDeliveryDetail = z.infer<typeof v1WebhookDeliveryDetailSchema>;
