import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

/** Invoices of packs, which have no subscription. The way back removes them: the mirror reads them again. */
export const packInvoices: Migration = {
  up: runAll([
    'alter table invoices alter subscription_id drop not null',
    // They are read with the next change, or now.
    `update billing_customers set wanted = wanted + 1 where wanted = mirrored and stripe_id in (
      select customer_id from payments where invoice_id is null and status = 'succeeded')`,
  ]),
  down: runAll([
    `update payments set invoice_id = null from invoices
      where invoices.id = payments.invoice_id and invoices.subscription_id is null`,
    'delete from invoices where subscription_id is null',
    'alter table invoices alter subscription_id set not null',
  ]),
};
