import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** A version of a legal text that was withdrawn before it applied. Its number isn't used again: users may have accepted it. */
export const withdrawnLegalVersions: Migration = {
  up: runAll(['alter table legal_versions add withdrawn_at timestamptz']),
  down: runAll([
    'delete from legal_versions where withdrawn_at is not null',
    'alter table legal_versions drop withdrawn_at',
  ]),
};
