import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** When a session last proved the password or a code again, for critical changes by administrators. */
export const stepUp: Migration = {
  up: runAll(['alter table sessions add stepped_up_at timestamptz']),
  down: runAll(['alter table sessions drop stepped_up_at']),
};
