import type { DeliveryError } from '@uprez/contracts/schemas/webhook-events';
import type { Generated } from 'kysely';

/** What came of one attempt. `answered`: the status; `answer`: the beginning of the body. */
export type WebhookAttemptsTable = {
  delivery_id: string;
  number: number;
  at: Generated<Date>;
  duration_ms: number;
  answered: number | null;
  answer: string | null;
  error: DeliveryError | null;
};
