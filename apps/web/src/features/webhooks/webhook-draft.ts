import { type EventType, subscribable } from '@uprez/contracts/schemas/webhook-events';
import { newWebhookSchema, type WebhookView } from '@uprez/contracts/schemas/webhooks';
import * as z from 'zod';
import type { useApiForm } from '../../lib/forms/use-api-form.ts';

export type WebhookDraft = {
  url: string;
  description: string;
  /** All events, including future types. */
  every: boolean;
  events: readonly EventType[];
  sandbox: boolean;
};
export type WebhookForm = ReturnType<typeof useApiForm<WebhookDraft>>;
export type WebhookBody = { url: string; description: string; events: EventType[]; sandbox: boolean };

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

/** The request body of a draft. An empty list of events subscribes to all. */
export const webhookBody = ({ url, description, every, events, sandbox }: WebhookDraft): WebhookBody => ({
  url: url.trim(),
  description: description.trim(),
  events: every ? [] : [...events],
  sandbox,
});

export const webhookSchema = z
  .custom<WebhookDraft>()
  .transform((draft): z.input<typeof newWebhookSchema> => webhookBody(draft))
  .pipe(newWebhookSchema);

export const isComplete = ({ url, every, events }: WebhookDraft): boolean =>
  url.trim() !== '' && (every || events.length > 0);
