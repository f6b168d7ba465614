import type { Kysely, Transaction } from 'kysely';
import type {
  AccountTasksTable,
  AccountTokensTable,
  AttemptsTable,
  AuditsTable,
  DevicesTable,
  RecoveryCodesTable,
  SessionsTable,
  UsersTable,
} from './tables/account-tables.ts';
import type { ApiKeyDaysTable, ApiKeysTable } from './tables/api-key-tables.ts';
import type { InstanceTable, OutboxTable, ScheduledTasksTable, SettingsTable } from './tables/instance-tables.ts';
import type {
  BatchesTable,
  BatchItemsTable,
  IdempotencyKeysTable,
  JobLeasesTable,
  JobsTable,
  ObjectsTable,
} from './tables/job-tables.ts';
import type { AllowancesTable, LedgerTable, UsageDaysTable } from './tables/usage-tables.ts';
import type {
  EventsTable,
  WebhookAttemptsTable,
  WebhookDeliveriesTable,
  WebhookEndpointsTable,
} from './tables/webhook-tables.ts';

/** Every table by name. */
export type Tables = {
  users: UsersTable;
  sessions: SessionsTable;
  objects: ObjectsTable;
  jobs: JobsTable;
  jobLeases: JobLeasesTable;
  ledger: LedgerTable;
  idempotencyKeys: IdempotencyKeysTable;
  outbox: OutboxTable;
  instance: InstanceTable;
  usageDays: UsageDaysTable;
  batches: BatchesTable;
  batchItems: BatchItemsTable;
  apiKeys: ApiKeysTable;
  apiKeyDays: ApiKeyDaysTable;
  allowances: AllowancesTable;
  scheduledTasks: ScheduledTasksTable;
  settings: SettingsTable;
  recoveryCodes: RecoveryCodesTable;
  devices: DevicesTable;
  audits: AuditsTable;
  attempts: AttemptsTable;
  accountTokens: AccountTokensTable;
  accountTasks: AccountTasksTable;
  events: EventsTable;
  webhookEndpoints: WebhookEndpointsTable;
  webhookDeliveries: WebhookDeliveriesTable;
  webhookAttempts: WebhookAttemptsTable;
};

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
/** A query runs on the pool or inside a transaction. */
export type DbOrTx = Db | Tx;
