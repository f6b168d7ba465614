import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/**
 * The audit log is append-only. Rows have the role of their administrator, a masked email address that stays after the
 * account is deleted, and the ID of the request. Roles before this migration are unknown.
 */
export const auditLog: Migration = {
  up: runAll([
    `alter table audits add role text check (role in ('owner', 'admin', 'editor', 'support', 'viewer')),
      add actor_email text, add request_id text, add rejected text`,
    `update audits set actor_email = left(users.email, 1) || '***@***'
        || coalesce(substring(users.email from '@[^@]*(\\.[^.@]*)$'), '')
      from users where users.id = audits.actor_id`,
    'drop index audits_time',
    'create index audits_time on audits (created_at, id)',
    'create index audits_subject on audits (subject, created_at, id)',
    'create index audits_actor on audits (actor_id, created_at, id)',
    // The foreign key clears the actor after the account is deleted, and nothing else may change a row.
    `create function keep_audits() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          if new.actor_id is null and to_jsonb(new) - 'actor_id' = to_jsonb(old) - 'actor_id'
            and not exists (select from users where id = old.actor_id) then
            return new;
          end if;
        end if;
        raise exception 'audits are append-only' using errcode = 'restrict_violation';
      end $$`,
    `create trigger keep_audits before update or delete on audits for each row execute function keep_audits()`,
    `create trigger keep_all_audits before truncate on audits for each statement execute function keep_audits()`,
  ]),
  down: runAll([
    'drop trigger keep_all_audits on audits',
    'drop trigger keep_audits on audits',
    'drop function keep_audits',
    'drop index audits_actor, audits_subject, audits_time',
    'create index audits_time on audits (created_at)',
    'alter table audits drop role, drop actor_email, drop request_id, drop rejected',
  ]),
};
