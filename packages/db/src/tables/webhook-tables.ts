import type { DeliveryError, DeliveryStatus, DisabledReason, EventType } from '@uprez/contracts/schemas/webhook-events';
import type { ColumnType, Generated } from 'kysely';

/** Something that happened to an account. Deleted after a retention period. */
export type EventsTable = {
  id: string;
  accountId: string;
  /** Position among the events of its account; null until assigned (docs/adr/0013). */
  position: number | null;
  type: EventType;
  isSandbox: boolean;
  jobId: string | null;
  batchId: string | null;
  /** The webhook URL of the job, notified in addition to the endpoints. */
  webhookUrl: string | null;
  /** The payload, without what is added when it is sent. Keeps the order of its fields. */
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
  /** Also signs until then. */
  formerSecret: string | null;
  formerUntil: Date | null;
  isActive: Generated<boolean>;
  disabledReason: DisabledReason | null;
  disabledAt: Date | null;
  /** When attempts began to fail; null: the last one succeeded. */
  failingSince: Date | null;
  /** When its owner was last notified of failures. */
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
  /** The destination. Versions that run during an upgrade need the former name. */
  lane: string;
  status: Generated<DeliveryStatus>;
  /** Number of attempts since it was last sent or resent. */
  step: Generated<number>;
  /** Total number of attempts. Identifies an attempt. */
  attempts: Generated<number>;
  /** When it is due. During an attempt, when its lease ends. */
  nextAt: Generated<Date>;
  lastAttemptAt: Date | null;
  answered: number | null;
  error: DeliveryError | null;
  createdAt: Generated<Date>;
};

/** The outcome of an attempt. `answered`: the status; `answer`: the start of the body. */
export type WebhookAttemptsTable = {
  deliveryId: string;
  number: number;
  at: Generated<Date>;
  durationMs: number;
  answered: number | null;
  answer: string | null;
  error: DeliveryError | null;
};

export type WebhookTables = {
  events: EventsTable;
  webhookEndpoints: WebhookEndpointsTable;
  webhookDeliveries: WebhookDeliveriesTable;
  webhookAttempts: WebhookAttemptsTable;
};
