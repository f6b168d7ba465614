import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const refunds = (kinds: string) =>
  `create index billing_calls_refunds on billing_calls ((request->>'paymentId')) where kind in (${kinds})`;

/**
 * The cards that payments were made with, the errors that calls ended with, and former customers of accounts. Customers are
 * read again, for their former payments.
 */
export const paymentCards: Migration = {
  up: runAll([
    'alter table payments add column card_brand text, add column card_last4 text',
    'alter table billing_calls add column error_code text',
    'alter table billing_customers add column former_account_id uuid references users on delete set null',
    'create index billing_customers_former on billing_customers (former_account_id)',
    'update billing_customers set wanted = wanted + 1',
    'drop index billing_calls_refunds',
    refunds("'refund', 'refund_and_cancel'"),
  ]),
  down: runAll([
    'drop index billing_calls_refunds',
    refunds("'refund'"),
    'alter table billing_customers drop column former_account_id',
    'alter table billing_calls drop column error_code',
    'alter table payments drop column card_brand, drop column card_last4',
  ]),
};
