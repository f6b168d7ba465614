import type { billingIntervals } from '../policy/billing/billing.ts';
import { toNextPath } from '../policy/next-path.ts';
import { currentPlans, type Tier } from '../policy/plans/plans.ts';
import { sitePaths } from './site/pages.ts';

type Interval = (typeof billingIntervals)[number];

export const intervalTexts: Record<Interval, { label: string; adverb: string; per: string }> = {
  month: { label: 'Monthly', adverb: 'monthly', per: 'per month' },
  year: { label: 'Yearly', adverb: 'yearly', per: 'per year' },
};

/** Describes a plan and its billing interval: `API Basic, yearly`. */
export const describePlan = (tier: Tier, interval: Interval): string =>
  `${currentPlans[tier].name}, ${intervalTexts[interval].adverb}`;

/** Returns a sentence for emails about a subscription. It says that the plan set by an administrator isn't affected. */
export const describeUnaffectedPlan = (override: Tier): string =>
  `The ${currentPlans[override].name} plan that an administrator gave you isn't affected.`;

const isTier = (key: string): key is Tier => Object.hasOwn(currentPlans, key);

/**
 * Returns the name of the plan that the page at `path` sells. If `path` is the email confirmation page, uses the page
 * that follows it. Returns undefined for other paths.
 */
export function findPlanNameOfPath(path: string | null | undefined): string | undefined {
  const { pathname, searchParams } = new URL(toNextPath(path), 'https://site.invalid');
  if (pathname === sitePaths.verifyEmail) return findPlanNameOfPath(searchParams.get('next'));
  const plan = pathname === sitePaths.subscribe ? (searchParams.get('plan')?.trim() ?? '') : '';
  return isTier(plan) ? currentPlans[plan].name : undefined;
}
