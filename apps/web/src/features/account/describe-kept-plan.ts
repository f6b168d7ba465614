import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { formatDay } from '@uprez/contracts/texts/format';
import { accountMessages } from './messages.ts';

const text = accountMessages.deletion;

/**
 * Describes what happens to the plan of an account that is kept. Returns undefined without a plan that ends or renews.
 */
export function describeKeptPlan({
  subscription,
  nextBill,
}: Pick<Billing, 'subscription' | 'nextBill'>): string | undefined {
  if (!subscription) return undefined;
  const { name } = currentPlans[subscription.plan.tier];
  if (subscription.cancelAt) return text.endingPlan(name, formatDay(subscription.cancelAt));
  return nextBill?.reason === 'renewal' ? text.keptPlan(name, formatDay(nextBill.at)) : undefined;
}
