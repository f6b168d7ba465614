import { type EventType, subscribable } from '@uprez/contracts/schemas/webhook-events';
import type { WebhookView } from '@uprez/contracts/schemas/webhooks';

/** A form about an endpoint. */
export type WebhookDraft = {
  url: string;
  description: string;
  /** All events, and those that there will be. */
  every: boolean;
  events: readonly EventType[];
  sandbox: boolean;
};
export type WebhookBody = { url: string; description: string; events: EventType[]; sandbox: boolean };

/** The form for a new endpoint, or about one that there is. */
export function draftOf(webhook?: WebhookView): WebhookDraft {
  const events = webhook?.events ?? [];
  return {
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    every: events.length === 0,
    events: events.length === 0 ? subscribable : events,
    sandbox: webhook?.sandbox ?? false,
  };
}

/** The same as the API takes it: no event named means all. */
export const webhookBody = ({ url, description, every, events, sandbox }: WebhookDraft): WebhookBody => ({
  url: url.trim(),
  description: description.trim(),
  events: every ? [] : [...events],
  sandbox,
});

/** Whether it can be sent: an address, and something to send there. */
export const isComplete = ({ url, every, events }: WebhookDraft): boolean =>
  url.trim() !== '' && (every || events.length > 0);
