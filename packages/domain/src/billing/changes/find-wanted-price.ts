import type { PlanPriceRow } from '@uprez/db/queries/billing/prices';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import { findPlanPrice } from '../purchases/find-plan-price.ts';

export type PlanPrice = Pick<PlanPriceRow, 'id' | 'tier' | 'interval' | 'amount'>;
type Wanted = { priceId: string; current: Subscription['price'] };

/**
 * A price that a subscriber may have: one that is sold, or their own, which may not be sold anymore. `priceId` may be the
 * key of a plan, which means its monthly price. Throws AppError `price_not_found`.
 */
export async function findWantedPrice(ctx: Needs<'db'>, { priceId, current }: Wanted): Promise<PlanPrice> {
  const { tier, interval, amount } = current;
  if (current.id === priceId && tier && amount !== null && (interval === 'month' || interval === 'year'))
    return { id: priceId, tier, interval, amount };
  return await findPlanPrice(ctx, { priceId });
}
