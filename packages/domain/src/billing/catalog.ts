import { createHash } from 'node:crypto';
import { countImages, type Meter } from '@uprez/contracts/policy/plans/meters';
import { makePlanCard } from '@uprez/contracts/policy/plans/plan-cards';
import { centsPerMonth, currentPlans, paidTiers, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { BillingSettings } from '@uprez/contracts/schemas/admin/settings';
import type { DbOrTx } from '@uprez/db/database';
import { productName } from '../settings/first-settings.ts';
import { readBillingSettings } from './read-billing-settings.ts';

/** A price of a plan. `amount` is cents. */
type CatalogPrice = { interval: 'month' | 'year'; planVersion: number; amount: number };
/** A plan that can be bought: a product at Stripe. */
export type CatalogPlan = { tier: Tier; name: string; description: string; prices: readonly CatalogPrice[] };

export const currency = 'usd';

/** Returns the plans that can be bought, from the plan table. `yearly`: what a year costs, in cents, where it is sold. */
export const makeCatalog = (yearly: Partial<Record<Tier, number | null>> = {}): CatalogPlan[] =>
  paidTiers.map((tier) => {
    const { name, version } = currentPlans[tier];
    return {
      tier,
      name: `${productName} ${name}`,
      description: makePlanCard(tier).description,
      prices: [
        { interval: 'month', planVersion: version, amount: centsPerMonth(tier) },
        ...(yearly[tier] ? [{ interval: 'year' as const, planVersion: version, amount: yearly[tier] }] : []),
      ],
    };
  });

/** The ID of a plan's product at Stripe. */
export const productIdOf = (tier: Tier): string => `uprez_${tier}`;

/** The name of a price at Stripe. Prices can't change there, so it contains all that may change here. */
export const lookupKeyOf = (tier: Tier, { interval, planVersion, amount }: CatalogPrice): string =>
  `uprez_${tier}_${interval}_v${planVersion}_${amount}`;

/** What can be bought. */
type Catalog = { plans: readonly CatalogPlan[]; packs: readonly CatalogPack[] };

/** Returns what can be bought: the plan table, with the yearly prices and packs of the settings. */
export async function readCatalog(db: DbOrTx): Promise<Catalog> {
  const { yearly, packs } = await readBillingSettings(db);
  return { plans: makeCatalog(yearly), packs: makePacks(packs) };
}

/** Name of the fact of the installation: the digest of the catalog that Stripe has. */
export const catalogFact = 'stripe_catalog';

export const digestOf = (catalog: Catalog): string =>
  createHash('sha256').update(JSON.stringify(catalog)).digest('hex');

/** Units that can be bought once: a product at Stripe with one price. `amount` is cents. */
export type CatalogPack = {
  key: string;
  name: string;
  description: string;
  units: number;
  meter: Meter;
  amount: number;
};

/** Returns the packs that can be bought, from the settings. */
const makePacks = (packs: BillingSettings['packs']): CatalogPack[] =>
  packs.map((pack) => ({
    ...pack,
    name: `${productName} ${countImages(pack.units, pack.meter)}`,
    description: "Extra images for your quota. They never expire, and are used after your plan's quota.",
  }));

/** The ID of a pack's product at Stripe. */
export const packProductId = (key: string): string => `uprez_pack_${key}`;

/** The name of a pack's price at Stripe. It contains all that may change here. */
export const packLookupKey = ({ key, units, meter, amount }: CatalogPack): string =>
  `uprez_pack_${key}_${units}_${meter}_${amount}`;
