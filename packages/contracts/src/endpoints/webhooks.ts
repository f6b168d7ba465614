import * as z from 'zod';
import {
  createdWebhookSchema,
  newWebhookSchema,
  webhookChangeSchema,
  webhookDeliveryDetailSchema,
  webhookDeliveryListSchema,
  webhookDeliveryQuerySchema,
  webhookDeliverySchema,
  webhookResendSchema,
  webhookResentSchema,
  webhookRotationSchema,
  webhookSchema,
} from '../schemas/webhooks.ts';
import { v1EventListQuerySchema, v1EventListSchema } from '../v1/events.ts';
import {
  v1CreatedWebhookSchema,
  v1NewWebhookSchema,
  v1WebhookChangeSchema,
  v1WebhookDeliveryDetailSchema,
  v1WebhookDeliveryListSchema,
  v1WebhookDeliverySchema,
  v1WebhookListSchema,
  v1WebhookRotationSchema,
  v1WebhookSchema,
} from '../v1/webhooks.ts';
import { type Endpoint, idParams, nothing, signedIn, withKey, write } from './endpoint.ts';

const deliveryParams = z.object({
  id: z.string().describe('ID of the webhook endpoint.'),
  deliveryId: z.string().describe('ID of the delivery.'),
});
const addressErrors = ['url_not_allowed', 'url_unreachable'] as const;
const missing = 'webhook_not_found';
const delivery = [missing, 'delivery_not_found'] as const;

const onWeb = [...signedIn, 'invalid_parameter'] as const;
const writes = [...onWeb, ...write] as const;
/** Errors of endpoints that require a plan with webhooks. */
const needsPlan = [...writes, 'plan_feature', missing] as const;

/** Webhook endpoints of the web app. */
export const webhookEndpoints = {
  listWebhooks: { answers: { 200: z.array(webhookSchema) }, errors: signedIn, auth: 'session' },
  createWebhook: {
    body: newWebhookSchema,
    answers: { 201: createdWebhookSchema },
    errors: [...writes, 'plan_feature', 'email_unverified', 'webhook_limit', ...addressErrors],
    auth: 'session',
  },
  getWebhook: { params: idParams, answers: { 200: webhookSchema }, errors: [...onWeb, missing], auth: 'session' },
  updateWebhook: {
    params: idParams,
    body: webhookChangeSchema,
    answers: { 200: webhookSchema },
    errors: [...needsPlan, ...addressErrors],
    auth: 'session',
  },
  deleteWebhook: { params: idParams, answers: { 204: nothing }, errors: [...writes, missing], auth: 'session' },
  rotateWebhookSecret: {
    params: idParams,
    body: webhookRotationSchema,
    answers: { 200: createdWebhookSchema },
    errors: needsPlan,
    auth: 'session',
  },
  testWebhook: {
    params: idParams,
    answers: { 202: webhookDeliverySchema },
    errors: [...needsPlan, 'webhook_disabled'],
    auth: 'session',
  },
  resendWebhook: {
    params: idParams,
    body: webhookResendSchema,
    answers: { 202: webhookResentSchema },
    errors: [...needsPlan, 'webhook_disabled'],
    auth: 'session',
  },
  listWebhookDeliveries: {
    params: idParams,
    query: webhookDeliveryQuerySchema,
    answers: { 200: webhookDeliveryListSchema },
    errors: [...onWeb, missing],
    auth: 'session',
  },
  getWebhookDelivery: {
    params: deliveryParams,
    answers: { 200: webhookDeliveryDetailSchema },
    errors: [...onWeb, ...delivery],
    auth: 'session',
  },
  resendWebhookDelivery: {
    params: deliveryParams,
    answers: { 202: webhookDeliverySchema },
    errors: [...needsPlan, 'delivery_not_found', 'webhook_disabled'],
    auth: 'session',
  },
  listEvents: {
    query: v1EventListQuerySchema,
    answers: { 200: v1EventListSchema },
    errors: [...onWeb, 'plan_feature'],
    auth: 'session',
  },
} as const satisfies Record<string, Endpoint>;

const reads = [...withKey, 'unsupported_encoding', 'invalid_parameter'] as const;
const changes = [...reads, 'unsupported_media_type', 'malformed_body', missing] as const;
const webhooks = { auth: 'key', scope: 'webhooks' } as const;

/** Webhook endpoints of the public API. */
export const v1WebhookEndpoints = {
  v1ListWebhooks: { answers: { 200: v1WebhookListSchema }, errors: reads, ...webhooks },
  v1CreateWebhook: {
    body: v1NewWebhookSchema,
    answers: { 201: v1CreatedWebhookSchema },
    errors: [...changes, 'email_unverified', 'webhook_limit', ...addressErrors],
    ...webhooks,
  },
  v1GetWebhook: { params: idParams, answers: { 200: v1WebhookSchema }, errors: [...reads, missing], ...webhooks },
  v1UpdateWebhook: {
    params: idParams,
    body: v1WebhookChangeSchema,
    answers: { 200: v1WebhookSchema },
    errors: [...changes, ...addressErrors],
    ...webhooks,
  },
  v1DeleteWebhook: {
    params: idParams,
    answers: { 204: nothing },
    errors: [...reads, 'unsupported_media_type', missing],
    ...webhooks,
  },
  v1RotateWebhookSecret: {
    params: idParams,
    body: v1WebhookRotationSchema,
    answers: { 200: v1CreatedWebhookSchema },
    errors: changes,
    ...webhooks,
  },
  v1TestWebhook: {
    params: idParams,
    answers: { 202: v1WebhookDeliverySchema },
    errors: [...changes, 'webhook_disabled'],
    ...webhooks,
  },
  v1ResendWebhook: {
    params: idParams,
    body: webhookResendSchema,
    answers: { 202: webhookResentSchema },
    errors: [...changes, 'webhook_disabled'],
    ...webhooks,
  },
  v1ListWebhookDeliveries: {
    params: idParams,
    query: webhookDeliveryQuerySchema,
    answers: { 200: v1WebhookDeliveryListSchema },
    errors: [...reads, missing],
    ...webhooks,
  },
  v1GetWebhookDelivery: {
    params: deliveryParams,
    answers: { 200: v1WebhookDeliveryDetailSchema },
    errors: [...reads, ...delivery],
    ...webhooks,
  },
  v1ResendWebhookDelivery: {
    params: deliveryParams,
    answers: { 202: v1WebhookDeliverySchema },
    errors: [...changes, 'delivery_not_found', 'webhook_disabled'],
    ...webhooks,
  },
  v1ListEvents: {
    query: v1EventListQuerySchema,
    answers: { 200: v1EventListSchema },
    errors: reads,
    auth: 'key',
    scope: 'read',
  },
} as const satisfies Record<string, Endpoint>;
