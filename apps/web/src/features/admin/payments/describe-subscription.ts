import type { AdminSubscription } from '@uprez/contracts/schemas/billing/admin-payments';
import { formatDay } from '@uprez/contracts/texts/format';
import { paymentMessages } from './messages.ts';

const text = paymentMessages.subscriptions;

type Dates = Pick<AdminSubscription, 'badge' | 'periodEnd' | 'cancelAt' | 'endedAt' | 'isPaused' | 'pausedUntil'>;

/**
 * Describes what happens next to a subscription and when, such as `Renews on Dec 29, 2026`. Returns null before the
 * first payment.
 */
export function describeNext({ badge, periodEnd, cancelAt, endedAt, isPaused, pausedUntil }: Dates): string | null {
  if (endedAt) return text.ended(formatDay(endedAt));
  if (badge === 'incomplete' || badge === 'pending') return null;
  if (cancelAt) return text.cancels(formatDay(cancelAt));
  if (isPaused && pausedUntil) return text.paused(formatDay(pausedUntil));
  return badge === 'active' ? text.renews(formatDay(periodEnd)) : text.due(formatDay(periodEnd));
}
