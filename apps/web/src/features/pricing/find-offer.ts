import type { PlanCard } from '@uprez/contracts/schemas/plan-card';

export type Interval = 'month' | 'year';

/** What a card offers for an interval. Plans without a yearly price are offered by the month. `priceId: null`: not for sale. */
export type Offer = { interval: Interval; price: number; priceId: string | null };

export const findOffer = ({ price, priceId, yearly }: PlanCard, interval: Interval): Offer =>
  interval === 'year' && yearly ? { interval, ...yearly } : { interval: 'month', price, priceId };

export const hasYearlyPrices = (cards: readonly PlanCard[]): boolean => cards.some(({ yearly }) => yearly !== null);
