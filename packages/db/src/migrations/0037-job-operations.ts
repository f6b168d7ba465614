import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Pausing engines, the running workers, and the indexes of administrators' lists of jobs. */
export const jobOperations: Migration = {
  up: runAll([
    // The table's type lists the names. A list here would have to change with each new group.
    'alter table settings drop constraint settings_name_check',
    // A claim finds the first job of an engine without reading those of paused engines before it.
    `create index jobs_waiting_engines on jobs (account_id, (plan->>'engine'), created_at, id) where status = 'queued'`,
    'create index jobs_created on jobs (created_at, id)',
    `create index jobs_dead_letters on jobs (finished_at) where status = 'failed' and error_code like 'processing\\_%'`,
    'alter table jobs add retry_of uuid references jobs on delete set null',
    'create unique index jobs_retry on jobs (retry_of) where retry_of is not null',
    `create table workers (
      id text primary key,
      name text not null,
      engines text[] not null,
      device text not null,
      slots integer not null,
      started_at timestamptz not null default now(),
      last_sign_at timestamptz not null default now()
    )`,
  ]),
  down: runAll([
    'drop table workers',
    'alter table jobs drop retry_of',
    'drop index jobs_dead_letters',
    'drop index jobs_created',
    'drop index jobs_waiting_engines',
    `delete from settings where name = 'jobs'`,
    `alter table settings add constraint settings_name_check
      check (name in ('site', 'email', 'security', 'billing', 'seo'))`,
  ]),
};
