import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Bounds the time for which the migration locks the table. Other jobs are read by their plans. */
const mostRows = 10_000;

const statements = [
  'alter table jobs add estimated_seconds double precision',
  `update jobs set estimated_seconds = (plan->'estimate'->>'seconds')::double precision
    where id in (select id from jobs where status = 'queued' order by created_at, id limit ${mostRows})`,
];

/** The estimated seconds of jobs, so that readers of the queue don't parse plans. */
export const estimatedSeconds: Migration = {
  up: runAll(statements),
  down: runAll(['alter table jobs drop estimated_seconds']),
};
