import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const names = "('site', 'email', 'security', 'billing', 'seo')";

/**
 * Every version of the settings. Secrets are left out, and only their names are kept if they changed. Version 0 are the
 * values before the first write.
 */
export const settingsVersions: Migration = {
  up: runAll([
    'alter table settings drop constraint settings_name_check',
    `alter table settings add constraint settings_name_check check (name in ${names})`,
    'alter table settings add version integer not null default 1',
    `create table settings_versions (
      name text not null references settings on delete cascade,
      version integer not null check (version >= 0),
      value jsonb not null,
      secrets text[] not null default '{}',
      actor_id uuid references users on delete set null,
      restored_from integer,
      created_at timestamptz not null default now(),
      primary key (name, version)
    )`,
    'create index settings_versions_actor on settings_versions (actor_id)',
    `insert into settings_versions (name, version, value, created_at)
      select name, 1, value - 'smtpPassword', updated_at from settings`,
  ]),
  down: runAll([
    'drop table settings_versions',
    'alter table settings drop version',
    `delete from settings where name = 'seo'`,
    'alter table settings drop constraint settings_name_check',
    `alter table settings add constraint settings_name_check check (name in ('site', 'email', 'security', 'billing'))`,
  ]),
};
