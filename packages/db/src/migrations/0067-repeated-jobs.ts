import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Whether a job may get a copy of a stored result. Null for jobs of services of the version before. */
export const repeatedJobs: Migration = {
  up: runAll(['alter table jobs add column may_repeat boolean']),
  down: runAll(['alter table jobs drop column may_repeat']),
};
