import { AppError } from '@uprez/contracts/errors/app-error';
import { currentPlans, offeredTier, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import { listPlanPrices, type PlanPriceRow } from '@uprez/db/queries/billing/prices';
import { isPlanOffered } from '@uprez/db/queries/leads/leads';
import type { Needs } from '../../context.ts';
import { makeCatalog } from '../catalog.ts';

export type WantedPrice = {
  /** A price ID of Stripe, or the key of a plan. */
  priceId: string;
  /** Of the plan whose key is given. Monthly by default. */
  interval?: PlanPriceRow['interval'] | undefined;
  planName?: string | undefined;
};

/**
 * Returns the price that a purchase names by its ID, or by the key and the interval of its plan. Throws AppError
 * `price_not_found`, and `billing_not_configured` if the plan is sold but has no price at Stripe yet.
 */
export async function findPlanPrice(
  { db }: Needs<'db'>,
  { accountId, priceId, interval = 'month', planName }: WantedPrice & { accountId: string },
): Promise<PlanPriceRow> {
  const prices = await listPlanPrices(db);
  const tier = tiers.find((key) => key === priceId);
  const price = prices.find((one) => (tier ? one.tier === tier && one.interval === interval : one.id === priceId));
  // Without a link, the plan doesn't exist for the account.
  if ((price?.tier ?? tier) === offeredTier && !(await isPlanOffered(db, { accountId, tier: offeredTier })))
    throw new AppError('price_not_found');
  if (!price && tier && interval === 'month' && isSold(tier)) throw new AppError('billing_not_configured');
  // A page that shows another name is out of date.
  if (!price || (planName !== undefined && planName !== currentPlans[price.tier].name))
    throw new AppError('price_not_found');
  return price;
}

const isSold = (tier: Tier) => makeCatalog().some((plan) => plan.tier === tier);
