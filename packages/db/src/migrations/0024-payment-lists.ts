import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const indexes = {
  subscriptions_created: 'subscriptions (created_at, id)',
  subscriptions_renewal: 'subscriptions (period_end, id)',
  subscriptions_amount: 'subscriptions (amount, id)',
  subscriptions_status: 'subscriptions (status, created_at, id)',
  payments_amount: 'payments (amount, id)',
  payments_status: 'payments (status, created_at, id)',
  invoices_paid: 'invoices (paid_at) where paid_at is not null',
  subscriptions_live: `subscriptions (customer_id) where status in ('active', 'past_due')`,
  invoices_number: 'invoices (number)',
  billing_calls_refunds: `billing_calls ((request->>'paymentId')) where kind = 'refund'`,
  stripe_events_state: 'stripe_events (state, received_at, id)',
  stripe_events_order: 'stripe_events (received_at, id)',
  // The expression of user-text.ts.
  users_text: `users using gin (lower(email || ' ' || username || ' ' || coalesce(first_name, '') || ' ' ||
    coalesce(last_name, '')) gin_trgm_ops)`,
};

/** Indexes for the tables of administrators, and for parts of email addresses and names. */
export const paymentLists: Migration = {
  up: runAll([
    'create extension if not exists pg_trgm',
    'drop index stripe_events_received',
    ...Object.entries(indexes).map(([name, on]) => `create index ${name} on ${on}`),
  ]),
  down: runAll([
    ...Object.keys(indexes).map((name) => `drop index ${name}`),
    'create index stripe_events_received on stripe_events (received_at)',
    'drop extension pg_trgm',
  ]),
};
