import type { Settings } from '../config.ts';
import type {
  CreatedWebhook,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryList,
  WebhookDeliveryQuery,
  WebhookRotation,
} from '../generated/types.ts';
import { jsonBody } from '../http/body.ts';
import { ask } from '../http/send.ts';

type Abortable = { signal?: AbortSignal };
type DeliveryIds = { id: string; deliveryId: string };

/** Addresses that events are delivered to. The key needs the scope `webhooks`. */
export class Webhooks {
  readonly #settings: Settings;
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  list({ signal }: Abortable = {}): Promise<{ data: Webhook[]; next_cursor: null }> {
    return ask(this.#settings, 'v1ListWebhooks', { signal });
  }

  /** The one answer that tells the secret, besides that of `rotate`. */
  create(webhook: NewWebhook, { signal }: Abortable = {}): Promise<CreatedWebhook> {
    return ask(this.#settings, 'v1CreateWebhook', { body: jsonBody(webhook), signal });
  }

  get(id: string, { signal }: Abortable = {}): Promise<Webhook> {
    return ask(this.#settings, 'v1GetWebhook', { params: { id }, signal });
  }

  update(id: string, change: WebhookChange, { signal }: Abortable = {}): Promise<Webhook> {
    return ask(this.#settings, 'v1UpdateWebhook', { params: { id }, body: jsonBody(change), signal });
  }

  delete(id: string, { signal }: Abortable = {}): Promise<void> {
    return ask(this.#settings, 'v1DeleteWebhook', { params: { id }, signal });
  }

  /** A new secret; the former one goes on signing beside it for a while. */
  rotate(id: string, rotation: WebhookRotation = {}, { signal }: Abortable = {}): Promise<CreatedWebhook> {
    return ask(this.#settings, 'v1RotateWebhookSecret', { params: { id }, body: jsonBody(rotation ?? {}), signal });
  }

  /** Send an event that only tries the address. */
  test(id: string, { signal }: Abortable = {}): Promise<WebhookDelivery> {
    return ask(this.#settings, 'v1TestWebhook', { params: { id }, signal });
  }

  /** Send all events of this time and later once more. */
  resend(id: string, since: Date | string, { signal }: Abortable = {}): Promise<{ events: number }> {
    return ask(this.#settings, 'v1ResendWebhook', { params: { id }, body: jsonBody({ since }), signal });
  }

  deliveries(id: string, query: WebhookDeliveryQuery = {}, { signal }: Abortable = {}): Promise<WebhookDeliveryList> {
    return ask(this.#settings, 'v1ListWebhookDeliveries', { params: { id }, query, signal });
  }

  delivery(ids: DeliveryIds, { signal }: Abortable = {}): Promise<WebhookDeliveryDetail> {
    return ask(this.#settings, 'v1GetWebhookDelivery', { params: ids, signal });
  }

  resendDelivery(ids: DeliveryIds, { signal }: Abortable = {}): Promise<WebhookDelivery> {
    return ask(this.#settings, 'v1ResendWebhookDelivery', { params: ids, signal });
  }
}
