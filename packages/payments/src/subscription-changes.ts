import type { CancelFeedback } from '@uprez/contracts/policy/billing/billing';
import type Stripe from 'stripe';
import type { Payments } from './open-payments.ts';
import {
  confirmationExpands,
  parseSubscription,
  parseSubscriptionToConfirm,
  type Subscription,
  type SubscriptionToConfirm,
} from './subscriptions.ts';
import { type IdempotentInput, post, send } from './transport/calls.ts';
import { type AddedCode, toDiscountParams, toSeconds } from './transport/fields.ts';

type OnSubscription = IdempotentInput & { subscriptionId: string };
type Reason = { feedback?: CancelFeedback | undefined; comment?: string | undefined };
const toDetails = ({ feedback, comment }: Reason) => ({ ...(feedback && { feedback }), ...(comment && { comment }) });
/** `itemId`: the subscription item whose price changes. `code`: promotion code to add with the price change. */
export type PriceChange = { itemId: string; priceId: string; code?: AddedCode | null | undefined };

const update = (payments: Payments, input: OnSubscription, changes: Stripe.SubscriptionUpdateParams) =>
  post(payments, input, (stripe, options) => stripe.subscriptions.update(input.subscriptionId, changes, options));

/**
 * Changes the price now and starts a new period. Charges the full price minus credit for the unused time at the old
 * price. `prorationDate`: the date used in the preview, which keeps the amounts equal. If the payment is declined or
 * requires 3-D Secure, the subscription keeps its old price and discounts, and `pending` holds the change for 23 hours.
 * A schedule must be released first.
 */
export async function upgradeSubscription(
  payments: Payments,
  input: OnSubscription & PriceChange & { prorationDate: Date },
): Promise<SubscriptionToConfirm> {
  const { itemId, priceId, prorationDate } = input;
  return parseSubscriptionToConfirm(
    await update(payments, input, {
      items: [{ id: itemId, price: priceId }],
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'always_invoice',
      proration_date: toSeconds(prorationDate),
      payment_behavior: 'pending_if_incomplete',
      ...toDiscountParams(input),
      expand: confirmationExpands,
    }),
  );
}

/** Cancels at the end of the period. Stripe rejects this while a schedule is attached. */
export async function cancelAtPeriodEnd(payments: Payments, input: OnSubscription & Reason): Promise<Subscription> {
  return parseSubscription(
    await update(payments, input, { cancel_at_period_end: true, cancellation_details: toDetails(input) }),
  );
}

/** Undoes `cancelAtPeriodEnd` and clears its feedback. */
export async function keepSubscription(payments: Payments, input: OnSubscription): Promise<Subscription> {
  return parseSubscription(
    await update(payments, input, { cancel_at_period_end: false, cancellation_details: { feedback: '', comment: '' } }),
  );
}

/**
 * Cancels immediately, without credit for unused time, because refunds are separate. Also ends an incomplete
 * subscription.
 */
export async function cancelNow(
  payments: Payments,
  { subscriptionId, ...reason }: Reason & { subscriptionId: string },
): Promise<Subscription> {
  const details = toDetails(reason);
  const reply = await send(payments, (stripe) =>
    stripe.subscriptions.cancel(subscriptionId, {
      invoice_now: false,
      prorate: false,
      ...(Object.keys(details).length > 0 && { cancellation_details: details }),
    }),
  );
  return parseSubscription(reply);
}

/** Pauses a subscription: voids the invoices of the following periods until `resumesAt`. */
export async function pauseSubscription(
  payments: Payments,
  input: OnSubscription & { resumesAt: Date },
): Promise<Subscription> {
  return parseSubscription(
    await update(payments, input, { pause_collection: { behavior: 'void', resumes_at: toSeconds(input.resumesAt) } }),
  );
}

/** First step of resuming: ends the pause. The current period stays unpaid. */
export async function clearPause(payments: Payments, input: OnSubscription): Promise<Subscription> {
  return parseSubscription(await update(payments, input, { pause_collection: '' }));
}

/**
 * Second step of resuming: starts a paid period now, at the same or another price, without credit for the paused time.
 * Separate from the first step because Stripe rejects `pause_collection` with `pending_if_incomplete`.
 */
export async function restartBillingCycle(
  payments: Payments,
  input: OnSubscription & PriceChange,
): Promise<SubscriptionToConfirm> {
  const { itemId, priceId } = input;
  return parseSubscriptionToConfirm(
    await update(payments, input, {
      items: [{ id: itemId, price: priceId }],
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
      payment_behavior: 'pending_if_incomplete',
      ...toDiscountParams(input),
      expand: confirmationExpands,
    }),
  );
}

/** Sets the payment method for future invoices. */
export async function setPaymentMethod(
  payments: Payments,
  input: OnSubscription & { paymentMethodId: string },
): Promise<Subscription> {
  return parseSubscription(await update(payments, input, { default_payment_method: input.paymentMethodId }));
}
