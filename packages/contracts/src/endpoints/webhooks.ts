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
import { defineShared, emptySchema } from './endpoint.ts';

const deliveryParams = z.object({
  id: z.string().describe('ID of the webhook endpoint.'),
  deliveryId: z.string().describe('ID of the delivery.'),
});
const addressErrors = ['url_not_allowed', 'url_unreachable'] as const;
const changeErrors = ['invalid_parameter', 'plan_feature', 'webhook_not_found'] as const;

const readEndpoint = {
  scope: 'webhooks',
  errors: ['invalid_parameter', 'webhook_not_found'],
} as const;
/** Changes require a plan with webhooks. */
const changeEndpoint = { ...readEndpoint, errors: changeErrors, v1: ['malformed_body'] } as const;

export const webhookEndpoints = defineShared({
  listWebhooks: {
    route: 'GET /api/webhooks',
    scope: 'webhooks',
    answers: { 200: webhookListSchema },
    errors: ['invalid_parameter'],
  },
  createWebhook: {
    route: 'POST /api/webhooks',
    scope: 'webhooks',
    body: newWebhookSchema,
    answers: { 201: createdWebhookSchema },
    errors: [...changeErrors, 'email_unverified', 'webhook_limit', ...addressErrors],
    v1: ['malformed_body'],
  },
  getWebhook: { route: 'GET /api/webhooks/:id', ...readEndpoint, answers: { 200: webhookSchema } },
  updateWebhook: {
    route: 'PATCH /api/webhooks/:id',
    ...changeEndpoint,
    body: webhookChangeSchema,
    answers: { 200: webhookSchema },
    errors: [...changeErrors, ...addressErrors],
  },
  deleteWebhook: { route: 'DELETE /api/webhooks/:id', ...readEndpoint, answers: { 204: emptySchema } },
  rotateWebhookSecret: {
    route: 'POST /api/webhooks/:id/rotate',
    ...changeEndpoint,
    body: webhookRotationSchema,
    answers: { 200: createdWebhookSchema },
  },
  testWebhook: {
    route: 'POST /api/webhooks/:id/test',
    ...changeEndpoint,
    answers: { 202: webhookDeliverySchema },
    errors: [...changeErrors, 'webhook_disabled'],
  },
  resendWebhook: {
    route: 'POST /api/webhooks/:id/resend',
    ...changeEndpoint,
    body: webhookResendSchema,
    answers: { 202: webhookResentSchema },
    errors: [...changeErrors, 'webhook_disabled'],
  },
  listWebhookDeliveries: {
    route: 'GET /api/webhooks/:id/deliveries',
    ...readEndpoint,
    query: webhookDeliveryQuerySchema,
    answers: { 200: webhookDeliveryListSchema },
  },
  getWebhookDelivery: {
    route: 'GET /api/webhooks/:id/deliveries/:deliveryId',
    ...readEndpoint,
    params: deliveryParams,
    answers: { 200: webhookDeliveryDetailSchema },
    errors: [...readEndpoint.errors, 'delivery_not_found'],
  },
  resendWebhookDelivery: {
    route: 'POST /api/webhooks/:id/deliveries/:deliveryId/resend',
    ...changeEndpoint,
    params: deliveryParams,
    answers: { 202: webhookDeliverySchema },
    errors: [...changeErrors, 'delivery_not_found', 'webhook_disabled'],
  },
  listEvents: {
    route: 'GET /api/event-feed',
    v1Path: '/v1/events',
    scope: 'read',
    query: v1EventListQuerySchema,
    answers: { 200: v1EventListSchema },
    errors: ['plan_feature'],
  },
});
