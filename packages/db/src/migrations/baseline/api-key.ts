export const apiKeyTables: readonly string[] = [
  `create table api_keys (
    id uuid primary key,
    account_id uuid references users on delete cascade,
    name text not null,
    kind text not null check (kind in ('live', 'test', 'service')),
    secret_hash bytea unique,
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
    created_at timestamptz not null default now(),
    created_by uuid references users on delete set null,
    deleted_at timestamptz,
    allowed_origins text[] not null default '{}',
    constraint api_keys_owner_check check ((kind = 'service') = (account_id is null)),
    constraint api_keys_secret_check check ((secret_hash is null) = (deleted_at is not null))
  )`,
  'create index api_keys_account on api_keys (account_id, created_at)',
  'create index api_keys_created on api_keys (created_at, id)',
  // For deleting an account, which looks up the keys that the account created.
  'create index api_keys_created_by on api_keys (created_by) where created_by is not null',
  'create index api_keys_deleted on api_keys (deleted_at) where deleted_at is not null',
  // For reading the origins of all keys without reading the keys that have none.
  "create index api_keys_origins on api_keys (id) where allowed_origins <> '{}'",
  'create index api_keys_replaced_by_reference on api_keys (replaced_by) where replaced_by is not null',
  `create table api_key_days (
    key_id uuid not null references api_keys on delete cascade,
    day date not null,
    calls integer not null default 0,
    errors integer not null default 0,
    units integer not null default 0,
    primary key (key_id, day)
  )`,
];
