import type { Migration } from 'kysely';
import { runAll } from './run-all.ts';

/** Customers of deleted accounts are deleted at Stripe. Their rows and invoices stay. */
export const deletedCustomers: Migration = {
  up: runAll([
    'alter table billing_customers add deleted_at timestamptz',
    `create index billing_customers_left on billing_customers (created_at)
      where account_id is null and deleted_at is null`,
  ]),
  down: runAll(['drop index billing_customers_left', 'alter table billing_customers drop deleted_at']),
};
