import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Origins whose pages may use a key. Few keys have any, so the list of all origins is read by a partial index. */
export const keyOrigins: Migration = {
  up: runAll([
    `alter table api_keys add column allowed_origins text[] not null default '{}'`,
    `/* locks: keys are few, and are read within milliseconds */ create index api_keys_origins on api_keys (id) where allowed_origins <> '{}'`,
  ]),
  down: runAll(['alter table api_keys drop column allowed_origins']),
};
