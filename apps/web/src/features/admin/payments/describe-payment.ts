import { countImages } from '@uprez/contracts/policy/plans/meters';
import type { AdminSubscription, AdminTransaction } from '@uprez/contracts/schemas/billing/admin-payments';
import { formatDay, formatList, formatMoney } from '@uprez/contracts/texts/format';
import { paymentMessages } from './messages.ts';

const subscriptionText = paymentMessages.subscriptions;

type SubscriptionTimeline = Pick<
  AdminSubscription,
  'badge' | 'periodEnd' | 'cancelAt' | 'endedAt' | 'isPaused' | 'pausedUntil'
>;

/**
 * Describes what happens next to a subscription and when, such as `Renews on Dec 29, 2026`. Returns null before the
 * first payment.
 */
export function describeNextEvent({
  badge,
  periodEnd,
  cancelAt,
  endedAt,
  isPaused,
  pausedUntil,
}: SubscriptionTimeline): string | null {
  if (endedAt) return subscriptionText.ended(formatDay(endedAt));
  if (badge === 'incomplete' || badge === 'pending') return null;
  if (cancelAt) return subscriptionText.cancels(formatDay(cancelAt));
  if (isPaused && pausedUntil) return subscriptionText.paused(formatDay(pausedUntil));
  return badge === 'active'
    ? subscriptionText.renews(formatDay(periodEnd))
    : subscriptionText.due(formatDay(periodEnd));
}

/**
 * Describes the credits that a payment added and the credits that were taken back, on one line each. Returns an empty
 * list for a payment without credits.
 */
export function describeUnits(units: AdminTransaction['units']): string[] {
  const list = (which: 'given' | 'reversed') =>
    formatList(units.filter((row) => row[which] > 0).map((row) => countImages(row[which], row.meter)));
  const [given, reversed] = [list('given'), list('reversed')];
  return [...(given ? [text.given(given)] : []), ...(reversed ? [text.reversed(reversed)] : [])];
}

const text = paymentMessages.transactions;

/** Returns what a payment's badge doesn't show: a dispute, refunds, or the reason for a failure. */
export function noteOfTransaction({
  failure,
  isDisputed,
  refunded,
  currency,
}: Pick<AdminTransaction, 'failure' | 'isDisputed' | 'refunded' | 'currency'>): string | null {
  const refund = refunded > 0 ? text.refunded(formatMoney({ amount: refunded, currency })) : null;
  return [isDisputed ? text.disputed : null, refund].filter(Boolean).join(', ') || failure;
}
