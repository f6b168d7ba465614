import type { Meter } from '@uprez/contracts/policy/meters';
import type { NotNull } from 'kysely';
import type { DbOrTx } from '../../database.ts';

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
