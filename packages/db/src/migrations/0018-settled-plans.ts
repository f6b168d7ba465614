import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  `alter table users
    add override_tier text,
    add override_until timestamptz,
    add override_reason text,
    add plan_version integer,
    add plan_from timestamptz,
    add plan_until timestamptz,
    add plan_share integer not null default 100 check (plan_share between 1 and 100),
    add plan_ends_at timestamptz,
    add constraint users_plan_period check ((plan_from is null) = (plan_until is null))`,
  // Nobody could buy a plan before: administrators gave all of them.
  `update users set override_tier = tier, override_until = tier_until, override_reason = tier_reason,
    plan_ends_at = tier_until where tier <> 'free' or tier_until is not null`,
  'drop index users_tier_until',
  'alter table users drop tier_until, drop tier_before, drop anchor_before, drop tier_reason',
  'create index users_plan_ends_at on users (plan_ends_at) where plan_ends_at is not null',
  'alter table ledger add ref text',
  'create unique index ledger_ref on ledger (allowance_id, kind, ref) where ref is not null',
];

const undone = [
  'drop index ledger_ref',
  'alter table ledger drop ref',
  `alter table users
    add tier_until timestamptz,
    add tier_before text,
    add anchor_before timestamptz,
    add tier_reason text`,
  `update users set tier_until = override_until, tier_reason = override_reason,
    tier_before = case when override_until is not null then 'free' end`,
  'create index users_tier_until on users (tier_until) where tier_until is not null',
  `alter table users
    drop constraint users_plan_period,
    drop override_tier, drop override_until, drop override_reason,
    drop plan_version, drop plan_from, drop plan_until, drop plan_share, drop plan_ends_at`,
];

/** The plan of an account: administrators' override, else what is paid. A row of the ledger may name what it is for. */
export const settledPlans: Migration = { up: runAll(statements), down: runAll(undone) };
