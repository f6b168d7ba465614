import type { Kysely, Transaction } from 'kysely';
import type { AccountTasksTable } from './tables/account-tasks.ts';
import type { AccountTokensTable } from './tables/account-tokens.ts';
import type { AllowancesTable } from './tables/allowances.ts';
import type { ApiKeyDaysTable } from './tables/api-key-days.ts';
import type { ApiKeysTable } from './tables/api-keys.ts';
import type { AttemptsTable } from './tables/attempts.ts';
import type { AuditsTable } from './tables/audits.ts';
import type { BatchItemsTable } from './tables/batch-items.ts';
import type { BatchesTable } from './tables/batches.ts';
import type { DevicesTable } from './tables/devices.ts';
import type { IdempotencyKeysTable } from './tables/idempotency-keys.ts';
import type { InstanceTable } from './tables/instance.ts';
import type { JobsTable } from './tables/jobs.ts';
import type { LedgerTable } from './tables/ledger.ts';
import type { ObjectsTable } from './tables/objects.ts';
import type { OutboxTable } from './tables/outbox.ts';
import type { RecoveryCodesTable } from './tables/recovery-codes.ts';
import type { SessionsTable } from './tables/sessions.ts';
import type { SettingsTable } from './tables/settings.ts';
import type { UsageDaysTable } from './tables/usage-days.ts';
import type { UsersTable } from './tables/users.ts';

/** Every table by name. */
export type Tables = {
  users: UsersTable;
  sessions: SessionsTable;
  objects: ObjectsTable;
  jobs: JobsTable;
  ledger: LedgerTable;
  idempotency_keys: IdempotencyKeysTable;
  outbox: OutboxTable;
  instance: InstanceTable;
  usage_days: UsageDaysTable;
  batches: BatchesTable;
  batch_items: BatchItemsTable;
  api_keys: ApiKeysTable;
  api_key_days: ApiKeyDaysTable;
  allowances: AllowancesTable;
  settings: SettingsTable;
  recovery_codes: RecoveryCodesTable;
  devices: DevicesTable;
  audits: AuditsTable;
  attempts: AttemptsTable;
  account_tokens: AccountTokensTable;
  account_tasks: AccountTasksTable;
};

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
/** A query runs on the pool or inside a transaction. */
export type DbOrTx = Db | Tx;
