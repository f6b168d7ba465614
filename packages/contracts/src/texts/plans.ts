import type { billingIntervals } from '../policy/billing.ts';
import { currentPlans, type Tier } from '../policy/plans.ts';

type Interval = (typeof billingIntervals)[number];

/** Words for how often a plan is billed: a label, an adverb, and what follows a price. */
export const intervalTexts: Record<Interval, { label: string; adverb: string; per: string }> = {
  month: { label: 'Monthly', adverb: 'monthly', per: 'per month' },
  year: { label: 'Yearly', adverb: 'yearly', per: 'per year' },
};

/** Follows what happens to a subscription while an administrator's plan applies instead. */
export const describeUnaffected = (override: Tier): string =>
  `The ${currentPlans[override].name} plan that an administrator gave you isn't affected.`;
