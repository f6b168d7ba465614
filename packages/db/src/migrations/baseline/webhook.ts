export const webhookTables: readonly string[] = [
  // A position is assigned after the event's transaction has ended. A reader that has read up to a position therefore
  // hasn't missed an earlier event.
  `create table events (
    id uuid primary key,
    account_id uuid not null references users on delete cascade,
    position bigint,
    type text not null,
    is_sandbox boolean not null,
    job_id uuid,
    batch_id uuid,
    webhook_url text,
    data json not null,
    created_at timestamptz not null default now(),
    unique (account_id, position)
  )`,
  'create index events_new on events (account_id) where position is null',
  'create index events_unplaced_of_batch on events (batch_id) where position is null',
  'create index events_age on events (created_at)',
  `create table webhook_endpoints (
    id uuid primary key,
    account_id uuid not null references users on delete cascade,
    kind text not null check (kind in ('endpoint', 'jobs')),
    url text,
    description text not null default '',
    events text[] not null default '{}',
    is_sandbox boolean not null,
    secret text not null,
    former_secret text,
    former_until timestamptz,
    is_active boolean not null default true,
    disabled_reason text check (disabled_reason in ('owner', 'gone', 'failing')),
    disabled_at timestamptz,
    failing_since timestamptz,
    told_at timestamptz,
    last_delivered_at timestamptz,
    created_at timestamptz not null default now(),
    check ((kind = 'endpoint') = (url is not null)),
    check (is_active = (disabled_reason is null))
  )`,
  'create index webhook_endpoints_account on webhook_endpoints (account_id)',
  "create unique index webhook_endpoints_of_jobs on webhook_endpoints (account_id, is_sandbox) where kind = 'jobs'",
  `create table webhook_deliveries (
    id uuid primary key,
    event_id uuid not null references events on delete cascade,
    endpoint_id uuid not null references webhook_endpoints on delete cascade,
    url text,
    lane text not null,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    step integer not null default 0,
    attempts integer not null default 0,
    next_at timestamptz not null default now(),
    last_attempt_at timestamptz,
    answered integer,
    error text,
    created_at timestamptz not null default now(),
    unique (event_id, endpoint_id)
  )`,
  `create index webhook_deliveries_due on webhook_deliveries (next_at)
    include (endpoint_id, lane, step)
    where status = 'pending'`,
  "create index webhook_deliveries_lane on webhook_deliveries (lane, next_at) where status = 'pending'",
  'create index webhook_deliveries_log on webhook_deliveries (endpoint_id, id)',
  // Lets a claim skip from one destination to the next.
  `create index webhook_deliveries_queue on webhook_deliveries (endpoint_id, lane, next_at)
    where status = 'pending'`,
  `create index webhook_deliveries_retried on webhook_deliveries (endpoint_id, lane, next_at)
    where status = 'pending' and step > 0`,
  `create table webhook_attempts (
    delivery_id uuid not null references webhook_deliveries on delete cascade,
    number integer not null,
    at timestamptz not null default now(),
    duration_ms integer not null,
    answered integer,
    answer text,
    error text,
    primary key (delivery_id, number)
  )`,
];
