import type { Migration } from 'kysely';
import { runAll } from './run-all.ts';

/** What the next bill of a subscription will be, in cents, and when an account used its money-back guarantee. */
export const planChanges: Migration = {
  up: runAll([
    'alter table subscriptions add next_amount integer check (next_amount >= 0)',
    'alter table billing_customers add money_back_at timestamptz',
  ]),
  down: runAll(['alter table billing_customers drop money_back_at', 'alter table subscriptions drop next_amount']),
};
