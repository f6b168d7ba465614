import { createHash } from 'node:crypto';
import { countImages, type Meter } from '@uprez/contracts/policy/plans/meters';
import { makePlanCard } from '@uprez/contracts/policy/plans/plan-cards';
import { centsPerMonth, currentPlans, paidTiers, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { BillingSettings } from '@uprez/contracts/schemas/admin/settings';
import type { DbOrTx } from '@uprez/db/database';
import { productName } from '../settings/first-settings.ts';
import { readBillingSettings } from './read-billing-settings.ts';

/** A price of a plan. `amount` is in cents. */
type CatalogPrice = { interval: 'month' | 'year'; planVersion: number; amount: number };
/** A plan for sale, which is a product at Stripe. */
export type CatalogPlan = { tier: Tier; name: string; description: string; prices: readonly CatalogPrice[] };

export const currency = 'usd';

/**
 * Returns the plans for sale, from the plan table. `yearly` has the yearly price in cents of each tier that is sold by
 * the year.
 */
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

/** Returns the ID of a plan's product at Stripe. */
export const productIdOf = (tier: Tier): string => `uprez_${tier}`;

/**
 * Returns the lookup key of a price at Stripe. Prices are immutable there, so the key contains everything that can
 * change here.
 */
export const lookupKeyOf = (tier: Tier, { interval, planVersion, amount }: CatalogPrice): string =>
  `uprez_${tier}_${interval}_v${planVersion}_${amount}`;

/** Plans and packs for sale. */
type Catalog = { plans: readonly CatalogPlan[]; packs: readonly CatalogPack[] };

/** Returns the plans and packs for sale, from the plan table and the yearly prices and packs in the settings. */
export async function readCatalog(db: DbOrTx): Promise<Catalog> {
  const { yearly, packs } = await readBillingSettings(db);
  return { plans: makeCatalog(yearly), packs: makePacks(packs) };
}

/** Name of the instance fact that stores the digest of the catalog at Stripe. */
export const catalogFact = 'stripe_catalog';

export const digestOf = (catalog: Catalog): string =>
  createHash('sha256').update(JSON.stringify(catalog)).digest('hex');

/** A one-time purchase of units, which is a product at Stripe with one price. `amount` is in cents. */
export type CatalogPack = {
  key: string;
  name: string;
  description: string;
  units: number;
  meter: Meter;
  amount: number;
};

/** Returns the packs for sale, from the settings. */
const makePacks = (packs: BillingSettings['packs']): CatalogPack[] =>
  packs.map((pack) => ({
    ...pack,
    name: `${productName} ${countImages(pack.units, pack.meter)}`,
    description: "Extra images for your quota. They never expire, and are used after your plan's quota.",
  }));

/** Returns the ID of a pack's product at Stripe. */
export const packProductId = (key: string): string => `uprez_pack_${key}`;

/** Returns the lookup key of a pack's price at Stripe. It contains everything that can change here. */
export const packLookupKey = ({ key, units, meter, amount }: CatalogPack): string =>
  `uprez_pack_${key}_${units}_${meter}_${amount}`;
