import * as z from 'zod';
import type { Context } from '../context.ts';
import type { Tables } from '../state/tables.ts';
import { findInvoiceOfIntent, getSubscriptionOfInvoice } from './find-invoice.ts';
import type { Invoice } from './make-invoice.ts';
import { saveSubscription } from './save-subscription.ts';
import { settleInvoice } from './settle-invoice.ts';

interface Payment {
  intent: Tables['paymentIntents'];
  method: string;
  /** By the schedule of retries. Of the other attempts only the first one counts. */
  isAutomatic: boolean;
}

/** Stores what a payment, or its failure, means for the invoice of the payment intent. Does nothing if it has none. */
export function recordPayment(context: Context, { intent, method, isAutomatic }: Payment): void {
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
  /** The customer has to authenticate. */
  needsAction: boolean;
  /** Whether the attempt is one of the schedule of retries. */
  isCounted: boolean;
}

/** Stores that an invoice couldn't be collected. A renewal that fails makes its subscription past due. */
export function recordFailure(context: Context, before: Invoice, { needsAction, isCounted }: Failure): void {
  const attempts = before.attempt_count + (isCounted ? 1 : 0);
  const invoice = context.store.put('invoices', {
    ...before,
    attempted: true,
    attempt_count: attempts,
    next_payment_attempt: isCounted ? findRetryTime(context, before, attempts) : before.next_payment_attempt,
  });
  context.emit('invoice.updated', invoice);
  context.emit(needsAction ? 'invoice.payment_action_required' : 'invoice.payment_failed', invoice);
  const subscription = getSubscriptionOfInvoice(context, invoice);
  if (subscription.status === 'active' && invoice.billing_reason === 'subscription_cycle')
    saveSubscription(context, subscription, { status: 'past_due' });
}

/** As many retries, and as much time, as Stripe recommends: 8 within 2 weeks. Stripe predicts better times for each one. */
const smartDelaysDays = [1, 1, 2, 2, 2, 2, 2, 2];

/** When renewals that failed are collected again. */
export const retryPolicySchema = z.strictObject({
  /** Days between an attempt and the next one. Empty: no retries. */
  delaysDays: z.array(z.number().positive()).max(8).default(smartDelaysDays),
});

const DAY = 24 * 3600;

/** Returns the time of the next attempt in seconds, or null. Only invoices of renewals are collected again. */
function findRetryTime({ store, now }: Context, invoice: Invoice, attempts: number): number | null {
  const { delaysDays } = store.get('retryPolicies', 'current') ?? { delaysDays: smartDelaysDays };
  const delayDays = delaysDays[attempts - 1];
  if (delayDays === undefined || invoice.billing_reason !== 'subscription_cycle') return null;
  return Math.floor(now() + delayDays * DAY);
}
