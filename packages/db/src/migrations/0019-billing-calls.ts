import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  `create table billing_calls (
    id uuid primary key,
    account_id uuid references users on delete set null,
    kind text not null,
    slot text,
    idempotency_key text not null unique,
    request jsonb not null,
    step text,
    state text not null default 'open' check (state in ('open', 'done', 'failed')),
    stripe_ids jsonb not null default '{}',
    error text,
    failures integer not null default 0,
    fence integer not null default 1,
    lease_until timestamptz,
    not_before timestamptz not null default now(),
    expires_at timestamptz not null,
    created_at timestamptz not null default now(),
    ended_at timestamptz,
    check ((state = 'open') = (ended_at is null))
  )`,
  `create unique index billing_calls_slot on billing_calls (account_id, slot) where state = 'open' and slot is not null`,
  `create index billing_calls_due on billing_calls (not_before) where state = 'open'`,
  'create index billing_calls_account on billing_calls (account_id, created_at)',
  'alter table billing_customers add email_digest text',
];

/**
 * Calls that change something at Stripe. The row is there before the first request, and has what the next one needs after a
 * crash. Only one call of an account is open in each slot.
 */
export const billingCalls: Migration = {
  up: runAll(statements),
  down: runAll(['drop table billing_calls', 'alter table billing_customers drop email_digest']),
};
