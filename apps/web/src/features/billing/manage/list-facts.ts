import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { isSubscribed } from '../../../lib/billing/is-subscribed.ts';
import { billingMessages } from '../messages.ts';
import { planName } from '../plan-name.ts';

const text = billingMessages.page;

/**
 * Returns the period and next bill of a subscription as labels and values. Empty if the subscription isn't paid yet or
 * has ended.
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

/** Whether the plan of the subscription applies now. Otherwise, its period isn't paid, or an administrator's plan applies. */
export const isApplied = ({ tier, override, subscription }: Billing): boolean =>
  !override && tier === subscription?.plan.tier;

/** Describes a scheduled cancellation. `deletesAt`: when the account will be deleted, which cancels its plan. */
export function describeEnd(billing: Billing, cancelAt: string, deletesAt: string | null = null): string {
  if (deletesAt && deletesAt < cancelAt) return text.leaving(formatDay(deletesAt));
  return (isApplied(billing) ? text.canceled : text.canceledUnused)(formatDay(cancelAt));
}

/** Describes when a plan pauses and resumes. Empty if it isn't paused. */
export function describePause(billing: Billing): string {
  const { subscription, override } = billing;
  if (!subscription?.pausedUntil) return '';
  const until = formatDay(subscription.pausedUntil);
  if (override) return text.pausedBilling(until);
  // The pause begins at the end of the paid period.
  return isApplied(billing) ? text.pauseSet(formatDay(subscription.periodEnd), until) : text.paused(until);
}

/** Describes which plan applies instead of the subscription's plan. Empty if the subscription's plan applies. */
export function describeTier({ tier, subscription, override, nextBill }: Billing): string {
  if (!subscription || tier === subscription.plan.tier) return '';
  const isUnpaid = !override && nextBill && !subscription.pausedUntil;
  return isUnpaid ? text.appliesUntilPaid(planName(tier)) : text.applies(planName(tier));
}

/** Describes the effect of an administrator's plan on the account. Empty if there is none. */
export function describeOverride({ override, subscription }: Billing): string {
  if (!override) return '';
  const until = override.until && text.overrideUntil(formatDay(override.until));
  const billed = subscription?.badge === 'active' && text.overrideBilled(planName(subscription.plan.tier));
  return [text.overrideTitle(planName(override.tier)), until, billed].filter(Boolean).join(' ');
}
