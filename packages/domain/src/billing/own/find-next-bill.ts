import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import type { OwnSubscription } from '@uprez/db/queries/billing/own-billing';
import { findBillAfterPause } from '../find-bill-after-pause.ts';
import { findEnd } from './present-subscription.ts';

/** The next bill of a subscription. Before its amount was read, it is the price without discounts. */
export function findNextBill(own: OwnSubscription): NonNullable<Billing['nextBill']> | undefined {
  const { status, isPaused, pausedUntil, periodEnd, nextAt, currency } = own;
  const isRunning = status === 'active' || status === 'past_due';
  if (!isRunning || findEnd(own) || (isPaused && !pausedUntil)) return undefined;
  const amount = own.nextAmount ?? (nextAt && own.nextPrice) ?? own.amount;
  const at = isPaused && pausedUntil ? findBillAfterPause(own, pausedUntil) : (nextAt ?? periodEnd);
  const reason = isPaused ? 'pause_end' : nextAt ? 'plan_change' : 'renewal';
  return { at: at.toISOString(), reason, amount, currency };
}
