import { randomUUID } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { voidInvoice } from '@uprez/payments/invoices';
import { PaymentError } from '@uprez/payments/payment-error';
import { cancelNow } from '@uprez/payments/subscription-changes';
import { getSubscription, type Subscription } from '@uprez/payments/subscriptions';
import type { CallContext } from '../calls/call-kind.ts';
import type { PurchaseEnd } from './purchase-kind.ts';

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
