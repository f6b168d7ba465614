import type { DbOrTx } from '@uprez/db/database';
import { findInstanceFact, setInstanceFact } from '@uprez/db/queries/instance/instance';
import { listEnabledMethods } from '@uprez/payments/payment-methods';
import type { Needs } from '../context.ts';

/** Name of the fact of the installation: the types of payment methods that are on at Stripe, separated by commas. */
export const methodsFact = 'stripe_payment_methods';

/** The types of payment methods that were on at the last sync, such as `card` and `paypal`. Empty before the first one. */
export async function readPaymentMethods(db: DbOrTx): Promise<string[]> {
  const fact = (await findInstanceFact(db, methodsFact)) ?? '';
  return fact.split(',').filter((type) => type !== '');
}

/** Stores which payment methods are on at Stripe. Returns their types. Throws PaymentError. */
export async function syncPaymentMethods({ db, payments }: Needs<'db' | 'payments'>): Promise<string[]> {
  const methods = await listEnabledMethods(payments);
  await setInstanceFact(db, methodsFact, methods.join(','));
  return methods;
}
