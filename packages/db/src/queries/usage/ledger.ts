import type { Insertable, Selectable } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { LedgerTable } from '../../tables/usage-tables.ts';

export type LedgerRow = Selectable<LedgerTable>;

/** Insert a ledger entry. False when the job has one of this kind. */
export async function insertLedgerRow(db: DbOrTx, row: Insertable<LedgerTable>): Promise<boolean> {
  const inserted = await db
    .insertInto('ledger')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Add the reservations of several jobs; one that was reserved before is an error. */
export const insertReservations = (db: DbOrTx, rows: readonly Insertable<LedgerTable>[]) =>
  db.insertInto('ledger').values(rows).execute();

export const findReservation = (db: DbOrTx, jobId: string) =>
  db.selectFrom('ledger').selectAll().where('jobId', '=', jobId).where('kind', '=', 'reserve').executeTakeFirst();

export type LedgerPage = { accountId: string; before?: number | undefined; limit: number };

/** An account's ledger, newest row first; `before` is the id of the last row of the page before. */
export function listLedger(db: DbOrTx, { accountId, before, limit }: LedgerPage): Promise<LedgerRow[]> {
  let query = db.selectFrom('ledger').selectAll().where('accountId', '=', accountId);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

export async function countLedger(db: DbOrTx, accountId: string): Promise<number> {
  const { n } = await db
    .selectFrom('ledger')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return n;
}
