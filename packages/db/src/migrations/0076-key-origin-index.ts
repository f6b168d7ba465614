import type { AnyMigration } from '../online-migrations.ts';
import { runAll } from '../run-all.ts';

/** Lets the origins of all keys be read without the keys that have none. */
export const keyOriginIndex: AnyMigration = {
  isConcurrent: true,
  up: runAll([
    'drop index concurrently if exists api_keys_origins',
    `create index concurrently api_keys_origins on api_keys (id) where allowed_origins <> '{}'`,
  ]),
  down: runAll(['drop index if exists api_keys_origins']),
};
