import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { isSubscribed } from '../../../lib/billing/is-subscribed.ts';
import type { PlanChoice } from '../../../lib/billing/plan-paths.ts';

/**
 * What an account already has when it opens the order of a plan. `owned`: this plan. `pending`: this plan, with a
 * payment that is being processed. `subscriber`: another plan, or this plan if it must be paid or resumed first.
 * `open`: nothing, so the plan can be bought.
 */
export type Standing = 'owned' | 'pending' | 'subscriber' | 'open';

type Subscription = NonNullable<Billing['subscription']>;

/** Whether a choice is the plan of a subscription, at the price that is paid for it. */
export function isOwnPlan({ plan, interval = 'month' }: PlanChoice, { plan: own, planVersion }: Subscription): boolean {
  if (plan === own.priceId) return true;
  const isCurrent = planOf({ tier: own.tier, planVersion }) === currentPlans[own.tier];
  return plan === own.tier && interval === own.interval && isCurrent;
}

export function findStanding(choice: PlanChoice, billing: Pick<Billing, 'subscription'>): Standing {
  const { subscription } = billing;
  if (!subscription) return 'open';
  const isOwn = isOwnPlan(choice, subscription);
  if (isSubscribed(billing))
    return isOwn && subscription.badge === 'active' && !subscription.pausedUntil ? 'owned' : 'subscriber';
  return isOwn && subscription.badge === 'pending' ? 'pending' : 'open';
}
