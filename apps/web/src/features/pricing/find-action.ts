import { currentPlans, offeredTier } from '@uprez/contracts/policy/plans/plans';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import type { User } from '@uprez/contracts/schemas/user';
import { isSubscribed } from '../../lib/billing/is-subscribed.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';

export type PlanActionKind = 'current' | 'mail' | 'sign-up' | 'sign-in' | 'base' | 'change' | 'unavailable' | 'buy';

type Viewer = { user: User | null; billing: Billing | undefined };

/**
 * Whether a user has a plan as it is sold now. A subscription must match the offer's interval and the current plan
 * version. A free plan, or one granted by an administrator, always matches.
 */
function hasPlan(card: Pick<PlanCard, 'key'>, offer: Offer, { user, billing }: Viewer): boolean {
  if (user?.subscriptionTier !== card.key) return false;
  const paid = billing && isSubscribed(billing) ? billing.subscription?.plan : undefined;
  if (paid?.tier !== card.key) return true;
  return paid.interval === offer.interval && planOfUser(user) === currentPlans[card.key];
}

/** Returns the action of a plan's button. */
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

/**
 * Price of a plan for an interval. Plans without a yearly price are offered monthly. `priceId` is null if the plan
 * isn't for sale.
 */
export type Offer = { interval: Interval; price: number; priceId: string | null };

export const findOffer = ({ price, priceId, yearly }: PlanCard, interval: Interval): Offer =>
  interval === 'year' && yearly ? { interval, ...yearly } : { interval: 'month', price, priceId };

export const hasYearlyPrices = (cards: readonly PlanCard[]): boolean => cards.some(({ yearly }) => yearly !== null);
