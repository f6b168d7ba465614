import type { Abortable, Settings } from '../config.ts';
import type {
  CreatedWebhook,
  EventList,
  EventQuery,
  NewWebhook,
  UprezEvent,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryList,
  WebhookDeliveryQuery,
  WebhookRotation,
} from '../generated/types.ts';
import { jsonBody } from '../http/build-url.ts';
import { requestJson } from '../http/send.ts';
import { listPages } from './jobs.ts';

type DeliveryIds = { id: string; deliveryId: string };

/** Webhook endpoints. The API key needs the scope `webhooks`. */
export class Webhooks {
  readonly #settings: Settings;
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  list({ signal }: Abortable = {}): Promise<{ data: Webhook[]; next_cursor: null }> {
    return requestJson(this.#settings, 'v1ListWebhooks', { signal });
  }

  /** Creates an endpoint. The response contains its secret, which is not shown again. */
  create(webhook: NewWebhook, { signal }: Abortable = {}): Promise<CreatedWebhook> {
    return requestJson(this.#settings, 'v1CreateWebhook', { body: jsonBody(webhook), signal });
  }

  get(id: string, { signal }: Abortable = {}): Promise<Webhook> {
    return requestJson(this.#settings, 'v1GetWebhook', { params: { id }, signal });
  }

  update(id: string, change: WebhookChange, { signal }: Abortable = {}): Promise<Webhook> {
    return requestJson(this.#settings, 'v1UpdateWebhook', { params: { id }, body: jsonBody(change), signal });
  }

  delete(id: string, { signal }: Abortable = {}): Promise<void> {
    return requestJson(this.#settings, 'v1DeleteWebhook', { params: { id }, signal });
  }

  /** Rotates the secret. Deliveries are signed with both secrets until the previous one expires. */
  rotate(id: string, rotation: WebhookRotation = {}, { signal }: Abortable = {}): Promise<CreatedWebhook> {
    return requestJson(this.#settings, 'v1RotateWebhookSecret', {
      params: { id },
      body: jsonBody(rotation ?? {}),
      signal,
    });
  }

  /** Sends a test event. */
  test(id: string, { signal }: Abortable = {}): Promise<WebhookDelivery> {
    return requestJson(this.#settings, 'v1TestWebhook', { params: { id }, signal });
  }

  /** Resends all events since the given time. */
  resend(id: string, since: Date | string, { signal }: Abortable = {}): Promise<{ events: number }> {
    return requestJson(this.#settings, 'v1ResendWebhook', { params: { id }, body: jsonBody({ since }), signal });
  }

  deliveries(id: string, query: WebhookDeliveryQuery = {}, { signal }: Abortable = {}): Promise<WebhookDeliveryList> {
    return requestJson(this.#settings, 'v1ListWebhookDeliveries', { params: { id }, query, signal });
  }

  delivery(ids: DeliveryIds, { signal }: Abortable = {}): Promise<WebhookDeliveryDetail> {
    return requestJson(this.#settings, 'v1GetWebhookDelivery', { params: ids, signal });
  }

  resendDelivery(ids: DeliveryIds, { signal }: Abortable = {}): Promise<WebhookDelivery> {
    return requestJson(this.#settings, 'v1ResendWebhookDelivery', { params: ids, signal });
  }
}

/** The event feed of the last 30 days. Use it to catch up on missed webhooks. */
export class Events {
  readonly #settings: Settings;
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Returns a page of events, oldest first. */
  list(query: EventQuery = {}, { signal }: Abortable = {}): Promise<EventList> {
    return requestJson(this.#settings, 'v1ListEvents', { query, signal });
  }

  /** Iterates over all events. To continue later, pass the ID of the last event as `after`. */
  all(query: EventQuery = {}, options: Abortable = {}): AsyncGenerator<UprezEvent> {
    return listPages((after) => this.list({ ...query, ...(after && { after }) }, options));
  }
}
