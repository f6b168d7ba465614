export const usageTables: readonly string[] = [
  `create table allowances (
    id uuid primary key default gen_random_uuid(),
    account_id uuid not null references users on delete cascade,
    meter text not null check (meter in ('ai', 'standard', 'shared')),
    source text not null check (source in ('plan', 'grant', 'pack')),
    tier text,
    units integer not null check (units >= 0),
    units_left integer not null,
    hard_stop boolean not null default true,
    reason text not null,
    starts_at timestamptz not null,
    expires_at timestamptz,
    closed_at timestamptz,
    warned integer not null default 0,
    created_at timestamptz not null default now(),
    ref text,
    cycle integer check (cycle >= 0),
    check ((source = 'plan') = (tier is not null)),
    check (units_left >= 0 or not hard_stop),
    check (closed_at is null or units_left = 0),
    constraint allowances_cycle check ((ref is null) = (cycle is null)),
    constraint allowances_pack_check
      check ((source = 'pack') = (expires_at is null) and (source <> 'pack' or ref is not null))
  )`,
  'create index allowances_open on allowances (account_id, expires_at) where closed_at is null',
  'create index allowances_expiry on allowances (expires_at) where closed_at is null',
  `create unique index allowances_once on allowances (account_id, tier, meter, starts_at)
    where source = 'plan' and ref is null`,
  // Units that an invoice pays for are granted once per monthly cycle, even if Stripe moves the times of the invoice.
  `create unique index allowances_paid_once on allowances (account_id, ref, cycle, tier, meter)
    where source = 'plan' and ref is not null`,
  "create unique index allowances_ref on allowances (ref) where source = 'pack'",
  'create index allowances_account_id_reference on allowances (account_id) where account_id is not null',
  `create table ledger (
    id bigint generated always as identity primary key,
    account_id uuid not null references users on delete cascade,
    job_id uuid,
    kind text not null check (kind in ('grant', 'reserve', 'settle', 'release', 'expire', 'reverse')),
    meter text not null check (meter in ('ai', 'standard', 'shared')),
    units integer not null,
    reason text not null,
    created_at timestamptz not null default now(),
    allowance_id uuid not null references allowances on delete cascade,
    ref text,
    unique (job_id, kind),
    constraint ledger_sign_check
      check (case kind
        when 'grant' then units >= 0
        when 'reserve' then units < 0
        when 'settle' then units = 0
        when 'release' then units > 0
        when 'reverse' then units <= 0 and ref is not null
        else true
      end),
    constraint ledger_subject_check check ((kind in ('grant', 'expire', 'reverse')) = (job_id is null))
  )`,
  "create unique index ledger_closed_once on ledger (job_id) where kind in ('settle', 'release')",
  'create index ledger_allowance on ledger (allowance_id)',
  'create index ledger_account on ledger (account_id, id)',
  'create unique index ledger_ref on ledger (allowance_id, kind, ref) where ref is not null',
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
  // Rows are updated often, so half of each page is kept free for new row versions.
  `create table daily_counts (
    account_id uuid not null references users on delete cascade,
    name text not null,
    day date not null,
    count integer not null,
    primary key (account_id, name)
  ) with (fillfactor = 50)`,
  // Rows are never updated. They are deleted only with their account.
  `create function refuse_ledger_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and not exists (select from users where id = old.account_id) then return old; end if;
    raise exception 'rows of the ledger are only ever added';
  end $$`,
  `create trigger ledger_append_only before delete or update on ledger
    for each row execute function refuse_ledger_change()`,
];
