import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  `create table users (
    id uuid primary key,
    email text not null,
    username text not null,
    password_hash text not null,
    first_name text,
    last_name text,
    is_admin boolean not null default false,
    tier text not null default 'free',
    email_verified boolean not null default false,
    virtual_time double precision not null default 0,
    created_at timestamptz not null default now()
  )`,
  'create unique index users_email on users (lower(email))',
  'create unique index users_username on users (lower(username))',
  `create table sessions (
    id_hash bytea primary key,
    user_id uuid not null references users on delete cascade,
    created_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    expires_at timestamptz not null,
    user_agent text,
    address text
  )`,
  'create index sessions_user on sessions (user_id)',
  'create index sessions_expiry on sessions (expires_at)',
  `create table objects (
    id uuid primary key,
    account_id uuid references users on delete set null,
    job_id uuid,
    kind text not null check (kind in ('source', 'result', 'thumbnail')),
    key text not null unique,
    state text not null default 'writing' check (state in ('writing', 'stored', 'deleting')),
    size bigint,
    sha256 text,
    inspection jsonb,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    check (state <> 'stored' or (size is not null and sha256 is not null))
  )`,
  'create index objects_job on objects (job_id)',
  "create index objects_unsettled on objects (state, created_at) where state <> 'stored'",
  'create index objects_expiry on objects (expires_at) where expires_at is not null',
  `create table jobs (
    id uuid primary key,
    account_id uuid references users on delete cascade,
    kind text not null default 'image' check (kind in ('image')),
    status text not null check (status in ('queued', 'processing', 'completed', 'failed', 'cancelled', 'expired')),
    recipe jsonb not null,
    plan jsonb not null,
    filename text not null,
    source_bytes bigint not null,
    source_id uuid references objects on delete set null,
    result_id uuid references objects on delete set null,
    thumbnail_id uuid references objects on delete set null,
    attempt integer not null default 0,
    failures integer not null default 0,
    lease_until timestamptz,
    worker_id text,
    not_before timestamptz not null default now(),
    enqueued_at timestamptz,
    progress integer not null default 0 check (progress between 0 and 100),
    version integer not null default 1,
    receipt jsonb,
    error_code text,
    error_detail text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    started_at timestamptz,
    finished_at timestamptz,
    expires_at timestamptz,
    deleted_at timestamptz,
    check (status <> 'processing' or lease_until is not null)
  )`,
  "create index jobs_waiting on jobs (account_id, created_at, id) where status = 'queued'",
  "create index jobs_leased on jobs (lease_until) where status = 'processing'",
  'create index jobs_of_account on jobs (account_id, created_at desc, id desc)',
  'create index jobs_changed on jobs (account_id, updated_at)',
  // Deleting an object sets these to null.
  'create index jobs_source on jobs (source_id) where source_id is not null',
  'create index jobs_result on jobs (result_id) where result_id is not null',
  'create index jobs_thumbnail on jobs (thumbnail_id) where thumbnail_id is not null',
  "create index jobs_expiry on jobs (expires_at) where status = 'completed'",
  `create table ledger (
    id bigint generated always as identity primary key,
    account_id uuid not null references users on delete cascade,
    job_id uuid not null references jobs on delete cascade,
    kind text not null check (kind in ('reserve', 'settle', 'release')),
    meter text not null check (meter in ('ai', 'standard')),
    units integer not null,
    reason text not null,
    created_at timestamptz not null default now(),
    unique (job_id, kind),
    check ((kind = 'reserve' and units < 0) or (kind = 'settle' and units = 0) or (kind = 'release' and units > 0))
  )`,
  "create unique index ledger_closed_once on ledger (job_id) where kind in ('settle', 'release')",
  'create index ledger_account on ledger (account_id, created_at)',
  `create table idempotency_keys (
    account_id uuid not null references users on delete cascade,
    key text not null,
    fingerprint text not null,
    job_id uuid not null references jobs on delete cascade deferrable initially deferred,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (account_id, key)
  )`,
  'create index idempotency_keys_expiry on idempotency_keys (expires_at)',
  `create table outbox (
    id uuid primary key,
    kind text not null,
    payload jsonb not null,
    attempts integer not null default 0,
    not_before timestamptz not null default now(),
    created_at timestamptz not null default now(),
    sent_at timestamptz
  )`,
  'create index outbox_waiting on outbox (not_before) where sent_at is null',
  'create table instance (name text primary key, value text not null)',
];

const dropped = ['instance', 'outbox', 'idempotency_keys', 'ledger', 'jobs', 'objects', 'sessions', 'users'];

/** The tables of the first version. */
export const firstTables: Migration = {
  up: runAll(statements),
  down: runAll(dropped.map((table) => `drop table ${table}`)),
};
