import type { Meter } from '@uprez/contracts/policy/plans/meters';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type Insertable, type NotNull, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { PricesTable } from '../../tables/billing-tables.ts';

export type PlanPriceRow = {
  id: string;
  tier: Tier;
  interval: 'month' | 'year';
  planVersion: number;
  /** Price in cents. */
  amount: number;
  currency: string;
  lookupKey: string;
};

/** The column that is set for what a price is for: `tier` for plans, `pack` for packs. */
type ProductColumn = 'tier' | 'pack';

/** Makes these the only active plan or pack prices. Former prices are kept as inactive. */
export async function replacePrices(
  tx: Tx,
  sold: ProductColumn,
  prices: readonly Omit<Insertable<PricesTable>, 'active'>[],
): Promise<void> {
  const ids = prices.map(({ id }) => id);
  // Runs first, because only one price per plan and interval may be active.
  await tx
    .updateTable('prices')
    .set({ active: false })
    .where(sold, 'is not', null)
    .where('active', '=', true)
    .where('id', '<>', sql<string>`all(${ids}::text[])`)
    .execute();
  for (const price of prices)
    await tx
      .insertInto('prices')
      .values({ ...price, active: true })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ active: true }))
      .execute();
}

/** Lists the active plan prices. */
export function listPlanPrices(db: DbOrTx): Promise<PlanPriceRow[]> {
  return db
    .selectFrom('prices')
    .select(['id', 'tier', 'interval', 'planVersion', 'amount', 'currency', 'lookupKey'])
    .where('active', '=', true)
    .where('tier', 'is not', null)
    .$narrowType<{ tier: NotNull; planVersion: NotNull; interval: PlanPriceRow['interval'] }>()
    .execute();
}

/** Lists the IDs of current, next, and pending prices of subscriptions that haven't ended. */
export async function listUsedPrices(db: DbOrTx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct price.id from subscriptions
    cross join lateral (values (price_id), (next_price_id), (pending_price_id)) as price (id)
    where status not in ('canceled', 'incomplete_expired') and price.id is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Lists the plans or packs that have or had a price. */
export async function listPricedProducts<S extends ProductColumn>(db: DbOrTx, sold: S) {
  const rows = await db.selectFrom('prices').select(['tier', 'pack']).distinct().where(sold, 'is not', null).execute();
  return rows.flatMap((row) => row[sold] ?? []);
}

/** Maps the IDs of these prices to their plans. Prices without a plan are left out. */
export async function listTiersOfPrices(db: DbOrTx, ids: readonly string[]): Promise<Map<string, Tier>> {
  const rows = await db
    .selectFrom('prices')
    .select(['id', 'tier'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('tier', 'is not', null)
    .$narrowType<{ tier: NotNull }>()
    .execute();
  return new Map(rows.map(({ id, tier }) => [id, tier]));
}

export type PackPriceRow = {
  id: string;
  pack: string;
  packUnits: number;
  packMeter: Meter;
  /** Price in cents. */
  amount: number;
  currency: string;
  lookupKey: string;
};

/** Lists the active pack prices, cheapest first. */
export const listPackPrices = (db: DbOrTx): Promise<PackPriceRow[]> =>
  db
    .selectFrom('prices')
    .select(['id', 'pack', 'packUnits', 'packMeter', 'amount', 'currency', 'lookupKey'])
    .where('pack', 'is not', null)
    .where('active', '=', true)
    .$narrowType<{ pack: NotNull; packUnits: NotNull; packMeter: NotNull }>()
    .orderBy('amount')
    .orderBy('pack')
    .execute();
