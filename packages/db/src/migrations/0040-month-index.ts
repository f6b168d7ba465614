import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const index = 'create index jobs_finished on jobs (finished_at)';

/** Lets the images of all accounts this month, and the totals of today, be counted in an index without reading the table. */
export const monthIndex: Migration = {
  up: runAll([
    'drop index jobs_finished',
    `${index} include (account_id, kind, surface, status, error_code, started_at) where finished_at is not null`,
  ]),
  down: runAll(['drop index jobs_finished', `${index} where finished_at is not null`]),
};
