import type { AnyMigration } from '../online-migrations.ts';
import { runAll } from '../run-all.ts';

const index = 'create index concurrently jobs_finished on jobs (finished_at)';
const columns = 'account_id, kind, surface, status, error_code, started_at';

/** Lets the images of a day be counted by their plan in an index, and finds the call of a row of the audit log. */
export const jobFactIndexes: AnyMigration = {
  isConcurrent: true,
  up: runAll([
    'drop index concurrently if exists jobs_finished',
    `${index} include (${columns}, account_tier) where finished_at is not null`,
    'drop index concurrently if exists billing_calls_audit',
    'create index concurrently billing_calls_audit on billing_calls (audit_id) where audit_id is not null',
  ]),
  down: runAll([
    'drop index if exists billing_calls_audit',
    'drop index if exists jobs_finished',
    `create index jobs_finished on jobs (finished_at) include (${columns}) where finished_at is not null`,
  ]),
};
