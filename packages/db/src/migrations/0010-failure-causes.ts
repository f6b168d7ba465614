import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Why the last attempt of a job failed, if it will probably fail again in the same way. */
export const failureCauses: Migration = {
  up: runAll(['alter table jobs add failure_cause text']),
  down: runAll(['alter table jobs drop failure_cause']),
};
