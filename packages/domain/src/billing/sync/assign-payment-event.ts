import { assignEventCustomer, claimPaymentEvent, postponeEvent } from '@uprez/db/queries/billing/stripe-events';
import { PaymentError } from '@uprez/payments/payment-error';
import { getPayment } from '@uprez/payments/payment-intents';
import type { Needs } from '../../context.ts';
import { computeRetryDelayS } from '../calls/stripe-errors.ts';

/** Longer than a request to Stripe may take. */
const leaseS = 60;

/**
 * Finds the customer for a refund or dispute event, which names only its payment. Marks the customer to be read again.
 * Returns false if no such event is due.
 */
export async function assignPaymentEvent(ctx: Needs<'db' | 'payments' | 'log'>): Promise<boolean> {
  const event = await claimPaymentEvent(ctx.db, leaseS);
  if (!event) return false;
  const { id: eventId, paymentIntentId, attempts } = event;
  try {
    await assignEventCustomer(ctx.db, eventId, await findCustomerOf(ctx, paymentIntentId));
  } catch (error) {
    const delayS = computeRetryDelayS(error, attempts - 1);
    ctx.log.warn({ err: error, eventId, attempts, delayS }, 'reading the payment of an event failed, will retry');
    await postponeEvent(ctx.db, eventId, delayS);
  }
  return true;
}

async function findCustomerOf({ payments }: Needs<'payments'>, paymentIntentId: string): Promise<string | null> {
  try {
    return (await getPayment(payments, paymentIntentId)).customerId;
  } catch (error) {
    if (error instanceof PaymentError && error.kind === 'not_found') return null;
    throw error;
  }
}
