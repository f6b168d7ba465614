/** The access log, the use of API keys by network and hour, and anomalies. */
export const accessTables: readonly string[] = [
  `create table access_events (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    kind text not null,
    user_id uuid references users on delete set null,
    staff_id uuid references users on delete set null,
    key_id uuid references api_keys on delete set null,
    address text,
    network text,
    agent text,
    country text,
    method text not null,
    path text not null,
    status integer not null,
    request_id text not null,
    new_device boolean not null default false,
    count integer not null default 1,
    group_key text
  )`,
  'create index access_events_at on access_events (at, id)',
  'create index access_events_user on access_events (user_id, at, id) where user_id is not null',
  'create index access_events_staff on access_events (staff_id, at, id) where staff_id is not null',
  'create index access_events_key on access_events (key_id, at, id) where key_id is not null',
  'create index access_events_address on access_events (address, at, id)',
  'create unique index access_events_groups on access_events (group_key) where group_key is not null',
  `create index access_events_sign_ins on access_events (at)
    where kind in ('sign_in', 'sign_in_failed', 'two_factor_failed', 'account_locked')`,
  `create table api_key_networks (
    key_id uuid not null references api_keys on delete cascade,
    network text not null,
    last_seen_at timestamptz not null default now(),
    primary key (key_id, network)
  )`,
  `create table api_key_hours (
    key_id uuid not null references api_keys on delete cascade,
    hour timestamptz not null,
    calls bigint not null,
    primary key (key_id, hour)
  )`,
  'create index api_key_hours_hour on api_key_hours (hour)',
  `create table anomalies (
    id uuid primary key default gen_random_uuid(),
    rule text not null,
    subject text not null,
    user_id uuid references users on delete cascade,
    day date not null,
    count bigint not null,
    evidence jsonb not null,
    found_at timestamptz not null default now(),
    mailed_at timestamptz,
    acknowledged_by uuid references users on delete set null,
    acknowledged_at timestamptz,
    note text,
    unique (rule, subject, day)
  )`,
  'create index anomalies_user on anomalies (user_id)',
  'create index anomalies_acknowledged_by on anomalies (acknowledged_by)',
  'create index anomalies_open on anomalies (found_at, id) where acknowledged_at is null',
  'create index anomalies_pending on anomalies (found_at) where mailed_at is null',
];
