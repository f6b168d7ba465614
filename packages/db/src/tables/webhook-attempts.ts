import type { DeliveryError } from '@uprez/contracts/schemas/webhook-events';
import type { Generated } from 'kysely';

/** What came of one attempt. `answered`: the status; `answer`: the beginning of the body. */
export type WebhookAttemptsTable = {
  deliveryId: string;
  number: number;
  at: Generated<Date>;
  durationMs: number;
  answered: number | null;
  answer: string | null;
  error: DeliveryError | null;
};
