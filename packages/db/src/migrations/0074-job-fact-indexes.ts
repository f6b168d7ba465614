import type { AnyMigration } from '../online-migrations.ts';
import { replaceIndex, runAll } from '../run-all.ts';

const columns = 'account_id, kind, surface, status, error_code, started_at';

/**
 * Lets the images of a day be counted by their plan in an index, and finds the call and the accepted invitation of a row of
 * the audit log.
 */
export const jobFactIndexes: AnyMigration = {
  isConcurrent: true,
  up: runAll([
    ...replaceIndex(
      'jobs_finished',
      `jobs (finished_at) include (${columns}, account_tier) where finished_at is not null`,
    ),
    'drop index concurrently if exists billing_calls_audit',
    'create index concurrently billing_calls_audit on billing_calls (audit_id) where audit_id is not null',
    'drop index concurrently if exists audits_accepted',
    `create index concurrently audits_accepted
      on audits ((case when action = 'invitation.accept' then (before->>'invitation')::uuid end))
      where action = 'invitation.accept'`,
  ]),
  down: runAll([
    'drop index if exists audits_accepted',
    'drop index if exists billing_calls_audit',
    'drop index if exists jobs_finished',
    `create index jobs_finished on jobs (finished_at) include (${columns}) where finished_at is not null`,
  ]),
};
