import type { Insertable, Selectable, UpdateObject } from 'kysely';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import type { BatchItemsTable } from '../../tables/batch-items.ts';

export type BatchItemRow = Selectable<BatchItemsTable>;
export type NewBatchItemRow = Insertable<BatchItemsTable>;
export type BatchItemState = BatchItemRow['status'];

export async function insertBatchItems(tx: Tx, rows: readonly NewBatchItemRow[]): Promise<void> {
  await tx.insertInto('batchItems').values(rows).execute();
}

/** A batch's items in their order. */
export function listBatchItems(db: DbOrTx, batchId: string): Promise<BatchItemRow[]> {
  return db.selectFrom('batchItems').selectAll().where('batchId', '=', batchId).orderBy('position').execute();
}

export function findBatchItem(db: DbOrTx, batchId: string, id: string): Promise<BatchItemRow | undefined> {
  return db.selectFrom('batchItems').selectAll().where('batchId', '=', batchId).where('id', '=', id).executeTakeFirst();
}

/** The item if it still waits for its file, held against changes until the transaction ends. */
export function holdWaitingItem(tx: Tx, id: string): Promise<BatchItemRow | undefined> {
  return tx
    .selectFrom('batchItems')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst();
}

/** Change items that have a status, one or all of a batch, in their order. Answers those that were changed. */
export async function changeBatchItems(
  tx: Tx,
  expected: { batchId: string; id?: string; status: BatchItemState },
  changes: UpdateObject<Tables, 'batchItems'>,
): Promise<BatchItemRow[]> {
  let held = tx
    .selectFrom('batchItems')
    .select('id')
    .where('batchId', '=', expected.batchId)
    .where('status', '=', expected.status);
  if (expected.id !== undefined) held = held.where('id', '=', expected.id);
  const rows = await held.orderBy('position').forUpdate().execute();
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  return tx.updateTable('batchItems').set(changes).where('id', 'in', ids).returningAll().execute();
}

/** Units that are taken under each of these ids, as of now. */
export async function sumUnits(db: DbOrTx, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('ledger')
    .select((eb) => ['jobId', eb.fn.sum<number>('units').as('units')])
    .where('jobId', 'in', ids)
    .groupBy('jobId')
    .execute();
  return new Map(rows.map((row) => [row.jobId ?? '', 0 - Number(row.units)]));
}
