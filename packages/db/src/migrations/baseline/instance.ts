/** Account ID that stands for all visitors, who share one position in the queue. */
const visitorAccountId = `'00000000-0000-0000-0000-000000000000'::uuid`;

export const instanceTables: readonly string[] = [
  `create table instance (
    name text primary key,
    value text not null
  )`,
  // Has no check constraint on the name, because it would have to change with each new group of settings.
  `create table settings (
    name text primary key,
    value jsonb not null,
    updated_at timestamptz not null default now(),
    version integer not null default 1
  )`,
  // Secrets are omitted, and only the names of changed ones are stored. Version 0 holds the values before the first
  // write.
  `create table settings_versions (
    name text not null references settings on delete cascade,
    version integer not null check (version >= 0),
    value jsonb not null,
    secrets text[] not null default '{}',
    actor_id uuid references users on delete set null,
    restored_from integer,
    created_at timestamptz not null default now(),
    primary key (name, version)
  )`,
  'create index settings_versions_actor on settings_versions (actor_id)',
  `create table scheduled_tasks (
    name text primary key,
    next_run_at timestamptz not null default now(),
    lease_holder uuid,
    lease_until timestamptz,
    last_started_at timestamptz,
    last_finished_at timestamptz,
    last_error text,
    last_succeeded_at timestamptz,
    check ((lease_holder is null) = (lease_until is null))
  ) with (fillfactor = 50)`,
  `create table outbox (
    id uuid primary key,
    kind text not null,
    payload jsonb not null,
    attempts integer not null default 0,
    not_before timestamptz not null default now(),
    created_at timestamptz not null default now(),
    sent_at timestamptz,
    user_id uuid references users on delete set null,
    failed_at timestamptz,
    last_error text
  )`,
  'create index outbox_user on outbox (user_id, created_at)',
  'create index outbox_waiting on outbox (not_before) where sent_at is null and failed_at is null',
  "create index outbox_ticket on outbox ((payload ->> 'ticketId')) where (payload ->> 'ticketId') is not null",
  `create function note_changed_visitors() returns trigger language plpgsql as $$
    begin
      insert into queue_changes (account_id) values (${visitorAccountId});
      return null;
    end $$`,
  `create trigger note_changed_visitors after insert or update on instance
    for each row when (new.name = 'visitors_virtual_time') execute function note_changed_visitors()`,
];
