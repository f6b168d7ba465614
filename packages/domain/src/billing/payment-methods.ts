import type { DbOrTx } from '@uprez/db/database';
import { findInstanceFact, setInstanceFact } from '@uprez/db/queries/instance/instance';
import { listEnabledMethods } from '@uprez/payments/payment-methods';
import type { Needs } from '../context.ts';

/** Name of the instance fact that stores the types of payment methods enabled at Stripe, as a comma-separated list. */
export const methodsFact = 'stripe_payment_methods';

/**
 * Returns the types of payment methods that were enabled at the last sync, such as `card` and `paypal`. Returns an
 * empty array before the first sync.
 */
export async function readPaymentMethods(db: DbOrTx): Promise<string[]> {
  const fact = (await findInstanceFact(db, methodsFact)) ?? '';
  return fact.split(',').filter((type) => type !== '');
}

/** Reads the payment methods enabled at Stripe and stores their types. Returns the types. Throws PaymentError. */
export async function syncPaymentMethods({ db, payments }: Needs<'db' | 'payments'>): Promise<string[]> {
  const methods = await listEnabledMethods(payments);
  await setInstanceFact(db, methodsFact, methods.join(','));
  return methods;
}
