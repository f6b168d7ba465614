import { AppError } from '@uprez/contracts/errors/app-error';
import { listPlanPrices, type PlanPriceRow } from '@uprez/db/queries/billing/prices';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import { findPlanPrice } from '../purchases/find-plan-price.ts';

export type PlanPrice = Pick<PlanPriceRow, 'id' | 'tier' | 'interval' | 'amount'>;
type Wanted = { accountId: string; priceId: string; current: Subscription['price'] };

/**
 * A price that a subscriber may buy: one that is sold. Their own means the current one of its plan and interval, or itself if
 * there is none. `priceId` may be the key of a plan, which means its monthly price. Throws AppError `price_not_found`.
 */
export async function findWantedPrice(ctx: Needs<'db'>, { accountId, priceId, current }: Wanted): Promise<PlanPrice> {
  const { id, tier, interval, amount } = current;
  if (id !== priceId) return await findPlanPrice(ctx, { accountId, priceId });
  const prices = await listPlanPrices(ctx.db);
  const sold = prices.find((price) => price.tier === tier && price.interval === interval);
  if (sold) return sold;
  if (tier && amount !== null && (interval === 'month' || interval === 'year')) return { id, tier, interval, amount };
  throw new AppError('price_not_found');
}
