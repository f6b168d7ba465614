import type { Insertable, Selectable } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { BatchesTable } from '../../tables/job-tables.ts';
import { afterSeconds, now } from '../../times.ts';

export type BatchRow = Selectable<BatchesTable>;
export type NewBatchRow = Omit<Insertable<BatchesTable>, 'expiresAt'> & { lifeS: number };

/** Insert a batch that accepts files for `lifeS` seconds. */
export function insertBatch(tx: Tx, { lifeS, ...row }: NewBatchRow): Promise<BatchRow> {
  const values = { ...row, expiresAt: afterSeconds(lifeS) };
  return tx.insertInto('batches').values(values).returningAll().executeTakeFirstOrThrow();
}

export const findBatch = (db: DbOrTx, id: string) =>
  db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst();

export type BatchPage = { accountId: string; isSandbox: boolean; before?: string | undefined; limit: number };

/** Batches of an account, newest first; `before` is the id of the last batch of the previous page. */
export function listBatches(db: DbOrTx, { accountId, isSandbox, before, limit }: BatchPage): Promise<BatchRow[]> {
  let query = db
    .selectFrom('batches')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('isSandbox', '=', isSandbox);
  if (before) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** The batch, held against cancels and retries until the transaction ends. */
export const lockBatch = (tx: Tx, id: string) =>
  tx.selectFrom('batches').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Lock a batch that has expired. */
export const lockOverdueBatch = (tx: Tx, id: string) =>
  tx
    .selectFrom('batches')
    .selectAll()
    .where('id', '=', id)
    .where('expiresAt', '<=', now)
    .forUpdate()
    .executeTakeFirst();

/** Note that a batch was cancelled; the time of the first cancel stays. */
export const markBatchCancelled = (tx: Tx, id: string) =>
  tx.updateTable('batches').set({ cancelledAt: now }).where('id', '=', id).where('cancelledAt', 'is', null).execute();

/** Let files come for `lifeS` seconds from now. */
export const extendBatch = (tx: Tx, id: string, lifeS: number) =>
  tx
    .updateTable('batches')
    .set({ expiresAt: afterSeconds(lifeS) })
    .where('id', '=', id)
    .execute();

/** Batches past their time in which items still wait for their files. */
export async function listOverdueBatches(db: DbOrTx): Promise<string[]> {
  const rows = await db
    .selectFrom('batches')
    .select('id')
    .where('expiresAt', '<=', now)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('batchItems')
          .select('batchItems.id')
          .whereRef('batchItems.batchId', '=', 'batches.id')
          .where('batchItems.status', '=', 'waiting'),
      ),
    )
    .orderBy('expiresAt')
    .limit(100)
    .execute();
  return rows.map((row) => row.id);
}
