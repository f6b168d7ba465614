import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/**
 * Roles of administrators. Who was one is `admin` now, and the oldest of them `owner`; one who can't sign in only if
 * nobody else is left.
 */
export const roles: Migration = {
  up: runAll([
    `alter table users add role text check (role in ('owner', 'admin', 'editor', 'support', 'viewer'))`,
    `update users set role = 'admin' where is_admin`,
    `update users set role = 'owner' where id = (
      select id from users where is_admin
      order by suspended_at is not null or deletes_at is not null, created_at, id limit 1)`,
    'alter table users drop is_admin',
    // The administrators are few among many users.
    'create index users_role on users (role) where role is not null',
  ]),
  down: runAll([
    'alter table users add is_admin boolean not null default false',
    'update users set is_admin = true where role is not null',
    'alter table users drop role',
  ]),
};
