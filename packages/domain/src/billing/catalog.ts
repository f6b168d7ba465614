import { createHash } from 'node:crypto';
import { countImages, type Meter } from '@uprez/contracts/policy/plans/meters';
import { makePlanCard } from '@uprez/contracts/policy/plans/plan-cards';
import { centsPerMonth, currentPlans, paidTiers, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { BillingSettings } from '@uprez/contracts/schemas/admin/settings';
import type { DbOrTx } from '@uprez/db/database';
import { productName } from '../settings/first-settings.ts';
import { readBillingSettings } from './read-billing-settings.ts';

/** `amount` is in cents. */
type CatalogPrice = { interval: 'month' | 'year'; planVersion: number; amount: number };
/** A plan for sale, which is a product at Stripe. */
export type CatalogPlan = { tier: Tier; name: string; description: string; prices: readonly CatalogPrice[] };

export const currency = 'usd';

/**
 * Returns the plans for sale, based on the plan table. `yearly` contains the yearly price, in cents, for each tier that
 * also offers yearly billing.
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

export const productIdOf = (tier: Tier): string => `uprez_${tier}`;

/**
 * Returns the lookup key for a price at Stripe. Prices are immutable at Stripe, so the key contains everything that can
 * change here. A changed price gets a different key.
 */
export const lookupKeyOf = (tier: Tier, { interval, planVersion, amount }: CatalogPrice): string =>
  `uprez_${tier}_${interval}_v${planVersion}_${amount}`;

type Catalog = { plans: readonly CatalogPlan[]; packs: readonly CatalogPack[] };

/**
 * Returns the plans and packs for sale. Plans come from the plan table. Yearly prices and packs come from the settings.
 */
export async function readCatalog(db: DbOrTx): Promise<Catalog> {
  const { yearly, packs } = await readBillingSettings(db);
  return { plans: makeCatalog(yearly), packs: makePacks(packs) };
}

/** Name of the instance fact that stores the digest of the catalog last synced to Stripe. */
export const catalogFact = 'stripe_catalog';

export const digestOf = (catalog: Catalog): string =>
  createHash('sha256').update(JSON.stringify(catalog)).digest('hex');

/** Units for sale as a one-time purchase. Each pack is a product at Stripe with one price. `amount` is in cents. */
export type CatalogPack = {
  key: string;
  name: string;
  description: string;
  units: number;
  meter: Meter;
  amount: number;
};

const makePacks = (packs: BillingSettings['packs']): CatalogPack[] =>
  packs.map((pack) => ({
    ...pack,
    name: `${productName} ${countImages(pack.units, pack.meter)}`,
    description: "Extra images for your quota. They never expire, and are used after your plan's quota.",
  }));

export const packProductId = (key: string): string => `uprez_pack_${key}`;

/**
 * Returns the lookup key for a pack's price at Stripe. Prices are immutable at Stripe, so the key contains everything
 * that can change here.
 */
export const packLookupKey = ({ key, units, meter, amount }: CatalogPack): string =>
  `uprez_pack_${key}_${units}_${meter}_${amount}`;
