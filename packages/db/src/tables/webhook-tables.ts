import type { DeliveryError, DeliveryStatus, DisabledReason, EventType } from '@uprez/contracts/schemas/webhook-events';
import type { ColumnType, Generated } from 'kysely';

/** What happened to an account, kept for a while. */
export type EventsTable = {
  id: string;
  accountId: string;
  /** Position among the events of its account; null until assigned (docs/adr/0013). */
  position: number | null;
  type: EventType;
  isSandbox: boolean;
  jobId: string | null;
  batchId: string | null;
  /** Of the one job: who is told beside the endpoints of the account. */
  webhookUrl: string | null;
  /** What is told, but for what is made when it is told. Keeps the order of its fields. */
  data: ColumnType<Record<string, unknown>, string, never>;
  createdAt: Generated<Date>;
};

/** Where events are delivered. `jobs`: stands for the addresses that single jobs came with. Secrets are sealed. */
export type WebhookEndpointsTable = {
  id: string;
  accountId: string;
  kind: 'endpoint' | 'jobs';
  url: string | null;
  description: Generated<string>;
  /** Empty: all. */
  events: Generated<EventType[]>;
  isSandbox: boolean;
  secret: string;
  /** Signs beside the present one until then. */
  formerSecret: string | null;
  formerUntil: Date | null;
  isActive: Generated<boolean>;
  disabledReason: DisabledReason | null;
  disabledAt: Date | null;
  /** When attempts began to fail; null: the last one succeeded. */
  failingSince: Date | null;
  /** When its owner was last told of it. */
  toldAt: Date | null;
  lastDeliveredAt: Date | null;
  createdAt: Generated<Date>;
};

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
