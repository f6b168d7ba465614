import { addsTo, type Meter } from '@uprez/contracts/policy/meters';
import type { DbOrTx } from '@uprez/db/database';
import { listPackPrices } from '@uprez/db/queries/billing/pack-prices';

/** Whether a pack on sale adds images to this meter. */
export const hasPackFor = async (db: DbOrTx, meter: Meter): Promise<boolean> =>
  (await listPackPrices(db)).some(({ packMeter }) => addsTo(packMeter, meter));
