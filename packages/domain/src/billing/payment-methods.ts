import type { DbOrTx } from '@uprez/db/database';
import { findInstanceFact } from '@uprez/db/queries/instance/instance';

/** Name of the fact of the installation: the types of payment methods that are on at Stripe, separated by commas. */
export const methodsFact = 'stripe_payment_methods';

/** The types of payment methods that were on at the last sync, such as `card` and `paypal`. Empty before the first one. */
export async function readPaymentMethods(db: DbOrTx): Promise<string[]> {
  const fact = (await findInstanceFact(db, methodsFact)) ?? '';
  return fact.split(',').filter((type) => type !== '');
}
