import { tiersByMail } from '@uprez/contracts/policy/plans';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { formatPrice } from '../../../lib/format/format.ts';
import { billingMessages } from '../messages.ts';

export type Interval = 'month' | 'year';
export type PlanOffer = { key: PlanCard['key']; name: string; price: string; priceId: string; card: PlanCard };

/** The plans that can be bought for an interval, smallest first. */
export const listOffers = (cards: readonly PlanCard[], interval: Interval): PlanOffer[] =>
  cards.flatMap((card) => {
    const { key, name, price, priceId, yearly } = card;
    const offer = interval === 'month' ? { price, priceId } : yearly;
    if (!offer?.priceId || offer.price === 0 || tiersByMail.includes(key)) return [];
    const offered = billingMessages.price(formatPrice(offer.price), interval);
    return [{ key, name, priceId: offer.priceId, price: offered, card }];
  });

/** The price ID and interval that `?plan=` means: a price ID, or the key of a plan, which means its monthly price. */
export function findOffer(
  cards: readonly PlanCard[],
  plan: string,
): { priceId: string; interval: Interval } | undefined {
  for (const interval of ['month', 'year'] as const) {
    const offer = listOffers(cards, interval).find(({ key, priceId }) => priceId === plan || key === plan);
    if (offer) return { priceId: offer.priceId, interval };
  }
  return undefined;
}
