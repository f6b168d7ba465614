export const poolTables: readonly string[] = [
  `create table pools (
    name text primary key,
    fallback text not null default 'outage' check (fallback in ('never', 'outage', 'busy')),
    last_sign_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  `create table account_pools (
    account_id uuid primary key references users on delete cascade,
    pool text not null references pools on delete cascade
  )`,
  'create index account_pools_pool on account_pools (pool)',
  `create table plan_pools (
    tier text primary key,
    pool text not null references pools on delete cascade
  )`,
  'create index plan_pools_pool_reference on plan_pools (pool) where pool is not null',
];
