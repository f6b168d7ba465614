import type { Pack } from '@uprez/contracts/schemas/admin/settings';
import type { PackCard, PlanCard } from '@uprez/contracts/schemas/plan-card';
import { type Yearly, type YearlyTier, yearlyTiers } from './yearly-prices.ts';

/** `syncing`: customers see another price, or none, until Stripe has the saved one. */
export type SaleState = 'on_sale' | 'syncing' | 'off';
type PlanOffers = readonly Pick<PlanCard, 'key' | 'yearly'>[];

const toCents = (dollars: number): number => Math.round(dollars * 100);

export function findYearlyState(yearly: Yearly, tier: YearlyTier, cards: PlanOffers): SaleState {
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

/** Whether the yearly prices on sale match the saved prices. */
export const isYearlySynced = (yearly: Yearly, cards: PlanOffers): boolean =>
  yearlyTiers.every((tier) => findYearlyState(yearly, tier, cards) !== 'syncing');

/** Whether the packs on sale match the saved packs. */
export const arePacksSynced = (packs: readonly Pack[], cards: readonly PackCard[]): boolean =>
  cards.length === packs.length && packs.every((pack) => findPackState(pack, cards) === 'on_sale');
