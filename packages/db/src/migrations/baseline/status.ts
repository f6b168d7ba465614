const services = "('api', 'web', 'upload', 'authentication', 'payments', 'delivery')";

export const statusTables: readonly string[] = [
  `create table probes (
    id uuid primary key default gen_random_uuid(),
    service text not null check (service in ${services}),
    at timestamptz not null,
    state text not null check (state in ('up', 'degraded', 'down', 'maintenance', 'unconfigured')),
    ms integer check (ms >= 0),
    detail text not null default '',
    unique (service, at)
  )`,
  'create index probes_at on probes (at, id)',
  `create table probe_days (
    service text not null check (service in ${services}),
    day date not null,
    up_s integer not null,
    degraded_s integer not null,
    down_s integer not null,
    maintenance_s integer not null,
    unknown_s integer not null,
    responses integer not null,
    response_ms bigint not null,
    rolled_up_at timestamptz not null default now(),
    primary key (service, day)
  )`,
  `create table incidents (
    id uuid primary key,
    title text not null check (title <> ''),
    severity text not null check (severity in ('minor', 'major', 'critical', 'maintenance')),
    state text not null
      check (state in
        ('investigating', 'identified', 'monitoring', 'resolved', 'scheduled', 'in_progress', 'completed', 'canceled')),
    automatic boolean not null default false,
    starts_at timestamptz not null,
    ends_at timestamptz,
    created_at timestamptz not null default now(),
    check (ends_at >= starts_at),
    constraint incidents_check2 check (severity <> 'maintenance' or ends_at is not null),
    constraint incidents_check3 check (severity = 'maintenance' or (state = 'resolved') = (ends_at is not null)),
    check ((severity = 'maintenance') = (state in ('scheduled', 'in_progress', 'completed', 'canceled')))
  )`,
  'create index incidents_started on incidents (starts_at, id)',
  "create index incidents_open on incidents (starts_at) where state not in ('resolved', 'completed')",
  `create table incident_updates (
    id uuid primary key,
    incident_id uuid not null references incidents on delete cascade,
    state text not null,
    text text not null check (text <> ''),
    automatic boolean not null default false,
    author_id uuid references users on delete set null,
    at timestamptz not null default now()
  )`,
  'create index incident_updates_incident on incident_updates (incident_id, at)',
  'create index incident_updates_author on incident_updates (author_id)',
  `create table incident_services (
    incident_id uuid not null references incidents on delete cascade,
    service text not null check (service in ${services}),
    primary key (incident_id, service)
  )`,
  `create table status_overrides (
    service text primary key check (service in ${services}),
    state text not null check (state in ('operational', 'degraded', 'outage', 'maintenance')),
    until timestamptz not null
  )`,
];
