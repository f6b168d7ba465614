import type { Meter } from '@uprez/contracts/policy/meters';
import type { Tier } from '@uprez/contracts/policy/plans';
import { sql } from 'kysely';
import type { DbOrTx } from '../../../database.ts';

/** What an invoice is for: a plan, or a pack. */
export type Bought = {
  invoiceId: string;
  tier: Tier | null;
  interval: 'month' | 'year' | 'once';
  packUnits: number | null;
  packMeter: Meter | null;
};

/** The line with the largest amount of each invoice. The others are credits for the rest of a plan. */
export async function listBought(db: DbOrTx, invoiceIds: readonly string[]): Promise<Bought[]> {
  const { rows } = await sql<Bought>`
    select distinct on (line.invoice_id) line.invoice_id, prices.tier, prices.interval, prices.pack_units, prices.pack_meter
    from invoice_lines line join prices on prices.id = line.price_id
    where line.invoice_id = any(${invoiceIds}::text[])
    order by line.invoice_id, line.amount desc, line.id`.execute(db);
  return rows;
}
