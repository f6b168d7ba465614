import type { StripeIds } from '@uprez/db/tables/billing-tables';
import { getInvoice, payInvoice } from '@uprez/payments/invoices';
import { PaymentError } from '@uprez/payments/payment-error';
import type { Call, CallContext, CallKind } from '../calls/call-kind.ts';
import { makeStateError, readStripe } from '../calls/stripe-errors.ts';
import { readBilling } from '../own/read-billing.ts';
import { startOrAwait } from './await-same-change.ts';
import { loadOwnSubscription } from './load-own-subscription.ts';
import { type BillingResult, findClientSecret, presentOutcome } from './payment-outcome.ts';
import { changeTimeoutS, continueOpenCall, runChange } from './run-change.ts';

type Payment = { invoiceId: string };

export const payKind: CallKind<Payment> = {
  name: 'pay',
  slot: 'change',
  expiresS: changeTimeoutS,
  steps: [
    {
      name: 'pay',
      send: async ({ payments }, { request: { invoiceId } }, idempotencyKey): Promise<StripeIds> => {
        const { invoice } = await getInvoice(payments, invoiceId);
        // Skips a bill that is no longer open. Stripe refuses to collect a paid bill again.
        if (invoice.status !== 'open') return {};
        try {
          await payInvoice(payments, { invoiceId, idempotencyKey });
          return {};
        } catch (error) {
          if (error instanceof PaymentError && error.kind === 'action_required')
            return { outcome: 'waiting', invoiceId };
          throw error;
        }
      },
      find: async ({ payments }, { request: { invoiceId } }) =>
        (await getInvoice(payments, invoiceId)).invoice.status === 'open' ? undefined : {},
    },
  ],
};

/**
 * Charges an account's card for its unpaid bill. If an upgrade is pending, returns the secret for paying in the browser
 * instead. Throws AppError.
 */
export async function payBill(ctx: CallContext, accountId: string): Promise<BillingResult> {
  const change = { accountId, wanted: {} };
  const done = await startOrAwait(ctx, { kinds: [payKind], ...change }, async () => {
    return (await continueOpenCall(ctx, payKind, change)) ?? (await startPayment(ctx, accountId));
  });
  return 'billing' in done ? done : await presentOutcome(ctx, done);
}

async function startPayment(ctx: CallContext, accountId: string): Promise<BillingResult | Call<Payment>> {
  const { subscription, stored } = await loadOwnSubscription(ctx, accountId);
  const { status, pending, latestInvoiceId } = subscription;
  if (pending && latestInvoiceId) {
    const clientSecret = await readStripe(findClientSecret(ctx, latestInvoiceId));
    return { clientSecret, billing: await readBilling(ctx, accountId) };
  }
  const invoiceId = status === 'active' ? null : (stored.unpaidId ?? latestInvoiceId);
  if (!invoiceId) throw makeStateError('You have no unpaid bill.');
  return await runChange(ctx, payKind, { accountId, request: { invoiceId }, wanted: {} });
}
