import { offeredTier } from '@uprez/contracts/policy/plans/plans';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { formatPrice } from '@uprez/contracts/texts/format';
import type { PlanChoice } from '../../../lib/billing/plan-paths.ts';
import { billingMessages } from '../messages.ts';

export type Interval = 'month' | 'year';
export type PlanOffer = { key: PlanCard['key']; name: string; price: string; priceId: string; card: PlanCard };

/**
 * Lists the plans that can be bought for an interval, smallest first. `isOffered`: whether to include the plan that is
 * sold by email.
 */
export const listOffers = (cards: readonly PlanCard[], interval: Interval, isOffered = false): PlanOffer[] =>
  cards.flatMap((card) => {
    const { key, name, price, priceId, yearly } = card;
    const offer = interval === 'month' ? { price, priceId } : yearly;
    if (!offer?.priceId || offer.price === 0 || (key === offeredTier && !isOffered)) return [];
    const offered = billingMessages.price(formatPrice(offer.price), interval);
    return [{ key, name, priceId: offer.priceId, price: offered, card }];
  });

/** Finds the price ID and interval of a plan choice. Returns undefined if it isn't on sale. */
export function findOffer(
  cards: readonly PlanCard[],
  { plan, interval: wanted = 'month' }: PlanChoice,
  isOffered = false,
): { priceId: string; interval: Interval } | undefined {
  for (const interval of ['month', 'year'] as const) {
    const isWanted = interval === wanted;
    const offer = listOffers(cards, interval, isOffered).find(
      ({ key, priceId }) => priceId === plan || (isWanted && key === plan),
    );
    if (offer) return { priceId: offer.priceId, interval };
  }
  return undefined;
}
