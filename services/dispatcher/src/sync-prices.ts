import type { Db } from '@uprez/db/database';
import { syncCoupons } from '@uprez/domain/billing/coupons/sync-coupons';
import { syncPaymentMethods } from '@uprez/domain/billing/payment-methods';
import { type CatalogChange, syncCatalog } from '@uprez/domain/billing/sync-catalog';
import { openPayments, type PaymentsOptions } from '@uprez/payments/open-payments';
import { PaymentError } from '@uprez/payments/payment-error';

/**
 * Updates the products, prices, and coupons at Stripe to match the database and the plan table, and prints each change.
 * Stores the payment methods that are enabled at Stripe. Returns a summary.
 */
export async function syncPrices(db: Db, options: PaymentsOptions): Promise<string> {
  const payments = openPayments(options);
  let changes = 0;
  const onChange = (change: CatalogChange) => {
    changes += 1;
    console.log(`Stripe: ${describe(change)}`);
  };
  try {
    const { account, prices } = await syncCatalog({ db, payments }, { onChange });
    changes += await syncCoupons({ db, payments, log });
    const methods = await syncPaymentMethods({ db, payments });
    return `Stripe account ${account}: ${prices} prices on sale, ${changes} changes, payment methods: ${methods.join(', ') || 'none'}`;
  } finally {
    payments.close();
  }
}

/** Prints warnings about coupons that failed. The dispatcher retries them. */
const log = {
  info: () => {},
  warn: (facts: object, message: string) => console.warn(message, facts),
  error: () => {},
};

const describe = ({ change, object, id, name }: CatalogChange) => `${change} the ${object} ${name} (${id})`;

/** Whether Stripe may accept the same call later. */
export const isTemporary = (error: unknown): error is PaymentError =>
  error instanceof PaymentError && error.retry !== 'none';

/** Throws an error that tells the operator what to do. */
export function rethrowPaymentError(error: unknown): never {
  const sentence = isTemporary(error)
    ? 'Stripe is unavailable. Run this command again: it completes what is missing.'
    : error instanceof PaymentError && error.kind === 'invalid_credentials'
      ? "Stripe doesn't accept STRIPE_SECRET_KEY, or the key lacks a permission."
      : undefined;
  throw sentence ? new Error(sentence, { cause: error }) : error;
}
