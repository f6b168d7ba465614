import * as z from 'zod';
import type { Context } from '../context.ts';
import type { Tables } from '../state/tables.ts';
import { findInvoiceOfIntent, getSubscriptionOfInvoice } from './find-invoice.ts';
import type { Invoice } from './make-invoice.ts';
import { saveSubscription } from './save-subscription.ts';
import { settleInvoice } from './settle-invoice.ts';

interface PaymentAttempt {
  intent: Tables['paymentIntents'];
  method: string;
  /**
   * Whether the double made the attempt itself, as in a scheduled retry. Other attempts count toward the retry schedule
   * only if they are the invoice's first attempt.
   */
  isAutomatic: boolean;
}

/**
 * Updates the invoice that a payment intent pays, after the payment has succeeded or failed. No-op if the intent has no
 * open invoice.
 */
export function recordPayment(context: Context, { intent, method, isAutomatic }: PaymentAttempt): void {
  const invoice = findInvoiceOfIntent(context, intent.id);
  if (invoice?.status !== 'open') return;
  const isCounted = isAutomatic || invoice.attempt_count === 0;
  if (intent.status !== 'succeeded') {
    recordFailure(context, invoice, { needsAction: intent.status === 'requires_action', isCounted });
    return;
  }
  const attempts = invoice.attempt_count + (isCounted ? 1 : 0);
  settleInvoice(context, { ...invoice, attempt_count: attempts }, { method });
}

interface Failure {
  /** Whether the customer has to authenticate. */
  needsAction: boolean;
  /** Whether the attempt counts toward the retry schedule. */
  isCounted: boolean;
}

/**
 * Records that an invoice couldn't be collected. If the invoice is for a renewal, its subscription becomes past due.
 */
export function recordFailure(context: Context, before: Invoice, { needsAction, isCounted }: Failure): void {
  const attempts = before.attempt_count + (isCounted ? 1 : 0);
  const invoice = context.save('invoices', 'invoice.updated', {
    ...before,
    attempted: true,
    attempt_count: attempts,
    next_payment_attempt: isCounted ? findRetryTime(context, before, attempts) : before.next_payment_attempt,
  });
  context.emit(needsAction ? 'invoice.payment_action_required' : 'invoice.payment_failed', invoice);
  const subscription = getSubscriptionOfInvoice(context, invoice);
  if (subscription.status === 'active' && invoice.billing_reason === 'subscription_cycle')
    saveSubscription(context, subscription, { status: 'past_due' });
}

/**
 * Days between attempts, for the 8 retries within 2 weeks that Stripe recommends. Stripe itself predicts a better time
 * for each retry.
 */
const smartRetryDelaysDays = [1, 1, 2, 2, 2, 2, 2, 2];

/** Schedule for retrying failed renewals. */
export const retryPolicySchema = z.strictObject({
  /** Days between consecutive attempts. An empty array disables retries. */
  delaysDays: z.array(z.number().positive()).max(8).default(smartRetryDelaysDays),
});

const DAY = 24 * 3600;

/**
 * Returns the Unix time of the next attempt in seconds, or null if the invoice isn't retried again. Only renewal
 * invoices are retried.
 */
function findRetryTime({ store, now }: Context, invoice: Invoice, attempts: number): number | null {
  const { delaysDays } = store.get('retryPolicies', 'current') ?? { delaysDays: smartRetryDelaysDays };
  const delayDays = delaysDays[attempts - 1];
  if (delayDays === undefined || invoice.billing_reason !== 'subscription_cycle') return null;
  return Math.floor(now() + delayDays * DAY);
}
