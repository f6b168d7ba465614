import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  'alter table jobs add used_seconds double precision not null default 0',
  'alter table job_leases add charged double precision not null default 0',
  // Starts are no longer counted. Virtual times continue: a start was about a second.
  `delete from instance where name = 'starts' or name like 'last_start:%'`,
];

const undone = [
  'alter table job_leases drop charged',
  'alter table jobs drop used_seconds',
  `delete from instance where name in ('last_finish', 'started_seconds') or name like 'last_start_seconds:%'`,
];

/** The seconds that a job used over its attempts, and the virtual time that was charged for the current one. */
export const attemptSeconds: Migration = { up: runAll(statements), down: runAll(undone) };
