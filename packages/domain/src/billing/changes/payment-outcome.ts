import { AppError } from '@uprez/contracts/errors/app-error';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import type { StripeIds } from '@uprez/db/tables/billing-tables';
import { getInvoice } from '@uprez/payments/invoices';
import { getPayment, type Payment } from '@uprez/payments/payment-intents';
import type { Needs } from '../../context.ts';
import type { Call, CallContext, Step } from '../calls/call-kind.ts';
import { readStripe } from '../calls/to-billing-error.ts';
import { readBilling } from '../own/read-billing.ts';
import { voidIfOpen } from './shared-steps.ts';

/** `clientSecret`: for 3-D Secure in the browser. Never store or log it. */
export type BillingResult = { clientSecret: string | null; billing: Billing };

/** Statuses of a payment that may still succeed without another payment method. */
const waiting: readonly Payment['status'][] = ['requires_action', 'requires_confirmation', 'processing'];

async function readOutcome({ payments }: Needs<'payments'>, invoiceId: string | undefined): Promise<StripeIds> {
  if (!invoiceId) return { outcome: 'paid' };
  const { invoice } = await getInvoice(payments, invoiceId);
  const [paymentIntentId = ''] = invoice.paymentIntentIds;
  if (invoice.status === 'void') return { outcome: 'declined', paymentIntentId };
  if (invoice.status !== 'open') return { outcome: 'paid' };
  const { status } = await getPayment(payments, paymentIntentId);
  return waiting.includes(status) ? { outcome: 'waiting' } : { outcome: 'open', paymentIntentId };
}

/**
 * The step after a change that is paid at once: reads whether it was paid. The bill of a declined one is voided, which
 * withdraws the change at Stripe. A bill that stays open could be paid after its call has ended, so it is read however long Stripe
 * can't be reached.
 */
export const outcomeStep: Step<object> = {
  name: 'outcome',
  isOwed: true,
  send: async (ctx, { stripeIds: { invoiceId } }, idempotencyKey) => {
    const result = await readOutcome(ctx, invoiceId);
    if (result.outcome !== 'open' || !invoiceId) return result;
    await voidIfOpen(ctx, { invoiceId, idempotencyKey });
    return { ...result, outcome: 'declined' };
  },
  find: async (ctx, { stripeIds: { invoiceId } }) => {
    const result = await readOutcome(ctx, invoiceId);
    return result.outcome === 'open' ? undefined : result;
  },
};

export const isDeclined = ({ stripeIds }: Pick<Call<unknown>, 'stripeIds'>): boolean =>
  stripeIds.outcome === 'declined';

/** What the user gets after a change that is paid at once. Throws AppError `payment_declined` with Stripe's sentence. */
export async function presentOutcome(ctx: CallContext, call: Call<object>): Promise<BillingResult> {
  const { outcome, invoiceId = '', paymentIntentId } = call.stripeIds;
  if (outcome === 'declined') {
    const failure = paymentIntentId ? (await readStripe(getPayment(ctx.payments, paymentIntentId))).failure : null;
    throw new AppError('payment_declined', failure?.message ? { detail: failure.message } : {});
  }
  const clientSecret = outcome === 'waiting' ? await readStripe(findSecret(ctx, invoiceId)) : null;
  return { clientSecret, billing: await readBilling(ctx, call.accountId) };
}

/** The secret of an open invoice whose payment the customer must confirm. */
export async function findSecret({ payments }: Needs<'payments'>, invoiceId: string): Promise<string | null> {
  const { invoice, clientSecret } = await getInvoice(payments, invoiceId);
  const [paymentIntentId] = invoice.paymentIntentIds;
  if (!clientSecret || !paymentIntentId) return null;
  return (await getPayment(payments, paymentIntentId)).status === 'processing' ? null : clientSecret;
}
