import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { formatDay } from '@uprez/contracts/texts/format';
import { billingMessages } from '../messages.ts';
import { describeScheduled, describeTarget } from './describe-change.ts';
import { isApplied } from './list-facts.ts';

const { change: changeText, leave: leaveText } = billingMessages;
type Subscription = NonNullable<Billing['subscription']>;

/** Returns why the plan can't be paused now, and what to do first. Undefined if it can be. */
export function whyNotPaused({ badge, plan, cancelAt, pausedUntil, next, pending }: Subscription): string | undefined {
  if (plan.interval !== 'month') return leaveText.yearlyPause;
  if (badge !== 'active') return leaveText.pauseDue;
  if (cancelAt) return leaveText.pauseCanceled;
  if (pausedUntil) return leaveText.pausePaused(formatDay(pausedUntil));
  if (next) return leaveText.pauseScheduled(describeScheduled(plan, next.plan, next.at));
  return pending ? leaveText.pausePending(describeTarget(plan, pending.plan)) : undefined;
}

/**
 * Returns why the plan can't be changed now, and what to do first. Undefined if it can be. `isLeaving`: whether the
 * account will be deleted.
 */
export function whyNotChanged(billing: Billing, isLeaving = false): string | undefined {
  const { subscription } = billing;
  if (!subscription) return undefined;
  if (isLeaving) return changeText.leaving;
  const { badge, cancelAt, pausedUntil } = subscription;
  if (badge === 'past_due') return changeText.due;
  if (cancelAt) return changeText.canceled;
  // Once its pause has begun, a plan can be resumed as another one. With an administrator's plan, it isn't known here
  // whether the pause has begun.
  return pausedUntil && isApplied(billing) ? changeText.paused : undefined;
}
