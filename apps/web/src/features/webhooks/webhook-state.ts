import type { WebhookView } from '@uprez/contracts/schemas/webhooks';

export type WebhookState = 'active' | 'failing' | 'off';

/** The state of an endpoint. Off takes precedence over failing. */
export function webhookState({ isActive, failingSince }: Pick<WebhookView, 'isActive' | 'failingSince'>): WebhookState {
  if (!isActive) return 'off';
  return failingSince === null ? 'active' : 'failing';
}
