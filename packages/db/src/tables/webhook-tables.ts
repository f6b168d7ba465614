import type { DeliveryError, DeliveryStatus, DisabledReason, EventType } from '@uprez/contracts/schemas/webhook-events';
import type { ColumnType, Generated } from 'kysely';

/** An event about an account. Deleted after a retention period. */
export type EventsTable = {
  id: string;
  accountId: string;
  /** Position in the account's feed. Null until assigned (docs/adr/0013). */
  position: number | null;
  type: EventType;
  isSandbox: boolean;
  jobId: string | null;
  batchId: string | null;
  /** The webhook URL of the job, notified in addition to the endpoints. */
  webhookUrl: string | null;
  /** The payload, without the fields that are added when it is sent. Field order is preserved. */
  data: ColumnType<Record<string, unknown>, string, never>;
  createdAt: Generated<Date>;
};

/** An endpoint that receives events. The kind `jobs` represents the webhook URLs of single jobs. Secrets are sealed. */
export type WebhookEndpointsTable = {
  id: string;
  accountId: string;
  kind: 'endpoint' | 'jobs';
  url: string | null;
  description: Generated<string>;
  /** Empty means all. */
  events: Generated<EventType[]>;
  isSandbox: boolean;
  secret: string;
  /** Also signs deliveries until `formerUntil`. */
  formerSecret: string | null;
  formerUntil: Date | null;
  isActive: Generated<boolean>;
  disabledReason: DisabledReason | null;
  disabledAt: Date | null;
  /** When attempts began to fail. Null if the latest attempt didn't fail. */
  failingSince: Date | null;
  /** When the endpoint's owner was last notified of failures. */
  toldAt: Date | null;
  lastDeliveredAt: Date | null;
  createdAt: Generated<Date>;
};

export type WebhookDeliveriesTable = {
  id: string;
  eventId: string;
  endpointId: string;
  /** Overrides the endpoint's URL. */
  url: string | null;
  /** The destination. The column keeps its former name for versions that are still running during an upgrade. */
  lane: string;
  status: Generated<DeliveryStatus>;
  /** Number of attempts since the delivery was first sent or last resent. */
  step: Generated<number>;
  /** Total number of attempts. Identifies the latest attempt. */
  attempts: Generated<number>;
  /** When the delivery is due or, during an attempt, when the attempt's lease ends. */
  nextAt: Generated<Date>;
  lastAttemptAt: Date | null;
  answered: number | null;
  error: DeliveryError | null;
  createdAt: Generated<Date>;
};

/** The outcome of an attempt. `answered`: status code of the response. `answer`: start of the response body. */
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
