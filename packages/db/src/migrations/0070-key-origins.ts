import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Origins whose pages may use a key. */
export const keyOrigins: Migration = {
  up: runAll([`alter table api_keys add column allowed_origins text[] not null default '{}'`]),
  down: runAll(['alter table api_keys drop column allowed_origins']),
};
