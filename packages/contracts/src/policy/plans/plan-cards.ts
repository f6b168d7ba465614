import type { PlanCard } from '../../schemas/plan-card.ts';
import { type Entitlements, planColumns } from './plan-columns.ts';
import { centsPerMonth, currentPlans, retention, type Tier, tiers } from './plans.ts';

const descriptions: Record<Tier, string> = {
  free: 'For trying out Uprez and for occasional use.',
  pro: 'For people who work with images every day.',
  api_basic: 'For prototypes and small apps.',
  api_pro: 'For apps in production.',
  enterprise: 'For high volumes without interruption.',
};

export const describeFeatures = (plan: Entitlements): string[] =>
  planColumns.flatMap(({ feature }) => feature?.(plan) ?? []);

/** Lists the features that matter most, such as images per month, the largest scale factor, storage, and API access. */
export const describeHighlights = (plan: Entitlements): string[] =>
  planColumns.flatMap(({ isShort, feature }) => (isShort && feature?.(plan)) || []);

export const describeLimitations = (plan: Entitlements): string[] => [
  ...planColumns.flatMap(({ limitation }) => limitation?.(plan) ?? []),
  `Results are deleted after ${retention.resultMinutes / 60} hours`,
];

/** A price that customers can buy through the payment provider. `amount` is in cents. */
export type PlanPrice = { id: string; tier: Tier; interval: 'month' | 'year'; planVersion: number; amount: number };

/** `methods`: enabled payment methods. `addsTax`: whether tax is added to prices. */
type PaymentTerms = { methods?: readonly string[]; addsTax?: boolean };

/**
 * Creates the pricing card of a plan. Ignores prices of other plan versions, and a monthly price that differs from the
 * plan's price.
 */
export function makePlanCard(
  tier: Tier,
  prices: readonly PlanPrice[] = [],
  { methods = [], addsTax = false }: PaymentTerms = {},
): PlanCard {
  const { name, price, version, ...entitlements } = currentPlans[tier];
  const plan: Entitlements = currentPlans[tier];
  const find = (interval: PlanPrice['interval']) =>
    prices.find((one) => one.tier === tier && one.interval === interval && one.planVersion === version);
  const month = find('month');
  const year = find('year');
  const priceId = month?.amount === centsPerMonth(tier) ? month.id : null;
  const isOnSale = priceId !== null || year !== undefined;
  return {
    key: tier,
    name,
    price,
    period: 'month',
    description: descriptions[tier],
    features: describeFeatures(plan),
    limitations: describeLimitations(plan),
    priceId,
    yearly: year ? { price: year.amount / 100, priceId: year.id } : null,
    paymentMethods: isOnSale ? [...methods] : [],
    addsTax: isOnSale && addsTax,
    entitlements: entitlements as Entitlements,
  };
}

/** The pricing cards of all plans, smallest first. */
export const makePlanCards = (prices?: readonly PlanPrice[], terms?: PaymentTerms): PlanCard[] =>
  tiers.map((tier) => makePlanCard(tier, prices, terms));
