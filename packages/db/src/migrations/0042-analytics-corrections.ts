import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  'alter table disputes add lost_at timestamptz',
  // When they were decided isn't known.
  `update disputes set lost_at = created_at where outcome = 'lost'`,
  'alter table analytics_state add money_read_at timestamptz',
];

const undone = ['alter table analytics_state drop money_read_at', 'alter table disputes drop lost_at'];

/** When disputes were lost, and until when late changes of money were added to days that are final. */
export const analyticsCorrections: Migration = { up: runAll(statements), down: runAll(undone) };
