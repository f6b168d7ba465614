import * as z from 'zod';
import {
  createdWebhookSchema,
  newWebhookSchema,
  webhookChangeSchema,
  webhookDeliveryDetailSchema,
  webhookDeliveryListSchema,
  webhookDeliveryQuerySchema,
  webhookDeliverySchema,
  webhookListSchema,
  webhookResendSchema,
  webhookResentSchema,
  webhookRotationSchema,
  webhookSchema,
} from '../schemas/webhooks.ts';
import { v1EventListQuerySchema, v1EventListSchema } from '../v1/events.ts';
import { forKeys, forSession, reading, type SharedEndpoint, writing } from './both.ts';
import { idParams, nothing } from './endpoint.ts';

const deliveryParams = z.object({
  id: z.string().describe('ID of the webhook endpoint.'),
  deliveryId: z.string().describe('ID of the delivery.'),
});
const addressErrors = ['url_not_allowed', 'url_unreachable'] as const;
const missing = 'webhook_not_found';
const delivery = [missing, 'delivery_not_found'] as const;

const scope = 'webhooks';
const invalid = 'invalid_parameter';
/** Reading, deleting, and changing an endpoint; a change requires a plan with webhooks. */
const reads = { ...reading, scope } as const;
const deletes = { ...writing, scope } as const;
const changes = { ...deletes, v1: [...deletes.v1, 'malformed_body'], params: idParams } as const;
const changeErrors = [invalid, 'plan_feature', missing] as const;

const shared = {
  listWebhooks: { ...reads, answers: { 200: webhookListSchema }, errors: [invalid] },
  createWebhook: {
    ...deletes,
    v1: changes.v1,
    body: newWebhookSchema,
    answers: { 201: createdWebhookSchema },
    errors: [...changeErrors, 'email_unverified', 'webhook_limit', ...addressErrors],
  },
  getWebhook: { ...reads, params: idParams, answers: { 200: webhookSchema }, errors: [invalid, missing] },
  updateWebhook: {
    ...changes,
    body: webhookChangeSchema,
    answers: { 200: webhookSchema },
    errors: [...changeErrors, ...addressErrors],
  },
  deleteWebhook: { ...deletes, params: idParams, answers: { 204: nothing }, errors: [invalid, missing] },
  rotateWebhookSecret: {
    ...changes,
    body: webhookRotationSchema,
    answers: { 200: createdWebhookSchema },
    errors: changeErrors,
  },
  testWebhook: { ...changes, answers: { 202: webhookDeliverySchema }, errors: [...changeErrors, 'webhook_disabled'] },
  resendWebhook: {
    ...changes,
    body: webhookResendSchema,
    answers: { 202: webhookResentSchema },
    errors: [...changeErrors, 'webhook_disabled'],
  },
  listWebhookDeliveries: {
    ...reads,
    params: idParams,
    query: webhookDeliveryQuerySchema,
    answers: { 200: webhookDeliveryListSchema },
    errors: [invalid, missing],
  },
  getWebhookDelivery: {
    ...reads,
    params: deliveryParams,
    answers: { 200: webhookDeliveryDetailSchema },
    errors: [invalid, ...delivery],
  },
  resendWebhookDelivery: {
    ...changes,
    params: deliveryParams,
    answers: { 202: webhookDeliverySchema },
    errors: [...changeErrors, 'delivery_not_found', 'webhook_disabled'],
  },
  listEvents: {
    ...reading,
    scope: 'read',
    query: v1EventListQuerySchema,
    answers: { 200: v1EventListSchema },
    errors: [invalid, 'plan_feature'],
  },
} as const satisfies Record<string, SharedEndpoint>;

/** Webhook endpoints, their deliveries, and the event feed, of `/api` and of `/v1`. */
export const webhookEndpoints = forSession(shared);
export const v1WebhookEndpoints = forKeys(shared);
