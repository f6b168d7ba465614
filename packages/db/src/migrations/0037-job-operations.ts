import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Pausing engines, and the indexes of administrators' lists of jobs. */
export const jobOperations: Migration = {
  up: runAll([
    // The table's type lists the names. A list here would have to change with each new group.
    'alter table settings drop constraint settings_name_check',
    // A claim finds the first job of an engine without reading those of paused engines before it.
    `create index jobs_waiting_engines on jobs (account_id, (plan->>'engine'), created_at, id) where status = 'queued'`,
  ]),
  down: runAll([
    'drop index jobs_waiting_engines',
    `delete from settings where name = 'jobs'`,
    `alter table settings add constraint settings_name_check check (name in ('site', 'email', 'security', 'billing'))`,
  ]),
};
