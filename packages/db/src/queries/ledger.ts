import type { Insertable } from 'kysely';
import type { DbOrTx } from '../database.ts';
import type { LedgerTable } from '../tables/ledger.ts';

/** Add a row; the unique keys make a repeat harmless. False when the job already had one of this kind. */
export async function insertLedgerRow(db: DbOrTx, row: Insertable<LedgerTable>): Promise<boolean> {
  const inserted = await db
    .insertInto('ledger')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export function findReservation(db: DbOrTx, jobId: string) {
  return db
    .selectFrom('ledger')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('kind', '=', 'reserve')
    .executeTakeFirst();
}
