import type { AnyMigration } from '../online-migrations.ts';
import { runAll } from '../run-all.ts';

/** The index of audit rows by account. */
export const auditAccountIndex: AnyMigration = {
  isConcurrent: true,
  up: runAll([
    'drop index concurrently if exists audits_account',
    `create index concurrently audits_account on audits (account_id, created_at, id) where account_id is not null`,
  ]),
  down: runAll(['drop index if exists audits_account']),
};
