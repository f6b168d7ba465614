import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Stands for all visitors. */
const visitors = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** Short tables that every claim reads: dead rows must not add up until they are a tenth of a large table. */
const vacuumed =
  'autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0';

const tables = [
  `create table queue_heads (
    account_id uuid primary key,
    job_id uuid not null,
    created_at timestamptz not null,
    was_delayed boolean not null,
    seconds double precision not null,
    tier text not null,
    weight double precision not null,
    virtual_time double precision not null,
    finish double precision not null
  ) with (${vacuumed})`,
  'create index queue_heads_line on queue_heads (tier, finish, created_at, job_id)',
  'create index queue_heads_times on queue_heads (virtual_time)',
  `create table queue_changes (
    account_id uuid not null,
    due_at timestamptz not null default '-infinity'
  ) with (${vacuumed})`,
];

/** Triggers, because services of the version before don't know the tables. Rows are only added, so nobody waits. */
const triggers = [
  `create function note_added_jobs() returns trigger language plpgsql as $$
    begin
      insert into queue_changes (account_id, due_at)
        select distinct coalesce(account_id, ${visitors}), not_before from added where status = 'queued';
      return null;
    end $$`,
  `create trigger note_added_jobs after insert on jobs referencing new table as added
    for each statement execute function note_added_jobs()`,
  `create function note_deleted_jobs() returns trigger language plpgsql as $$
    begin
      insert into queue_changes (account_id)
        select distinct coalesce(account_id, ${visitors}) from deleted where status = 'queued';
      return null;
    end $$`,
  `create trigger note_deleted_jobs after delete on jobs referencing old table as deleted
    for each statement execute function note_deleted_jobs()`,
  `create function note_changed_job() returns trigger language plpgsql as $$
    begin
      if old.status = 'queued' then
        insert into queue_changes (account_id) values (coalesce(old.account_id, ${visitors}));
      end if;
      if new.status = 'queued' then
        insert into queue_changes (account_id, due_at) values (coalesce(new.account_id, ${visitors}), new.not_before);
      end if;
      return null;
    end $$`,
  `create trigger note_changed_job after update of status, account_id, not_before on jobs
    for each row when (old.status = 'queued' or new.status = 'queued') execute function note_changed_job()`,
  `create function note_changed_account() returns trigger language plpgsql as $$
    begin
      insert into queue_changes (account_id) values (new.id);
      return null;
    end $$`,
  `create trigger note_changed_account after update of virtual_time, tier, plan_version on users for each row
    when ((old.virtual_time, old.tier, old.plan_version) is distinct from (new.virtual_time, new.tier, new.plan_version))
    execute function note_changed_account()`,
  `create function note_changed_visitors() returns trigger language plpgsql as $$
    begin
      insert into queue_changes (account_id) values (${visitors});
      return null;
    end $$`,
  `create trigger note_changed_visitors after insert or update on instance for each row
    when (new.name = 'visitors_virtual_time') execute function note_changed_visitors()`,
];

/**
 * The first job of each account in the order of claims, and the accounts for which it may have changed since. Claims keep
 * them up to date, so that a claim doesn't read the first job of every account.
 */
export const queueHeads: Migration = {
  up: runAll([
    ...tables,
    ...triggers,
    `insert into queue_changes (account_id, due_at)
      select distinct coalesce(account_id, ${visitors}), not_before from jobs where status = 'queued'`,
  ]),
  down: runAll([
    'drop trigger note_changed_visitors on instance',
    'drop trigger note_changed_account on users',
    'drop trigger note_changed_job on jobs',
    'drop trigger note_deleted_jobs on jobs',
    'drop trigger note_added_jobs on jobs',
    'drop function note_changed_visitors, note_changed_account, note_changed_job, note_deleted_jobs, note_added_jobs',
    'drop table queue_changes',
    'drop table queue_heads',
    `delete from instance where name = 'waiting_weights'`,
  ]),
};
