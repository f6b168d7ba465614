import { createHash } from 'node:crypto';
import type { DbOrTx } from '@uprez/db/database';
import { type CatalogPlan, makeCatalog } from './catalog.ts';
import { type CatalogPack, makePacks } from './packs/pack-catalog.ts';
import { readBillingSettings } from './read-billing-settings.ts';

/** What can be bought. */
export type Catalog = { plans: readonly CatalogPlan[]; packs: readonly CatalogPack[] };

/** Returns what can be bought: the plan table, with the yearly prices and packs of the settings. */
export async function readCatalog(db: DbOrTx): Promise<Catalog> {
  const { yearly, packs } = await readBillingSettings(db);
  return { plans: makeCatalog(yearly), packs: makePacks(packs) };
}

/** Name of the fact of the installation: the digest of the catalog that Stripe has. */
export const catalogFact = 'stripe_catalog';

export const digestOf = (catalog: Catalog): string =>
  createHash('sha256').update(JSON.stringify(catalog)).digest('hex');
