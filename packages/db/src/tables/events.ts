import type { EventType } from '@uprez/contracts/schemas/webhook-events';
import type { ColumnType, Generated } from 'kysely';

/** What happened to an account, kept for a while. */
export type EventsTable = {
  id: string;
  account_id: string;
  /** Position among the events of its account; null until assigned (docs/adr/0013). */
  position: number | null;
  type: EventType;
  is_sandbox: boolean;
  job_id: string | null;
  batch_id: string | null;
  /** Of the one job: who is told beside the endpoints of the account. */
  webhook_url: string | null;
  /** What is told, but for what is made when it is told. Keeps the order of its fields. */
  data: ColumnType<Record<string, unknown>, string, never>;
  created_at: Generated<Date>;
};
