import type { Billing, NewSubscription } from '@uprez/contracts/schemas/billing/billing';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { intervalTexts } from '@uprez/contracts/texts/plans';
import { isSubscribed } from '../../../lib/billing/is-subscribed.ts';
import { billingMessages } from '../messages.ts';
import { planName } from '../plan-name.ts';

const { change: changeText, leave: leaveText, page: text } = billingMessages;
type Subscription = NonNullable<Billing['subscription']>;
export type BoughtPlan = NewSubscription['plan'];

/** Describes what a plan changes to: another plan, another interval, or another price. */
export function describeTarget(from: BoughtPlan, to: BoughtPlan): string {
  if (from.tier !== to.tier) return planName(to.tier);
  return from.interval === to.interval
    ? changeText.newPrice
    : changeText.newInterval(intervalTexts[to.interval].adverb);
}

/** Describes a change at the end of the period: `Your plan changes to Pro on Nov 5, 2026`. */
export function describeScheduledChange(from: BoughtPlan, to: BoughtPlan, at: string): string {
  const subject = from.tier === to.tier ? changeText.samePlan(planName(to.tier)) : changeText.anyPlan;
  return changeText.scheduled(subject, describeTarget(from, to), formatDay(at));
}

export function describeAppliedChange(from: BoughtPlan, to: BoughtPlan): string {
  const name = planName(to.tier);
  const isOtherInterval = from.tier === to.tier && from.interval !== to.interval;
  return isOtherInterval
    ? changeText.changedInterval(name, intervalTexts[to.interval].adverb)
    : changeText.changed(name);
}

/**
 * Returns labels and values for a subscription's period and next bill. Empty if the subscription isn't paid yet or has
 * ended.
 */
export function listFacts({ subscription, nextBill }: Billing): (readonly [label: string, value: string])[] {
  if (!subscription || !isSubscribed({ subscription })) return [];
  const { periodStart, periodEnd } = subscription;
  const amount = nextBill && `${formatMoney(nextBill)} on ${formatDay(nextBill.at)} (${text.reasons[nextBill.reason]})`;
  return [
    [text.period, text.range(formatDay(periodStart), formatDay(periodEnd))],
    [text.nextBill, amount ?? text.noBill],
  ];
}

/**
 * Whether the subscription's plan applies now. It doesn't if the period is unpaid, the subscription is paused, or an
 * administrator has set another plan.
 */
export const isSubscriptionPlanInEffect = ({ tier, override, subscription }: Billing): boolean =>
  !override && tier === subscription?.plan.tier;

/**
 * Describes a scheduled cancellation. `deletesAt`: when the account will be deleted. If that is earlier, the deletion
 * cancels the plan.
 */
export function describeEnd(billing: Billing, cancelAt: string, deletesAt: string | null = null): string {
  if (deletesAt && deletesAt < cancelAt) return text.leaving(formatDay(deletesAt));
  return (isSubscriptionPlanInEffect(billing) ? text.canceled : text.canceledUnused)(formatDay(cancelAt));
}

/** Describes when a plan pauses and resumes. Empty if it isn't paused. */
export function describePause(billing: Billing): string {
  const { subscription, override } = billing;
  if (!subscription?.pausedUntil) return '';
  const until = formatDay(subscription.pausedUntil);
  if (override) return text.pausedBilling(until);
  // If the plan still applies, its pause begins at the end of the paid period.
  return isSubscriptionPlanInEffect(billing)
    ? text.pauseSet(formatDay(subscription.periodEnd), until)
    : text.paused(until);
}

/**
 * If the subscription's plan doesn't apply, describes which plan applies instead. Otherwise, returns an empty string.
 */
export function describeTier({ tier, subscription, override, nextBill }: Billing): string {
  if (!subscription || tier === subscription.plan.tier) return '';
  const isUnpaid = !override && nextBill && !subscription.pausedUntil;
  return isUnpaid ? text.appliesUntilPaid(planName(tier)) : text.applies(planName(tier));
}

/** If an administrator has set the account's plan, describes what that means. Otherwise, returns an empty string. */
export function describeOverride({ override, subscription }: Billing): string {
  if (!override) return '';
  const until = override.until && text.overrideUntil(formatDay(override.until));
  const billed = subscription?.badge === 'active' && text.overrideBilled(planName(subscription.plan.tier));
  return [text.overrideTitle(planName(override.tier)), until, billed].filter(Boolean).join(' ');
}

/** Returns why the plan can't be paused now, and what to do first. Returns undefined if it can be paused. */
export function findPauseBlock({
  badge,
  plan,
  cancelAt,
  pausedUntil,
  next,
  pending,
}: Subscription): string | undefined {
  if (plan.interval !== 'month') return leaveText.yearlyPause;
  if (badge !== 'active') return leaveText.pauseDue;
  if (cancelAt) return leaveText.pauseCanceled;
  if (pausedUntil) return leaveText.pausePaused(formatDay(pausedUntil));
  if (next) return leaveText.pauseScheduled(describeScheduledChange(plan, next.plan, next.at));
  return pending ? leaveText.pausePending(describeTarget(plan, pending.plan)) : undefined;
}

/**
 * Returns why the plan can't be changed now, and what to do first. Returns undefined if it can be changed. `isLeaving`:
 * whether the account will be deleted.
 */
export function findChangeBlock(billing: Billing, isLeaving = false): string | undefined {
  const { subscription } = billing;
  if (!subscription) return undefined;
  if (isLeaving) return changeText.leaving;
  const { badge, cancelAt, pausedUntil } = subscription;
  if (badge === 'past_due') return changeText.due;
  if (cancelAt) return changeText.canceled;
  // After the pause has begun, resuming can also change the plan. If an administrator has set the plan, the browser
  // doesn't know whether the pause has begun, so the server decides.
  return pausedUntil && isSubscriptionPlanInEffect(billing) ? changeText.paused : undefined;
}
