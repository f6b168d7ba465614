/**
 * Analytics by day and month (UTC). Only `mrr_accounts` contains account IDs. Amounts are in cents. They may be
 * fractions, because the monthly amounts of a yearly plan must add up to its price.
 */
export const analyticsTables: readonly string[] = [
  `create table analytics_state (
    is_only boolean default true primary key check (is_only),
    frozen_until date,
    backfilled_until date,
    is_backfilled boolean not null default false,
    money_read_at timestamptz
  )`,
  'insert into analytics_state default values',
  // `from_deleted`: whether the row counts jobs of accounts that were deleted before the day was final. These jobs
  // can't be counted again, because they were deleted with their account.
  `create table job_days (
    day date not null,
    surface text not null check (surface in ('web', 'api')),
    meter text not null check (meter in ('ai', 'standard')),
    engine text not null,
    tier text not null,
    from_deleted boolean not null,
    completed integer not null,
    failed integer not null,
    cancelled integer not null,
    pixels bigint not null,
    run_ms bigint not null,
    engine_ms bigint not null,
    primary key (day, surface, meter, engine, tier, from_deleted)
  )`,
  `create table job_time_days (
    day date not null,
    engine text not null,
    measure text not null check (measure in ('wait', 'run')),
    bucket smallint not null,
    from_deleted boolean not null,
    count integer not null,
    lowest_ms real,
    highest_ms real,
    primary key (day, engine, measure, bucket, from_deleted)
  )`,
  // Histograms of whole months, because adding up the days of a year for each request would be too slow.
  `create table job_time_months (
    month date not null,
    engine text not null,
    measure text not null check (measure in ('wait', 'run')),
    bucket smallint not null,
    count integer not null,
    lowest_ms real,
    highest_ms real,
    primary key (month, engine, measure, bucket)
  )`,
  `create table failure_days (
    day date not null,
    engine text not null,
    code text not null,
    from_deleted boolean not null,
    count integer not null,
    primary key (day, engine, code, from_deleted)
  )`,
  `create table site_days (
    day date primary key,
    users integer not null,
    new_users integer not null,
    verified_users integer not null,
    deleted_users integer not null,
    active_users integer not null
  )`,
  `create table deleted_account_days (
    day date primary key,
    new_users integer not null default 0,
    verified_users integer not null default 0,
    deleted_users integer not null default 0,
    active_users integer not null default 0
  )`,
  `create table revenue_days (
    day date not null,
    tier text not null,
    accounts integer not null default 0,
    mrr numeric not null default 0,
    new_mrr numeric not null default 0,
    expansion numeric not null default 0,
    contraction numeric not null default 0,
    churn numeric not null default 0,
    reactivation numeric not null default 0,
    lost_accounts integer not null default 0,
    gross numeric not null default 0,
    refunds numeric not null default 0,
    is_booked boolean not null default false,
    primary key (day, tier)
  )`,
  // Keyed by the paying account, because an account may have had several customers at Stripe.
  `create table mrr_accounts (
    payer_id text primary key,
    tier text not null,
    cents numeric not null check (cents >= 0::numeric)
  )`,
  `create table cohort_months (
    cohort date not null,
    month date not null,
    from_deleted boolean not null,
    accounts integer not null default 0,
    active integer not null default 0,
    paying integer,
    mrr numeric,
    primary key (cohort, month, from_deleted)
  )`,
];
