import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Whether a job may get a copy of a stored result. Jobs of services of the version before may. */
export const repeatedJobs: Migration = {
  up: runAll(['alter table jobs add column may_repeat boolean not null default true']),
  down: runAll(['alter table jobs drop column may_repeat']),
};
