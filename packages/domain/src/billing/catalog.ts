import { makePlanCard } from '@uprez/contracts/policy/plan-cards';
import { centsPerMonth, currentPlans, paidTiers, type Tier } from '@uprez/contracts/policy/plans';
import { productName } from '../settings/first-settings.ts';

/** A price of a plan. `amount` is cents. */
export type CatalogPrice = { interval: 'month' | 'year'; planVersion: number; amount: number };
/** A plan that can be bought: a product at Stripe. */
export type CatalogPlan = { tier: Tier; name: string; description: string; prices: readonly CatalogPrice[] };

export const currency = 'usd';

/** Returns the plans that can be bought, from the plan table. `yearly`: what a year costs, in cents, where it is sold. */
export const makeCatalog = (yearly: Partial<Record<Tier, number | null>> = {}): CatalogPlan[] =>
  paidTiers.map((tier) => {
    const { name, version } = currentPlans[tier];
    return {
      tier,
      name: `${productName} ${name}`,
      description: makePlanCard(tier).description,
      prices: [
        { interval: 'month', planVersion: version, amount: centsPerMonth(tier) },
        ...(yearly[tier] ? [{ interval: 'year' as const, planVersion: version, amount: yearly[tier] }] : []),
      ],
    };
  });

/** The ID of a plan's product at Stripe. */
export const productIdOf = (tier: Tier): string => `uprez_${tier}`;

/** The name of a price at Stripe. Prices can't change there, so it contains all that may change here. */
export const lookupKeyOf = (tier: Tier, { interval, planVersion, amount }: CatalogPrice): string =>
  `uprez_${tier}_${interval}_v${planVersion}_${amount}`;
