import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/**
 * Views of accounts by administrators, and the view that a session is in. `view_as_id` has no foreign key: when an account
 * is deleted, the sessions that view it must not silently become those of the administrator again.
 */
export const accountViews: Migration = {
  up: runAll([
    `create table account_views (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      admin_id uuid references users on delete set null,
      started_at timestamptz not null default now(),
      ends_at timestamptz not null
    )`,
    'create index account_views_user on account_views (user_id, started_at)',
    'create index account_views_admin on account_views (admin_id)',
    'create index account_views_end on account_views (ends_at)',
    'alter table sessions add view_as_id uuid',
    // Sessions end in many ways: sign-out, suspension, a new password, deletion of the account.
    `create function end_view_of_session() returns trigger language plpgsql as $$
      begin
        update account_views set ends_at = now() where id = old.view_as_id and ends_at > now();
        return null;
      end $$`,
    `create trigger sessions_end_view after delete on sessions
      for each row when (old.view_as_id is not null) execute function end_view_of_session()`,
  ]),
  down: runAll([
    'drop trigger sessions_end_view on sessions',
    'drop function end_view_of_session',
    'alter table sessions drop view_as_id',
    'drop table account_views',
  ]),
};
