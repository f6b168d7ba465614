import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  `alter table users
    add terms_version text,
    add terms_accepted_at timestamptz,
    add suspended_at timestamptz,
    add suspended_reason text,
    add deletes_at timestamptz,
    add two_factor_secret text,
    add two_factor_at timestamptz,
    add two_factor_step bigint not null default 0`,
  `alter table sessions
    add id uuid not null default gen_random_uuid(),
    add device_hash bytea`,
  'create unique index sessions_id on sessions (id)',
  `create table devices (
    user_id uuid not null references users on delete cascade,
    secret_hash bytea not null,
    user_agent text,
    created_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    primary key (user_id, secret_hash)
  )`,
  `create table account_tokens (
    token_hash bytea primary key,
    user_id uuid not null references users on delete cascade,
    kind text not null check (kind in ('verify', 'reset', 'change_email')),
    email text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  'create index account_tokens_user on account_tokens (user_id, kind)',
  'create index account_tokens_expiry on account_tokens (expires_at)',
  `create table recovery_codes (
    user_id uuid not null references users on delete cascade,
    code_hash bytea not null,
    primary key (user_id, code_hash)
  )`,
  `create table attempts (
    subject text primary key,
    count integer not null default 0,
    blocks integer not null default 0,
    last_at timestamptz not null default now(),
    blocked_until timestamptz
  )`,
  `create table settings (
    name text primary key check (name in ('site', 'email', 'security')),
    value jsonb not null,
    updated_at timestamptz not null default now()
  )`,
  `create table audits (
    id uuid primary key default gen_random_uuid(),
    actor_id uuid references users on delete set null,
    action text not null,
    subject text not null,
    before jsonb not null,
    after jsonb not null,
    reason text,
    address text,
    created_at timestamptz not null default now()
  )`,
  'create index audits_time on audits (created_at)',
  `create table account_tasks (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    kind text not null check (kind in ('export')),
    status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'failed', 'expired')),
    attempts integer not null default 0,
    not_before timestamptz not null default now(),
    object_id uuid references objects on delete set null,
    created_at timestamptz not null default now(),
    finished_at timestamptz,
    expires_at timestamptz
  )`,
  `create unique index account_tasks_open on account_tasks (user_id, kind) where status in ('waiting', 'running')`,
  "create index account_tasks_waiting on account_tasks (not_before) where status in ('waiting', 'running')",
  'alter table objects drop constraint objects_kind_check',
  `alter table objects add constraint objects_kind_check check (kind in ('source', 'result', 'thumbnail', 'export'))`,
  `alter table outbox
    add user_id uuid references users on delete set null,
    add failed_at timestamptz,
    add last_error text`,
  'create index outbox_user on outbox (user_id, created_at)',
  'drop index outbox_waiting',
  'create index outbox_waiting on outbox (not_before) where sent_at is null and failed_at is null',
];

const undone = [
  'drop index outbox_waiting',
  'alter table outbox drop user_id, drop failed_at, drop last_error',
  'create index outbox_waiting on outbox (not_before) where sent_at is null',
  `delete from objects where kind = 'export'`,
  'alter table objects drop constraint objects_kind_check',
  `alter table objects add constraint objects_kind_check check (kind in ('source', 'result', 'thumbnail'))`,
  ...['account_tasks', 'audits', 'settings', 'attempts', 'recovery_codes', 'account_tokens', 'devices'].map(
    (table) => `drop table ${table}`,
  ),
  'alter table sessions drop id, drop device_hash',
  `alter table users drop terms_version, drop terms_accepted_at, drop suspended_at, drop suspended_reason,
    drop deletes_at, drop two_factor_secret, drop two_factor_at, drop two_factor_step`,
];

/** Devices, links in mails, two-factor, attempts, settings, the audit trail, exports. */
export const accounts: Migration = { up: runAll(statements), down: runAll(undone) };
