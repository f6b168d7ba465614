import { setInstanceFact } from '@uprez/db/queries/instance/instance';
import { listEnabledMethods } from '@uprez/payments/payment-methods';
import type { Needs } from '../context.ts';
import { methodsFact } from './payment-methods.ts';

/** Stores which payment methods are on at Stripe. Returns their types. Throws PaymentError. */
export async function syncPaymentMethods({ db, payments }: Needs<'db' | 'payments'>): Promise<string[]> {
  const methods = await listEnabledMethods(payments);
  await setInstanceFact(db, methodsFact, methods.join(','));
  return methods;
}
