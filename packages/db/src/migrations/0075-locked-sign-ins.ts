import type { AnyMigration } from '../online-migrations.ts';
import { replaceIndex, runAll } from '../run-all.ts';

const index = (kinds: string) => `access_events (at) where kind in (${kinds})`;
const kinds = "'sign_in', 'sign_in_failed', 'two_factor_failed'";

/** The index of sign-ins includes failures that lock an account. */
export const lockedSignIns: AnyMigration = {
  isConcurrent: true,
  up: runAll(replaceIndex('access_events_sign_ins', index(`${kinds}, 'account_locked'`))),
  down: runAll([
    'drop index if exists access_events_sign_ins',
    `create index access_events_sign_ins on ${index(kinds)}`,
  ]),
};
