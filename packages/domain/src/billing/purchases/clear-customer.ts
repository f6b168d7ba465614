import { randomUUID } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { expireCheckoutSession, getCheckoutSession, listCheckoutSessions } from '@uprez/payments/checkout-sessions';
import { voidInvoice } from '@uprez/payments/invoices';
import { PaymentError } from '@uprez/payments/payment-error';
import { cancelNow } from '@uprez/payments/subscription-changes';
import { getSubscription, listSubscriptions, type Subscription } from '@uprez/payments/subscriptions';
import type { CallContext } from '../calls/call-kind.ts';
import type { PurchaseCall, PurchaseEnd } from './purchase-kind.ts';

/**
 * Asks Stripe, because events may be late: throws AppError `already_subscribed` if the customer has a subscription of ours.
 * Ends what other calls left unpaid, so that only this one can be paid.
 */
export async function clearCustomer(ctx: CallContext, call: PurchaseCall): Promise<void> {
  const { customerId = '' } = call.stripeIds;
  const [subscriptions, sessions] = await Promise.all([
    listSubscriptions(ctx.payments, { customerId }),
    listCheckoutSessions(ctx.payments, { customerId }),
  ]);
  const others = subscriptions.items.filter((one) => one.price.isOurs && one.callId !== call.id && !isEnded(one));
  if (others.some(isPaid)) throw new AppError('already_subscribed');
  for (const { id } of others) if ((await endIncomplete(ctx, id)) === 'paid') throw new AppError('already_subscribed');
  const open = sessions.items.filter(
    ({ accountId, callId, mode, status }) =>
      accountId === call.accountId && callId !== call.id && mode === 'subscription' && status === 'open',
  );
  for (const { id } of open) if ((await expireSession(ctx, id)) === 'paid') throw new AppError('already_subscribed');
}

const isPaid = ({ status }: Subscription) => status !== 'incomplete';

export const isEnded = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status === 'canceled' || status === 'incomplete_expired';

/**
 * Ends a subscription that isn't paid. Its invoice is voided first, which Stripe refuses once it is paid: canceling could end
 * a subscription that was paid a moment ago. Throws AppError `billing_busy` while a payment is processed.
 */
export async function endIncomplete(ctx: CallContext, subscriptionId: string): Promise<PurchaseEnd> {
  const read = async () => (await getSubscription(ctx.payments, subscriptionId)).subscription;
  const before = await read();
  if (isEnded(before)) return 'ended';
  if (before.status !== 'incomplete') return 'paid';
  const isVoid = await voidUnpaid(ctx, before.latestInvoiceId ?? '');
  const after = await read();
  if (isEnded(after)) return 'ended';
  if (!isVoid && after.status !== 'incomplete') return 'paid';
  if (!isVoid) throw new AppError('billing_busy');
  await cancelNow(ctx.payments, { subscriptionId });
  return 'ended';
}

/** Returns false if Stripe refuses: the invoice is paid, void, or being paid. */
async function voidUnpaid({ payments }: CallContext, invoiceId: string): Promise<boolean> {
  try {
    // Voiding twice changes nothing. The key only covers the retry of a lost reply, because Stripe would also repeat an error.
    await voidInvoice(payments, { invoiceId, idempotencyKey: `void:${randomUUID()}` });
    return true;
  } catch (error) {
    if (error instanceof PaymentError && error.kind === 'invalid_request') return false;
    throw error;
  }
}

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
