import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const statements = [
  'alter table subscriptions add next_amount integer check (next_amount >= 0)',
  'alter table billing_customers add money_back_at timestamptz, add deleted_at timestamptz',
  `create index billing_customers_left on billing_customers (created_at)
    where account_id is null and deleted_at is null`,
];

const undone = [
  'drop index billing_customers_left',
  'alter table billing_customers drop deleted_at, drop money_back_at',
  'alter table subscriptions drop next_amount',
];

/**
 * What the next bill of a subscription will be, in cents, when an account used its money-back guarantee, and when the customer
 * of a deleted account was deleted at Stripe.
 */
export const planChanges: Migration = { up: runAll(statements), down: runAll(undone) };
