import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** The units that a canceled job keeps, because it had used more seconds than canceling is free for. */
export const chargedCancels: Migration = {
  up: runAll(['alter table jobs add cancel_units integer not null default 0 check (cancel_units in (0, 1))']),
  down: runAll(['alter table jobs drop cancel_units']),
};
