import { AppError } from '@uprez/contracts/errors/app-error';
import { currentPlans, salesOnlyTier, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import { listPlanPrices, type PlanPriceRow } from '@uprez/db/queries/billing/prices';
import { isPlanOffered } from '@uprez/db/queries/leads/leads';
import type { Needs } from '../../context.ts';
import { makeCatalog } from '../catalog.ts';

export type WantedPrice = {
  /** Price ID at Stripe, or the key of a plan. */
  priceId: string;
  /** Billing interval if `priceId` is the key of a plan. Defaults to monthly. */
  interval?: PlanPriceRow['interval'] | undefined;
  planName?: string | undefined;
};

/**
 * Returns the price with a given ID, or a plan's price for a billing interval. Throws AppError `price_not_found`, or
 * `billing_not_configured` if the plan is for sale but has no price at Stripe yet.
 */
export async function findPlanPrice(
  { db }: Needs<'db'>,
  { accountId, priceId, interval = 'month', planName }: WantedPrice & { accountId: string },
): Promise<PlanPriceRow> {
  const prices = await listPlanPrices(db);
  const tier = tiers.find((key) => key === priceId);
  const price = prices.find((one) => (tier ? one.tier === tier && one.interval === interval : one.id === priceId));
  // If the plan hasn't been offered to the account, behaves as if the plan didn't exist.
  if ((price?.tier ?? tier) === salesOnlyTier && !(await isPlanOffered(db, { accountId, tier: salesOnlyTier })))
    throw new AppError('price_not_found');
  if (!price && tier && interval === 'month' && isSold(tier)) throw new AppError('billing_not_configured');
  // Rejects requests from an outdated page, which showed a different plan name.
  if (!price || (planName !== undefined && planName !== currentPlans[price.tier].name))
    throw new AppError('price_not_found');
  return price;
}

const isSold = (tier: Tier) => makeCatalog().some((plan) => plan.tier === tier);
