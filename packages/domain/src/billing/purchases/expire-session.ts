import { randomUUID } from 'node:crypto';
import { expireCheckoutSession, getCheckoutSession } from '@uprez/payments/checkout-sessions';
import { PaymentError } from '@uprez/payments/payment-error';
import type { CallContext } from '../calls/call-kind.ts';
import type { PurchaseEnd } from './purchase-kind.ts';

/** Expires a Checkout session. Stripe refuses if it was completed meanwhile. */
export async function expireSession({ payments }: CallContext, sessionId: string): Promise<PurchaseEnd> {
  try {
    const { status } = await getCheckoutSession(payments, sessionId);
    // As in `voidUnpaid`, the key only covers the retry of a lost reply.
    const idempotencyKey = `expire:${randomUUID()}`;
    if (status === 'open') await expireCheckoutSession(payments, { sessionId, idempotencyKey });
    return status === 'complete' ? 'paid' : 'ended';
  } catch (error) {
    if (!(error instanceof PaymentError) || error.kind !== 'invalid_request') throw error;
    const { status } = await getCheckoutSession(payments, sessionId);
    if (status === 'open') throw error;
    return status === 'complete' ? 'paid' : 'ended';
  }
}
