import type { V1Webhook, V1WebhookDelivery, V1WebhookDeliveryDetail } from '@uprez/contracts/v1/webhooks';
import type { LoggedDelivery } from '@uprez/db/queries/webhooks/webhook-deliveries';
import type { EndpointRow } from '@uprez/db/queries/webhooks/webhook-endpoints';
import type { DeliveryWithLog } from '@uprez/domain/webhooks/get-delivery';
import { snakeCase } from '../../http/snake-case.ts';
import { presentDelivery, presentDeliveryDetail, presentWebhook } from './present-webhook.ts';

/** An endpoint as the public API answers it. */
export const presentV1Webhook = (endpoint: EndpointRow) => snakeCase(presentWebhook(endpoint)) as V1Webhook;

/** A delivery as the public API answers it. */
export const presentV1Delivery = (delivery: LoggedDelivery) =>
  snakeCase(presentDelivery(delivery)) as V1WebhookDelivery;

/** The same with what is sent, and what was answered to each attempt. */
export const presentV1DeliveryDetail = (found: DeliveryWithLog, publicUrl: string) =>
  snakeCase(presentDeliveryDetail(found, publicUrl)) as V1WebhookDeliveryDetail;
