import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  `create table coupons (
    id uuid primary key,
    code text not null unique check (code = upper(code)),
    percent integer check (percent between 1 and 100),
    amount integer check (amount > 0),
    currency text not null,
    description text not null,
    duration text not null check (duration in ('once', 'months', 'forever')),
    duration_months integer check (duration_months > 0),
    tiers text[] not null default '{}',
    max_uses integer check (max_uses > 0),
    uses integer not null default 0 check (uses >= 0),
    per_account integer not null default 1 check (per_account > 0),
    expires_at timestamptz,
    disabled_at timestamptz,
    promotion_code_id text unique,
    is_active_at_stripe boolean not null default false,
    failures integer not null default 0,
    not_before timestamptz not null default now(),
    error text,
    created_by uuid references users on delete set null,
    created_at timestamptz not null default now(),
    check ((percent is null) <> (amount is null)),
    check ((duration = 'months') = (duration_months is not null)),
    check (uses <= max_uses)
  )`,
  // `slot` numbers the uses of an account, so that the index below limits them.
  `create table coupon_redemptions (
    id uuid primary key,
    coupon_id uuid not null references coupons,
    account_id uuid references users on delete set null,
    slot integer not null check (slot > 0),
    call_id uuid not null,
    subscription_id text,
    reserved_at timestamptz not null default now(),
    redeemed_at timestamptz,
    released_at timestamptz,
    check (redeemed_at is null or released_at is null)
  )`,
  `create unique index coupon_redemptions_once on coupon_redemptions (coupon_id, account_id, slot)
    where released_at is null`,
  'create unique index coupon_redemptions_call on coupon_redemptions (call_id) where released_at is null',
  'create unique index coupon_redemptions_subscription on coupon_redemptions (subscription_id) where released_at is null',
  'create index coupon_redemptions_coupon on coupon_redemptions (coupon_id, id)',
  'create index coupon_redemptions_account on coupon_redemptions (account_id)',
  `create table leads (
    id uuid primary key,
    account_id uuid references users on delete set null,
    name text not null,
    email text not null,
    company text not null,
    volume text not null,
    message text not null,
    created_at timestamptz not null default now()
  )`,
  'create index leads_account on leads (account_id)',
  `alter table prices add pack_units integer check (pack_units > 0), add pack_meter text,
    add check ((pack is null) = (pack_units is null)), add check ((pack is null) = (pack_meter is null))`,
  `alter table allowances drop constraint allowances_source_check, alter expires_at drop not null,
    add constraint allowances_source_check check (source in ('plan', 'grant', 'pack')),
    add constraint allowances_pack_check check ((source = 'pack') = (expires_at is null)
      and (source <> 'pack' or ref is not null))`,
  `create unique index allowances_ref on allowances (ref) where source = 'pack'`,
  'alter table settings drop constraint settings_name_check',
  `alter table settings add constraint settings_name_check check (name in ('site', 'email', 'security', 'billing'))`,
];

const undone = [
  `delete from settings where name = 'billing'`,
  'alter table settings drop constraint settings_name_check',
  `alter table settings add constraint settings_name_check check (name in ('site', 'email', 'security'))`,
  'drop index allowances_ref',
  // Without an end, a pack would be an invalid grant. Its units stay for ten years.
  `alter table allowances drop constraint allowances_pack_check, drop constraint allowances_source_check`,
  `update allowances set source = 'grant', expires_at = now() + interval '10 years' where source = 'pack'`,
  `alter table allowances alter expires_at set not null,
    add constraint allowances_source_check check (source in ('plan', 'grant'))`,
  'alter table prices drop pack_units, drop pack_meter',
  'drop table leads',
  'drop table coupon_redemptions',
  'drop table coupons',
];

/** Coupons and who uses them, packs of units without an end, and inquiries about Enterprise. Amounts are cents. */
export const coupons: Migration = { up: runAll(statements), down: runAll(undone) };
