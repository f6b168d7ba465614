import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Nothing may change a row of the audit log, except as `allowed` says. */
const keepAudits = (allowed: string) =>
  `create or replace function keep_audits() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        ${allowed}
      end if;
      raise exception 'audits are append-only' using errcode = 'restrict_violation';
    end $$`;

/** The foreign key clears the actor after the account is deleted. */
const clearedActor = `if new.actor_id is null and to_jsonb(new) - 'actor_id' = to_jsonb(old) - 'actor_id'
          and not exists (select from users where id = old.actor_id) then
          return new;
        end if;`;

/** A missing account is filled in once. */
const filledAccount = `if old.account_id is null and new.account_id is not null
          and to_jsonb(new) - 'account_id' = to_jsonb(old) - 'account_id' then
          return new;
        end if;`;

/** Rows of the audit log without an account get it later, because filling all of them at once would lock the table. */
export const fillableAudits: Migration = {
  up: runAll([keepAudits(`${clearedActor}\n        ${filledAccount}`)]),
  down: runAll([keepAudits(clearedActor)]),
};
