import type { DisabledReason, EventType } from '@uprez/contracts/schemas/webhook-events';
import type { Generated } from 'kysely';

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
