import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** The shortest and the longest time of each bucket. Null: kept before, so the bucket's own limits hold. */
export const timeRanges: Migration = {
  up: runAll(['alter table job_time_days add lowest_ms real, add highest_ms real']),
  down: runAll(['alter table job_time_days drop lowest_ms, drop highest_ms']),
};
