import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  `alter table users
    add period_anchor timestamptz,
    add tier_until timestamptz,
    add tier_before text,
    add anchor_before timestamptz,
    add tier_reason text`,
  'create index users_tier_until on users (tier_until) where tier_until is not null',
  `create table allowances (
    id uuid primary key default gen_random_uuid(),
    account_id uuid not null references users on delete cascade,
    meter text not null check (meter in ('ai', 'standard', 'shared')),
    source text not null check (source in ('plan', 'grant')),
    tier text,
    units integer not null check (units >= 0),
    units_left integer not null,
    hard_stop boolean not null default true,
    reason text not null,
    starts_at timestamptz not null,
    expires_at timestamptz not null,
    closed_at timestamptz,
    warned integer not null default 0,
    created_at timestamptz not null default now(),
    check ((source = 'plan') = (tier is not null)),
    check (units_left >= 0 or not hard_stop),
    check (closed_at is null or units_left = 0)
  )`,
  `create unique index allowances_once on allowances (account_id, tier, meter, starts_at) where source = 'plan'`,
  'create index allowances_open on allowances (account_id, expires_at) where closed_at is null',
  'create index allowances_expiry on allowances (expires_at) where closed_at is null',
  'alter table ledger drop constraint ledger_job_id_fkey',
  'alter table ledger drop constraint ledger_kind_check',
  'alter table ledger drop constraint ledger_meter_check',
  'alter table ledger drop constraint ledger_check',
  `alter table ledger
    alter job_id drop not null,
    add allowance_id uuid references allowances on delete cascade,
    add constraint ledger_kind_check check (kind in ('grant', 'reserve', 'settle', 'release', 'expire')),
    add constraint ledger_meter_check check (meter in ('ai', 'standard', 'shared')),
    add constraint ledger_sign_check check (case kind
      when 'grant' then units >= 0
      when 'reserve' then units < 0
      when 'settle' then units = 0
      when 'release' then units > 0
      else true end),
    add constraint ledger_subject_check check ((kind in ('grant', 'expire')) = (job_id is null))`,
  // What was used before there were allowances: granted and used up.
  `insert into allowances (account_id, meter, source, units, units_left, reason, starts_at, expires_at, closed_at)
    select account_id, meter, 'grant', -sum(units), 0, 'Pictures made before plans were counted', min(created_at), now(), now()
    from ledger group by account_id, meter`,
  `update ledger set allowance_id = allowances.id from allowances
    where allowances.account_id = ledger.account_id and allowances.meter = ledger.meter`,
  `insert into ledger (account_id, allowance_id, kind, meter, units, reason)
    select account_id, id, 'grant', meter, units, reason from allowances`,
  'alter table ledger alter allowance_id set not null',
  'create index ledger_allowance on ledger (allowance_id)',
  'drop index ledger_account',
  'create index ledger_account on ledger (account_id, id)',
  // Rows go with their account, and are never changed.
  `create function refuse_ledger_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and not exists (select from users where id = old.account_id) then return old; end if;
    raise exception 'rows of the ledger are only ever added';
  end $$`,
  `create trigger ledger_append_only before update or delete on ledger
    for each row execute function refuse_ledger_change()`,
  `create table usage_days (
    account_id uuid not null references users on delete cascade,
    day date not null,
    surface text not null check (surface in ('web', 'api')),
    meter text not null check (meter in ('ai', 'standard')),
    completed integer not null default 0,
    failed integer not null default 0,
    processing_ms bigint not null default 0,
    primary key (account_id, day, surface, meter)
  )`,
  `create table api_keys (
    id uuid primary key,
    account_id uuid not null references users on delete cascade,
    name text not null,
    kind text not null check (kind in ('live', 'test')),
    secret_hash bytea not null unique,
    preview text not null,
    scopes text[] not null,
    is_active boolean not null default true,
    expires_at timestamptz,
    monthly_cap integer check (monthly_cap > 0),
    calls_per_minute integer check (calls_per_minute > 0),
    addresses text[] not null default '{}',
    usage_count bigint not null default 0,
    last_used_at timestamptz,
    last_address text,
    replaced_by uuid references api_keys on delete set null,
    created_at timestamptz not null default now()
  )`,
  'create index api_keys_account on api_keys (account_id, created_at)',
  `create table api_key_days (
    key_id uuid not null references api_keys on delete cascade,
    day date not null,
    calls integer not null default 0,
    errors integer not null default 0,
    units integer not null default 0,
    primary key (key_id, day)
  )`,
  `create table batches (
    id uuid primary key,
    account_id uuid not null references users on delete cascade,
    recipe jsonb not null,
    surface text not null default 'web' check (surface in ('web', 'api')),
    created_at timestamptz not null default now(),
    cancelled_at timestamptz,
    expires_at timestamptz not null
  )`,
  'create index batches_account on batches (account_id, created_at)',
  'create index batches_expiry on batches (expires_at)',
  `create table batch_items (
    id uuid primary key,
    batch_id uuid not null references batches on delete cascade,
    position integer not null,
    client_id text not null,
    name text not null,
    relative_path text not null,
    size_bytes bigint,
    status text not null default 'waiting' check (status in ('waiting', 'taken', 'failed', 'cancelled')),
    unit_id uuid not null unique,
    engine text,
    job_id uuid references jobs on delete set null,
    error_code text,
    error_detail text,
    unique (batch_id, client_id),
    unique (batch_id, position)
  )`,
  'create index batch_items_job on batch_items (job_id) where job_id is not null',
  'alter table jobs drop constraint jobs_kind_check',
  `alter table jobs
    add constraint jobs_kind_check check (kind in ('image', 'preview')),
    add surface text not null default 'web' check (surface in ('web', 'api')),
    add api_key_id uuid references api_keys on delete set null`,
  // What the dashboard counts is in the index itself.
  `create index jobs_finished_of_account on jobs (account_id, finished_at)
    include (kind, surface, status, error_code, started_at) where finished_at is not null`,
  'create index jobs_finished on jobs (finished_at) where finished_at is not null',
  'create index objects_of_account on objects (account_id, state) include (size)',
  `create index jobs_previews on jobs (status) where kind = 'preview'`,
  'alter table idempotency_keys alter job_id drop not null',
  `alter table idempotency_keys
    add batch_id uuid references batches on delete cascade deferrable initially deferred,
    add constraint idempotency_keys_subject check ((job_id is null) <> (batch_id is null))`,
];

