import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const rename = (from: string, to: string) =>
  `update billing_calls set kind = '${to}' where kind = '${from}' and slot is distinct from 'change'`;

/** Two kinds of calls had the same name. That of plans that nobody paid gets its own. */
export const callKinds: Migration = {
  up: runAll([rename('end_unpaid', 'end_lapsed')]),
  down: runAll([rename('end_lapsed', 'end_unpaid')]),
};
