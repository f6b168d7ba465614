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
 * Throws AppError `already_subscribed` if the customer already has one of our subscriptions. Reads from Stripe, because
 * events may be late. Ends unpaid purchases of other calls, so that only this one can be paid.
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
 * Ends an unpaid subscription. Voids its invoice first, which Stripe refuses if the invoice is paid: canceling
 * immediately could end a subscription that was just paid. Throws AppError `billing_busy` while a payment is being
 * processed.
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

/** Voids an invoice. Returns false if Stripe refuses because the invoice is paid, void, or being paid. */
async function voidUnpaid({ payments }: CallContext, invoiceId: string): Promise<boolean> {
  try {
    // Voiding is idempotent. The key only covers retries after a lost reply: a stable key would make Stripe replay
    // errors, too.
    await voidInvoice(payments, { invoiceId, idempotencyKey: `void:${randomUUID()}` });
    return true;
  } catch (error) {
    if (error instanceof PaymentError && error.kind === 'invalid_request') return false;
    throw error;
  }
}

/** Expires a Checkout session. Returns `paid` if it was already completed. */
export async function expireSession({ payments }: CallContext, sessionId: string): Promise<PurchaseEnd> {
  try {
    const { status } = await getCheckoutSession(payments, sessionId);
    // As in `voidUnpaid`, the key only covers retries after a lost reply.
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