const undone = [
  'delete from idempotency_keys where job_id is null',
  'alter table idempotency_keys drop constraint idempotency_keys_subject, drop batch_id, alter job_id set not null',
  `delete from jobs where kind = 'preview'`,
  'drop index objects_of_account, jobs_finished, jobs_finished_of_account',
  'drop index jobs_previews',
  'alter table jobs drop constraint jobs_kind_check, drop surface, drop api_key_id',
  `alter table jobs add constraint jobs_kind_check check (kind in ('image'))`,
  ...['batch_items', 'batches', 'api_key_days', 'api_keys', 'usage_days'].map((table) => `drop table ${table}`),
  'drop trigger ledger_append_only on ledger',
  'drop function refuse_ledger_change',
  'drop index ledger_account',
  'create index ledger_account on ledger (account_id, created_at)',
  `delete from ledger where kind in ('grant', 'expire') or job_id not in (select id from jobs)`,
  `update ledger set meter = 'ai' where meter = 'shared'`,
  `alter table ledger
    drop constraint ledger_subject_check,
    drop constraint ledger_sign_check,
    drop constraint ledger_meter_check,
    drop constraint ledger_kind_check,
    drop allowance_id,
    alter job_id set not null,
    add constraint ledger_kind_check check (kind in ('reserve', 'settle', 'release')),
    add constraint ledger_meter_check check (meter in ('ai', 'standard')),
    add constraint ledger_check check
      ((kind = 'reserve' and units < 0) or (kind = 'settle' and units = 0) or (kind = 'release' and units > 0)),
    add constraint ledger_job_id_fkey foreign key (job_id) references jobs on delete cascade`,
  'drop table allowances',
  'alter table users drop period_anchor, drop tier_until, drop tier_before, drop anchor_before, drop tier_reason',
];

/** Allowances and their ledger, usage a day, API keys, batches, previews. */
export const metering: Migration = { up: runAll(statements), down: runAll(undone) };
