import { AppError } from '@uprez/contracts/errors/app-error';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import type { StripeIds } from '@uprez/db/tables/billing-tables';
import { getInvoice } from '@uprez/payments/invoices';
import { getPayment, type Payment } from '@uprez/payments/payment-intents';
import type { Needs } from '../../context.ts';
import type { Call, CallContext, Step } from '../calls/call-kind.ts';
import { readStripe } from '../calls/stripe-errors.ts';
import { readBilling } from '../own/read-billing.ts';
import { voidInvoiceIfOpen } from './shared-steps.ts';

/** `clientSecret` is needed for 3-D Secure in the browser. Never store or log it. */
export type BillingResult = { clientSecret: string | null; billing: Billing };

/** Statuses of payments that can still succeed with the same payment method. */
const pendingStatuses: readonly Payment['status'][] = ['requires_action', 'requires_confirmation', 'processing'];

async function readOutcome({ payments }: Needs<'payments'>, invoiceId: string | undefined): Promise<StripeIds> {
  if (!invoiceId) return { outcome: 'paid' };
  const { invoice } = await getInvoice(payments, invoiceId);
  const [paymentIntentId = ''] = invoice.paymentIntentIds;
  if (invoice.status === 'void') return { outcome: 'declined', paymentIntentId };
  if (invoice.status !== 'open') return { outcome: 'paid' };
  const { status } = await getPayment(payments, paymentIntentId);
  return pendingStatuses.includes(status) ? { outcome: 'waiting' } : { outcome: 'open', paymentIntentId };
}

/**
 * Checks whether an immediate change was paid for. If the payment was declined, voids the bill, which withdraws the
 * change at Stripe. Runs even after the call has expired, because an open bill could otherwise be paid later.
 */
export const outcomeStep: Step<object> = {
  name: 'outcome',
  isOwed: true,
  send: async (ctx, { stripeIds: { invoiceId } }, idempotencyKey) => {
    const result = await readOutcome(ctx, invoiceId);
    if (result.outcome !== 'open' || !invoiceId) return result;
    await voidInvoiceIfOpen(ctx, { invoiceId, idempotencyKey });
    return { ...result, outcome: 'declined' };
  },
  find: async (ctx, { stripeIds: { invoiceId } }) => {
    const result = await readOutcome(ctx, invoiceId);
    return result.outcome === 'open' ? undefined : result;
  },
};

export const isDeclined = ({ stripeIds }: Pick<Call<unknown>, 'stripeIds'>): boolean =>
  stripeIds.outcome === 'declined';

/**
 * Returns the response to a change that is paid immediately. If the payment was declined, throws AppError
 * `payment_declined` with Stripe's message.
 */
export async function presentOutcome(ctx: CallContext, call: Call<object>): Promise<BillingResult> {
  const { outcome, invoiceId = '', paymentIntentId } = call.stripeIds;
  if (outcome === 'declined') {
    const failure = paymentIntentId ? (await readStripe(getPayment(ctx.payments, paymentIntentId))).failure : null;
    throw new AppError('payment_declined', failure?.message ? { detail: failure.message } : {});
  }
  const clientSecret = outcome === 'waiting' ? await readStripe(findClientSecret(ctx, invoiceId)) : null;
  return { clientSecret, billing: await readBilling(ctx, call.accountId) };
}

/** Returns the secret of an open invoice if the customer must confirm its payment. Otherwise, returns null. */
export async function findClientSecret({ payments }: Needs<'payments'>, invoiceId: string): Promise<string | null> {
  const { invoice, clientSecret } = await getInvoice(payments, invoiceId);
  const [paymentIntentId] = invoice.paymentIntentIds;
  if (!clientSecret || !paymentIntentId) return null;
  return (await getPayment(payments, paymentIntentId)).status === 'processing' ? null : clientSecret;
}
