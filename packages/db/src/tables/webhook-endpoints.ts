import type { DisabledReason, EventType } from '@uprez/contracts/schemas/webhook-events';
import type { Generated } from 'kysely';

/** Where events are delivered. `jobs`: stands for the addresses that single jobs came with. Secrets are sealed. */
export type WebhookEndpointsTable = {
  id: string;
  account_id: string;
  kind: 'endpoint' | 'jobs';
  url: string | null;
  description: Generated<string>;
  /** Empty: all. */
  events: Generated<EventType[]>;
  is_sandbox: boolean;
  secret: string;
  /** Signs beside the present one until then. */
  former_secret: string | null;
  former_until: Date | null;
  is_active: Generated<boolean>;
  disabled_reason: DisabledReason | null;
  disabled_at: Date | null;
  /** When attempts began to fail; null: the last one succeeded. */
  failing_since: Date | null;
  /** When its owner was last told of it. */
  told_at: Date | null;
  last_delivered_at: Date | null;
  created_at: Generated<Date>;
};
