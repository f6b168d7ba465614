import { makePlanCards } from '@uprez/contracts/policy/plans/plan-cards';
import type { PackCard, PlanCard } from '@uprez/contracts/schemas/plan-card';
import { listPackPrices, listPlanPrices } from '@uprez/db/queries/billing/prices';
import type { Needs } from '../context.ts';
import { readPaymentMethods } from './payment-methods.ts';
import { readBillingSettings } from './read-billing-settings.ts';

/**
 * Returns the pricing cards for all plans, with payment methods and whether tax is added. Monthly prices are those of
 * the plan table; they can't be bought while the price at Stripe differs. Yearly prices are those at Stripe.
 */
export async function listPlanCards({ db }: Needs<'db'>): Promise<PlanCard[]> {
  const { collectsTax: addsTax } = await readBillingSettings(db);
  return makePlanCards(await listPlanPrices(db), { methods: await readPaymentMethods(db), addsTax });
}

/** Returns the packs for sale, smallest first. */
export async function listPacks({ db }: Needs<'db'>): Promise<PackCard[]> {
  const prices = await listPackPrices(db);
  return prices.map(({ pack: key, packUnits: units, packMeter: meter, amount }) => ({
    ...{ key, units, meter },
    price: amount / 100,
  }));
}
