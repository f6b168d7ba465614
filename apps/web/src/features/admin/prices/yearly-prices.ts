import { centsPerMonth, currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { BillingSettings } from '@uprez/contracts/schemas/admin/settings';
import { parseAmount } from './amounts.ts';
import { priceMessages } from './messages.ts';

const text = priceMessages.yearly;

export type Yearly = BillingSettings['yearly'];
/** Plans that can be sold by the year. */
export const yearlyTiers = ['pro', 'api_basic', 'api_pro', 'enterprise'] as const satisfies readonly (keyof Yearly)[];
export type YearlyTier = (typeof yearlyTiers)[number];

/** Returns the price of 12 months of a plan, in cents. */
export const centsPer12Months = (tier: YearlyTier): number => centsPerMonth(tier) * 12;

/** Parses typed yearly prices. An empty string means that the plan is only billed monthly. */
export const parseYearly = (typed: Record<YearlyTier, string>): Yearly => ({
  pro: parseAmount(typed.pro) ?? null,
  api_basic: parseAmount(typed.api_basic) ?? null,
  api_pro: parseAmount(typed.api_pro) ?? null,
  enterprise: parseAmount(typed.enterprise) ?? null,
});

/** Describes the changes between two sets of yearly prices, one sentence each. */
export const describeYearly = (before: Yearly, after: Yearly): string[] =>
  yearlyTiers
    .filter((tier) => before[tier] !== after[tier])
    .map((tier) => {
      const { name } = currentPlans[tier];
      const amount = after[tier];
      return amount === null ? text.removed(name) : text.set(name, amount);
    });
