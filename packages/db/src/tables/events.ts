import type { EventType } from '@uprez/contracts/schemas/webhook-events';
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
