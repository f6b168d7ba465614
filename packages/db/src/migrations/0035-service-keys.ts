import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Service keys, which belong to no account, and an index for the table of all keys. */
export const serviceKeys: Migration = {
  up: runAll([
    `alter table api_keys
      alter account_id drop not null,
      add created_by uuid references users on delete set null,
      drop constraint api_keys_kind_check,
      add constraint api_keys_kind_check check (kind in ('live', 'test', 'service')),
      add constraint api_keys_owner_check check ((kind = 'service') = (account_id is null))`,
    'create index api_keys_created on api_keys (created_at, id)',
    // Deleting an account looks for the keys that it created.
    'create index api_keys_created_by on api_keys (created_by) where created_by is not null',
  ]),
  down: runAll([
    `delete from api_keys where kind = 'service'`,
    'drop index api_keys_created',
    `alter table api_keys
      drop constraint api_keys_owner_check,
      drop constraint api_keys_kind_check,
      add constraint api_keys_kind_check check (kind in ('live', 'test')),
      drop created_by,
      alter account_id set not null`,
  ]),
};
