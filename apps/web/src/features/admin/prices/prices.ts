import { centsPerMonth, currentPlans } from '@uprez/contracts/policy/plans/plans';
import { type BillingSettings, type Pack, packSchema } from '@uprez/contracts/schemas/admin/settings';
import type { PackCard, PlanCard } from '@uprez/contracts/schemas/plan-card';
import { parseCents } from '../payments/parse-cents.ts';
import { priceMessages } from './messages.ts';

const text = priceMessages.yearly;

export type YearlyPrices = BillingSettings['yearly'];
export const yearlyTiers = [
  'pro',
  'api_basic',
  'api_pro',
  'enterprise',
] as const satisfies readonly (keyof YearlyPrices)[];
type YearlyTier = (typeof yearlyTiers)[number];

/** Returns what 12 months of a plan cost at its monthly price, in cents. */
export const centsPer12Months = (tier: YearlyTier): number => centsPerMonth(tier) * 12;

/** Parses typed yearly prices. An empty string means that the plan is only billed monthly. */
export const parseYearlyPrices = (typed: Record<YearlyTier, string>): YearlyPrices => ({
  pro: parseAmount(typed.pro) ?? null,
  api_basic: parseAmount(typed.api_basic) ?? null,
  api_pro: parseAmount(typed.api_pro) ?? null,
  enterprise: parseAmount(typed.enterprise) ?? null,
});

/** Describes the changes between two sets of yearly prices, one sentence each. */
export const describeYearlyChanges = (before: YearlyPrices, after: YearlyPrices): string[] =>
  yearlyTiers
    .filter((tier) => before[tier] !== after[tier])
    .map((tier) => {
      const { name } = currentPlans[tier];
      const amount = after[tier];
      return amount === null ? text.removed(name) : text.set(name, amount);
    });

const { minValue, maxValue } = packSchema.shape.amount;
/** The smallest and the largest price, in cents. */
export const amountRange = { min: minValue ?? 0, max: maxValue ?? 0 };

/** Converts a typed price in dollars to cents. Returns undefined if the price isn't allowed. */
export function parseAmount(typed: string): number | undefined {
  const cents = parseCents(typed);
  return packSchema.shape.amount.safeParse(cents).success ? cents : undefined;
}

/** Formats cents as an amount in dollars for a text field. Returns an empty string for null. */
export const toInputValue = (cents: number | null): string =>
  cents === null ? '' : cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);

/** `syncing`: Stripe doesn't have the saved price yet, so customers see another price or none. */
export type SaleState = 'on_sale' | 'syncing' | 'off';
type PlanOffers = readonly Pick<PlanCard, 'key' | 'yearly'>[];

const toCents = (dollars: number): number => Math.round(dollars * 100);

export function findYearlyState(yearly: YearlyPrices, tier: YearlyTier, cards: PlanOffers): SaleState {
  const offered = cards.find(({ key }) => key === tier)?.yearly;
  const cents = offered ? toCents(offered.price) : null;
  if (cents !== yearly[tier]) return 'syncing';
  return cents === null ? 'off' : 'on_sale';
}

export function findPackState({ key, units, meter, amount }: Pack, cards: readonly PackCard[]): SaleState {
  const card = cards.find((one) => one.key === key);
  const isSame = card?.units === units && card.meter === meter && toCents(card.price) === amount;
  return isSame ? 'on_sale' : 'syncing';
}

/** Whether the yearly prices that customers see match the saved prices. */
export const areYearlyPricesSynced = (yearly: YearlyPrices, cards: PlanOffers): boolean =>
  yearlyTiers.every((tier) => findYearlyState(yearly, tier, cards) !== 'syncing');

/** Whether the packs that customers can buy match the saved packs. */
export const arePacksSynced = (packs: readonly Pack[], cards: readonly PackCard[]): boolean =>
  cards.length === packs.length && packs.every((pack) => findPackState(pack, cards) === 'on_sale');
