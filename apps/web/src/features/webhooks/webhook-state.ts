import type { WebhookView } from '@uprez/contracts/schemas/webhooks';

export type WebhookState = 'active' | 'failing' | 'off';

/** What an endpoint is, in one word: what is off comes before what fails. */
export function webhookState({ isActive, failingSince }: Pick<WebhookView, 'isActive' | 'failingSince'>): WebhookState {
  if (!isActive) return 'off';
  return failingSince === null ? 'active' : 'failing';
}
