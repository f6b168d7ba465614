export const imageUrlTables: readonly string[] = [
  `create table image_url_settings (
    account_id uuid primary key references users on delete cascade,
    key_id text not null unique,
    is_enabled boolean not null default false,
    hosts text[] not null default '{}',
    secret text not null,
    former_secret text,
    former_until timestamptz,
    rotated_at timestamptz not null default now(),
    check ((former_secret is null) = (former_until is null))
  )`,
  `create table image_url_results (
    account_id uuid not null references users on delete cascade,
    hash text not null,
    job_id uuid references jobs on delete cascade,
    claimed_until timestamptz,
    fresh_until timestamptz,
    error_code text,
    error_detail text,
    updated_at timestamptz not null default now(),
    primary key (account_id, hash)
  )`,
  'create index image_url_results_job on image_url_results (job_id)',
  'create index image_url_results_updated on image_url_results (updated_at)',
];
