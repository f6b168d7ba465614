import type { Kysely, Transaction } from 'kysely';
import type { IdempotencyKeysTable } from './tables/idempotency-keys.ts';
import type { InstanceTable } from './tables/instance.ts';
import type { JobsTable } from './tables/jobs.ts';
import type { LedgerTable } from './tables/ledger.ts';
import type { ObjectsTable } from './tables/objects.ts';
import type { OutboxTable } from './tables/outbox.ts';
import type { SessionsTable } from './tables/sessions.ts';
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
};

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
/** A query runs on the pool or inside a transaction. */
export type DbOrTx = Db | Tx;
