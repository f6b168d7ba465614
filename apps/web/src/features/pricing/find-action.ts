import { currentPlans, offeredTier } from '@uprez/contracts/policy/plans/plans';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import type { User } from '@uprez/contracts/schemas/user';
import { isSubscribed } from '../../lib/billing/is-subscribed.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';

export type PlanActionKind = 'current' | 'mail' | 'sign-up' | 'sign-in' | 'base' | 'change' | 'unavailable' | 'buy';

type Viewer = { user: User | null; billing: Billing | undefined };

/**
 * Whether somebody has a plan as it is sold now. Subscribers have it at the price they pay, others from an administrator, or
 * for free.
 */
function hasPlan(card: Pick<PlanCard, 'key'>, offer: Offer, { user, billing }: Viewer): boolean {
  if (user?.subscriptionTier !== card.key) return false;
  const paid = billing && isSubscribed(billing) ? billing.subscription?.plan : undefined;
  if (paid?.tier !== card.key) return true;
  return paid.interval === offer.interval && planOfUser(user) === currentPlans[card.key];
}

/** What the button of a plan does. */
export function findAction(card: Pick<PlanCard, 'key' | 'price'>, offer: Offer, viewer: Viewer): PlanActionKind {
  const { user, billing } = viewer;
  if (hasPlan(card, offer, viewer)) return 'current';
  if (card.key === offeredTier && !billing?.isOffered) return 'mail';
  if (card.price === 0) return user ? 'base' : 'sign-up';
  if (!user) return 'sign-in';
  if (offer.priceId === null) return 'unavailable';
  return billing && isSubscribed(billing) ? 'change' : 'buy';
}

export type Interval = 'month' | 'year';

/** What a card offers for an interval. Plans without a yearly price are offered by the month. `priceId: null`: not for sale. */
export type Offer = { interval: Interval; price: number; priceId: string | null };

export const findOffer = ({ price, priceId, yearly }: PlanCard, interval: Interval): Offer =>
  interval === 'year' && yearly ? { interval, ...yearly } : { interval: 'month', price, priceId };

export const hasYearlyPrices = (cards: readonly PlanCard[]): boolean => cards.some(({ yearly }) => yearly !== null);
