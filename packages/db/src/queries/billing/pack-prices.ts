import type { Meter } from '@uprez/contracts/policy/meters';
import { type NotNull, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';

export type PackPriceRow = {
  /** Stripe's. */
  id: string;
  pack: string;
  packUnits: number;
  packMeter: Meter;
  /** Cents. */
  amount: number;
  currency: string;
  lookupKey: string;
};

/** Makes these the only prices of packs that can be bought. Former ones stay, inactive. */
export async function replacePackPrices(tx: Tx, prices: readonly PackPriceRow[]): Promise<void> {
  const ids = prices.map(({ id }) => id);
  await tx
    .updateTable('prices')
    .set({ active: false })
    .where('pack', 'is not', null)
    .where('active', '=', true)
    .where('id', '<>', sql<string>`all(${ids}::text[])`)
    .execute();
  for (const price of prices)
    await tx
      .insertInto('prices')
      .values({ ...price, interval: 'once', active: true })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ active: true }))
      .execute();
}

/** The packs that can be bought, cheapest first. */
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

/** The packs that have or had a price. */
export async function listPricedPacks(db: DbOrTx): Promise<string[]> {
  const rows = await db
    .selectFrom('prices')
    .select('pack')
    .distinct()
    .where('pack', 'is not', null)
    .$narrowType<{ pack: NotNull }>()
    .execute();
  return rows.map(({ pack }) => pack);
}
