import { AppError } from '@uprez/contracts/errors/app-error';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans';
import { listPlanPrices, type PlanPriceRow } from '@uprez/db/queries/billing/prices';
import type { Needs } from '../../context.ts';
import { makeCatalog } from '../catalog.ts';

/**
 * Returns the price that a purchase names by its ID, or by the key of its plan: then the monthly one. Throws AppError
 * `price_not_found`, and `billing_not_configured` if the plan is sold but has no price at Stripe yet.
 */
export async function findPlanPrice(
  { db }: Needs<'db'>,
  { priceId, planName }: { priceId: string; planName?: string | undefined },
): Promise<PlanPriceRow> {
  const prices = await listPlanPrices(db);
  const tier = tiers.find((key) => key === priceId);
  const price = prices.find((one) => (tier ? one.tier === tier && one.interval === 'month' : one.id === priceId));
  if (!price && tier && isSold(tier)) throw new AppError('billing_not_configured');
  // A page that shows another name is out of date.
  if (!price || (planName !== undefined && planName !== currentPlans[price.tier].name))
    throw new AppError('price_not_found');
  return price;
}

const isSold = (tier: Tier) => makeCatalog().some((plan) => plan.tier === tier);
