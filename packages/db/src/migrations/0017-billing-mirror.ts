import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  `alter table billing_customers
    add fence integer not null default 0,
    add lease_until timestamptz,
    add not_before timestamptz not null default now(),
    add failures integer not null default 0,
    add error text`,
  'create index billing_customers_due on billing_customers (not_before) where wanted > mirrored',
  `alter table stripe_events
    add attempts integer not null default 0,
    add not_before timestamptz not null default now()`,
  `create index stripe_events_pending on stripe_events (customer_id, not_before) where state = 'pending'`,
  'create index stripe_events_received on stripe_events (received_at)',
  `create table subscriptions (
    id text primary key,
    customer_id text not null references billing_customers,
    status text not null,
    price_id text not null,
    tier text not null,
    plan_version integer not null,
    interval text not null check (interval in ('month', 'year')),
    amount integer not null check (amount >= 0),
    currency text not null,
    period_start timestamptz not null,
    period_end timestamptz not null check (period_end >= period_start),
    anchor timestamptz not null,
    cancel_at timestamptz,
    cancels_at_period_end boolean not null,
    cancel_feedback text,
    cancel_reason text,
    is_paused boolean not null,
    paused_until timestamptz,
    schedule_id text,
    next_price_id text,
    next_at timestamptz,
    pending_price_id text,
    pending_until timestamptz,
    card_brand text,
    card_last4 text,
    card_exp_month integer,
    card_exp_year integer,
    latest_invoice_id text,
    created_at timestamptz not null,
    ended_at timestamptz,
    fetched_at timestamptz not null default now()
  )`,
  'create index subscriptions_customer on subscriptions (customer_id)',
  `create table invoices (
    id text primary key,
    customer_id text not null references billing_customers,
    subscription_id text not null references subscriptions,
    number text,
    status text not null check (status in ('draft', 'open', 'paid', 'uncollectible', 'void')),
    currency text not null,
    subtotal integer not null,
    discount integer not null check (discount >= 0),
    tax integer not null,
    total integer not null,
    due integer not null,
    paid integer not null check (paid >= 0),
    refunded integer not null check (refunded between 0 and paid),
    reason text not null,
    attempts integer not null,
    next_attempt_at timestamptz,
    created_at timestamptz not null,
    finalized_at timestamptz,
    paid_at timestamptz,
    voided_at timestamptz,
    fetched_at timestamptz not null default now()
  )`,
  'create index invoices_customer on invoices (customer_id, created_at)',
  'create index invoices_subscription on invoices (subscription_id)',
  `create table invoice_lines (
    id text primary key,
    invoice_id text not null references invoices on delete cascade,
    price_id text,
    description text,
    amount integer not null,
    discount integer not null,
    tax integer not null,
    period_start timestamptz not null,
    period_end timestamptz not null check (period_end >= period_start),
    is_proration boolean not null
  )`,
  'create index invoice_lines_invoice on invoice_lines (invoice_id)',
];

const undone = [
  ...['invoice_lines', 'invoices', 'subscriptions'].map((table) => `drop table ${table}`),
  'drop index stripe_events_received, stripe_events_pending, billing_customers_due',
  'alter table stripe_events drop attempts, drop not_before',
  'alter table billing_customers drop fence, drop lease_until, drop not_before, drop failures, drop error',
];

/** What Stripe says about customers, and who reads it now. Amounts are cents. Rows stay when an account goes. */
export const billingMirror: Migration = { up: runAll(statements), down: runAll(undone) };
