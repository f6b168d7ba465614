import type { Context } from '../context.ts';
import { idOf } from '../parameters/merge-field.ts';
import { calendarOf } from './calendar.ts';
import { listDiscounts } from './discounts.ts';
import { makeLine } from './invoice-lines.ts';
import { type Invoice, makeInvoice } from './make-invoice.ts';
import { getSubscriptionItem, requireInterval, type Subscription } from './subscription-items.ts';

/**
 * How long a renewal's invoice stays a draft, in seconds. This time restarts when an endpoint confirms the invoice's
 * event after a failed attempt.
 */
export const DRAFT_PERIOD_SECONDS = 3600;

/** Returns the invoice for a subscription's next period, as of the start of that period. Doesn't store anything. */
export function draftRenewal(context: Context, subscription: Subscription): Invoice {
  const item = getSubscriptionItem(subscription);
  const start = item.current_period_end;
  const atStart = { ...context, now: () => start };
  const { price } = item;
  const interval = requireInterval(price);
  const calendar = calendarOf(context, idOf(subscription.customer));
  const period = { start, end: calendar.next(start, { anchor: subscription.billing_cycle_anchor, interval }) };
  const draft = makeInvoice(atStart, {
    customer: idOf(subscription.customer),
    subscription,
    lines: [makeLine(context, { price, period, subscription: subscription.id, subscriptionItem: item.id })],
    discounts: listDiscounts(atStart, subscription),
    reason: 'subscription_cycle',
    period: { start: item.current_period_start, end: start },
  });
  const advances = start + DRAFT_PERIOD_SECONDS;
  return { ...draft, automatically_finalizes_at: advances, next_payment_attempt: advances };
}
