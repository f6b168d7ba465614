import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** The trace of the request that created a job, which its attempts and deliveries continue. */
export const jobTraces: Migration = {
  up: runAll(['alter table jobs add column traceparent text']),
  down: runAll(['alter table jobs drop column traceparent']),
};
