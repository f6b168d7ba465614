import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const tables = [
  `create table payments (
    id text primary key,
    customer_id text not null references billing_customers,
    invoice_id text references invoices,
    amount integer not null check (amount >= 0),
    received integer not null check (received between 0 and amount),
    refunded integer not null check (refunded between 0 and amount),
    lost integer not null default 0 check (lost between 0 and amount - refunded),
    currency text not null,
    status text not null,
    method text,
    failure_code text,
    failure_message text,
    is_disputed boolean not null,
    created_at timestamptz not null,
    fetched_at timestamptz not null default now()
  )`,
  'create index payments_customer on payments (customer_id)',
  'create index payments_invoice on payments (invoice_id)',
  'create index payments_created on payments (created_at, id)',
  `create table refunds (
    id text primary key,
    payment_id text not null references payments,
    amount integer not null check (amount > 0),
    currency text not null,
    status text not null check (status in ('pending', 'requires_action', 'succeeded', 'failed', 'canceled')),
    reason text,
    failure_reason text,
    call_id text,
    created_at timestamptz not null,
    fetched_at timestamptz not null default now()
  )`,
  'create index refunds_payment on refunds (payment_id)',
  `create table disputes (
    id text primary key,
    payment_id text not null references payments,
    amount integer not null check (amount > 0),
    currency text not null,
    outcome text not null check (outcome in ('open', 'won', 'lost')),
    reason text not null,
    created_at timestamptz not null,
    fetched_at timestamptz not null default now()
  )`,
  'create index disputes_payment on disputes (payment_id)',
  `create table billing_mails (
    key text primary key,
    account_id uuid not null references users on delete cascade,
    created_at timestamptz not null default now()
  )`,
  'create index billing_mails_account on billing_mails (account_id)',
  `create table stripe_checks (
    id bigint primary key generated always as identity,
    kind text not null check (kind in ('events', 'subscriptions')),
    started_at timestamptz not null,
    finished_at timestamptz not null default now(),
    checked integer not null check (checked >= 0),
    found integer not null check (found between 0 and checked)
  )`,
  'create index stripe_checks_latest on stripe_checks (kind, id)',
];

const columns = [
  `alter table stripe_events add source text not null default 'webhook' check (source in ('webhook', 'pull'))`,
  `alter table subscriptions
    add past_due_at timestamptz,
    add past_due_invoice_id text,
    add ladder_step integer check (ladder_step >= 0),
    add constraint subscriptions_past_due check ((past_due_at is null) = (past_due_invoice_id is null)),
    add constraint subscriptions_ladder check (ladder_step is null or past_due_at is not null)`,
  'create index subscriptions_unpaid on subscriptions (past_due_at) where past_due_at is not null',
  `alter table ledger
    drop constraint ledger_kind_check,
    drop constraint ledger_sign_check,
    drop constraint ledger_subject_check,
    add constraint ledger_kind_check check (kind in ('grant', 'reserve', 'settle', 'release', 'expire', 'reverse')),
    add constraint ledger_sign_check check (case kind
      when 'grant' then units >= 0
      when 'reserve' then units < 0
      when 'settle' then units = 0
      when 'release' then units > 0
      when 'reverse' then units <= 0 and ref is not null
      else true end),
    add constraint ledger_subject_check check ((kind in ('grant', 'expire', 'reverse')) = (job_id is null))`,
];

const undone = [
  // Otherwise allowances wouldn't agree with their rows.
  'alter table ledger disable trigger ledger_append_only',
  `update ledger set kind = 'expire' where kind = 'reverse'`,
  'alter table ledger enable trigger ledger_append_only',
  `alter table ledger
    drop constraint ledger_kind_check,
    drop constraint ledger_sign_check,
    drop constraint ledger_subject_check,
    add constraint ledger_kind_check check (kind in ('grant', 'reserve', 'settle', 'release', 'expire')),
    add constraint ledger_sign_check check (case kind
      when 'grant' then units >= 0
      when 'reserve' then units < 0
      when 'settle' then units = 0
      when 'release' then units > 0
      else true end),
    add constraint ledger_subject_check check ((kind in ('grant', 'expire')) = (job_id is null))`,
  'drop index subscriptions_unpaid',
  'alter table subscriptions drop ladder_step, drop past_due_invoice_id, drop past_due_at',
  'alter table stripe_events drop source',
  ...['stripe_checks', 'billing_mails', 'disputes', 'refunds', 'payments'].map((table) => `drop table ${table}`),
];

/**
 * Payments, their refunds and disputes, and what follows from them: units that are taken back, attempts to collect a bill,
 * emails that are sent once, and comparisons with Stripe. Amounts are cents.
 */
export const payments: Migration = { up: runAll([...tables, ...columns]), down: runAll(undone) };
