import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const table = `create table scheduled_tasks (
  name text primary key,
  next_run_at timestamptz not null default now(),
  lease_holder uuid,
  lease_until timestamptz,
  last_started_at timestamptz,
  last_finished_at timestamptz,
  last_error text,
  check ((lease_holder is null) = (lease_until is null))
) with (fillfactor = 50)`;

/** When each of the dispatcher's scheduled tasks runs next, and which process runs it. */
export const scheduledTasks: Migration = { up: runAll([table]), down: runAll(['drop table scheduled_tasks']) };
