import type { DeliveryError, DeliveryStatus } from '@uprez/contracts/schemas/webhook-events';
import type { Generated } from 'kysely';

/** One event on its way to one endpoint. */
export type WebhookDeliveriesTable = {
  id: string;
  eventId: string;
  endpointId: string;
  /** Instead of the endpoint's. */
  url: string | null;
  /** Deliveries of one lane wait for each other, those of different ones never. */
  lane: string;
  status: Generated<DeliveryStatus>;
  /** How many attempts of the ladder were begun; sent again, it begins anew. */
  step: Generated<number>;
  /** All that were begun; tells an attempt from a later one. */
  attempts: Generated<number>;
  /** When it is due; while somebody is at it, when it would be due again if that somebody died. */
  nextAt: Generated<Date>;
  lastAttemptAt: Date | null;
  answered: number | null;
  error: DeliveryError | null;
  createdAt: Generated<Date>;
};
