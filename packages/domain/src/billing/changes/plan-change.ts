import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { listPlanPrices, type PlanPriceRow } from '@uprez/db/queries/billing/prices';
import type { Interval } from '@uprez/payments/prices';
import type { PriceChange } from '@uprez/payments/subscription-changes';
import { getSubscription, type Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import type { Step } from '../calls/call-kind.ts';
import { type SyncedCoupon, toAddedCode } from '../coupons/coupon-rules.ts';
import { findPlanPrice } from '../purchases/find-plan-price.ts';
import type { Own } from './load-own.ts';
import type { NextPrice } from './schedule-steps.ts';
import { type Withdrawal, withdrawalOf } from './shared-steps.ts';

/** A change to a price. Times are ISO 8601. */
export type PlanChange = Withdrawal & {
  itemId: string;
  priceId: string;
  interval: Interval;
  /** Start of the period that the preview was about. */
  periodStart: string;
  /** Time of the preview. */
  quotedAt: string;
  /** The downgrade and the pause that come back if the card is declined. */
  scheduled: NextPrice | null;
  pausedUntil: string | null;
  tier: Tier;
  /** A coupon's code, in upper case, and what Stripe gets for it. Null: none. */
  code: string | null;
  addedCode: NonNullable<PriceChange['code']> | null;
};

/**
 * Fails a change that another one overtook between its checks and its row. Runs once: afterward, the subscription may differ
 * because of the change itself.
 */
export const checkStep: Step<PlanChange> = {
  name: 'check',
  send: async ({ payments }, { request }) => {
    const { subscription } = await getSubscription(payments, request.subscriptionId);
    const current = { ...withdrawalOf(subscription), periodStart: subscription.periodStart.toISOString() };
    const isSame = Object.entries(current).every(([key, value]) => Reflect.get(request, key) === value);
    if (!isSame || subscription.status !== 'active') throw new AppError('subscription_state');
    return {};
  },
  find: async () => undefined,
};

type Wanted = { price: PlanPrice; quotedAt: string; coupon?: SyncedCoupon | null };

export function toPlanChange({ subscription, stored }: Own, { price, quotedAt, coupon = null }: Wanted): PlanChange {
  const { itemId, next, isPaused, pausedUntil } = subscription;
  const interval = stored.nextPriceId === next?.priceId ? stored.nextInterval : null;
  return {
    ...withdrawalOf(subscription),
    ...{ itemId, priceId: price.id, interval: price.interval, tier: price.tier, quotedAt },
    ...{ code: coupon?.code ?? null, addedCode: coupon && toAddedCode(subscription, coupon) },
    periodStart: subscription.periodStart.toISOString(),
    scheduled: next && (interval === 'month' || interval === 'year') ? { priceId: next.priceId, interval } : null,
    pausedUntil: (isPaused && pausedUntil?.toISOString()) || null,
  };
}

export type PlanPrice = Pick<PlanPriceRow, 'id' | 'tier' | 'interval' | 'amount'>;
type PriceChoice = { accountId: string; priceId: string; current: Subscription['price'] };

/**
 * A price that a subscriber may buy: one that is sold. Their own means the current one of its plan and interval, or itself if
 * there is none. `priceId` may be the key of a plan, which means its monthly price. Throws AppError `price_not_found`.
 */
export async function findWantedPrice(
  ctx: Needs<'db'>,
  { accountId, priceId, current }: PriceChoice,
): Promise<PlanPrice> {
  const { id, tier, interval, amount } = current;
  if (id !== priceId) return await findPlanPrice(ctx, { accountId, priceId });
  const prices = await listPlanPrices(ctx.db);
  const sold = prices.find((price) => price.tier === tier && price.interval === interval);
  if (sold) return sold;
  if (tier && amount !== null && (interval === 'month' || interval === 'year')) return { id, tier, interval, amount };
  throw new AppError('price_not_found');
}
