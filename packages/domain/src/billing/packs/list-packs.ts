import type { PackCard } from '@uprez/contracts/schemas/plan-card';
import { listPackPrices } from '@uprez/db/queries/billing/prices';
import type { Needs } from '../../context.ts';

/** The packs that can be bought, smallest first. */
export async function listPacks({ db }: Needs<'db'>): Promise<PackCard[]> {
  const prices = await listPackPrices(db);
  return prices.map(({ pack: key, packUnits: units, packMeter: meter, amount }) => ({
    ...{ key, units, meter },
    price: amount / 100,
  }));
}
