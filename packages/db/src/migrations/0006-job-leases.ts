import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  // Renewals are HOT updates: no index covers a column that they change, and half of each page is free for them.
  `create table job_leases (
    job_id uuid primary key references jobs on delete cascade,
    attempt integer not null,
    worker_id text not null,
    lease_until timestamptz not null,
    progress integer not null default 0 check (progress between 0 and 100),
    changes integer not null default 0,
    updated_at timestamptz not null default now()
  ) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.5)`,
  `insert into job_leases (job_id, attempt, worker_id, lease_until, progress)
    select id, attempt, coalesce(worker_id, ''), lease_until, progress from jobs where status = 'processing'`,
  'alter table jobs drop lease_until, drop worker_id',
];

const undone = [
  'alter table jobs add lease_until timestamptz, add worker_id text',
  `update jobs set lease_until = job_leases.lease_until, worker_id = job_leases.worker_id,
    progress = job_leases.progress, version = version + job_leases.changes
    from job_leases where job_leases.job_id = jobs.id`,
  `alter table jobs add constraint jobs_check check (status <> 'processing' or lease_until is not null)`,
  "create index jobs_leased on jobs (lease_until) where status = 'processing'",
  'drop table job_leases',
];

/** Leases and progress of jobs in a narrow table, so that renewals do not rewrite rows of `jobs`. */
export const jobLeases: Migration = { up: runAll(statements), down: runAll(undone) };
