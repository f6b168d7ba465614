import type { BatchItemStatus } from '@uprez/contracts/schemas/jobs/batch';
import {
  type ExpressionBuilder,
  type Insertable,
  type InsertObject,
  type RawBuilder,
  type Selectable,
  sql,
  type UpdateObject,
} from 'kysely';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import type { BatchesTable, BatchItemsTable } from '../../tables/job-tables.ts';
import { afterSeconds, now } from '../../times.ts';

/** `isPaused`: whether the batch is paused and hasn't expired, which keeps its jobs from starting. */
export type BatchRow = Selectable<BatchesTable> & { isPaused: boolean };

const isPaused = sql<boolean>`batches.paused_at is not null and batches.expires_at > now()`.as('isPaused');
const selectBatches = (db: DbOrTx) => db.selectFrom('batches').selectAll('batches').select(isPaused);

export const insertBatch = (tx: Tx, row: InsertObject<Tables, 'batches'>): Promise<BatchRow> =>
  tx.insertInto('batches').values(row).returningAll().returning(isPaused).executeTakeFirstOrThrow();

export const findBatch = (db: DbOrTx, id: string) => selectBatches(db).where('id', '=', id).executeTakeFirst();

export const findBatchOfJob = (db: DbOrTx, jobId: string) =>
  selectBatches(db)
    .innerJoin('batchItems', 'batchItems.batchId', 'batches.id')
    .where('batchItems.jobId', '=', jobId)
    .executeTakeFirst();

type BatchPage = Pick<BatchRow, 'accountId' | 'isSandbox'> & { before?: string | undefined; limit: number };

/** Lists the batches of an account, newest first. `before`: ID of the previous page's last batch. */
export function listBatches(db: DbOrTx, { accountId, isSandbox, before, limit }: BatchPage): Promise<BatchRow[]> {
  let query = selectBatches(db).where('accountId', '=', accountId).where('isSandbox', '=', isSandbox);
  if (before) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** Finds a batch and locks it against cancellations and retries until the transaction ends. */
export const lockBatch = (tx: Tx, id: string) => selectBatches(tx).where('id', '=', id).forUpdate().executeTakeFirst();

/** Finds an item's batch and locks it against a pause until the transaction ends. */
export const shareLockBatchOfItem = (tx: Tx, itemId: string) =>
  selectBatches(tx)
    .where('id', '=', (eb) => eb.selectFrom('batchItems').select('batchId').where('batchItems.id', '=', itemId))
    .forShare()
    .executeTakeFirst();

export const lockOverdueBatch = (tx: Tx, id: string) =>
  selectBatches(tx).where('id', '=', id).where('expiresAt', '<=', now).forUpdate().executeTakeFirst();

/** Pauses or resumes a batch. Pausing a paused batch keeps its original pause time. Lock the batch first. */
export const setBatchPaused = (tx: Tx, id: string, paused: boolean) =>
  tx
    .updateTable('batches')
    .set({ pausedAt: paused ? sql<Date>`coalesce(paused_at, now())` : null })
    .where('id', '=', id)
    .execute();

/** Records that a batch was canceled. If it was already canceled, keeps the original time. */
export const markBatchCancelled = (tx: Tx, id: string) =>
  tx.updateTable('batches').set({ cancelledAt: now }).where('id', '=', id).where('cancelledAt', 'is', null).execute();

/**
 * Returns the IDs of the jobs that are waiting for a batch to be resumed. Locks the jobs in ID order until the
 * transaction ends.
 */
export async function lockPausedJobs(tx: Tx, { id, isPaused, expiresAt }: BatchRow): Promise<string[]> {
  if (!isPaused) return [];
  const ofBatch = tx.selectFrom('batchItems').select('jobId').where('batchId', '=', id);
  const queued = tx.selectFrom('jobs').select('id').where('id', 'in', ofBatch).where('status', '=', 'queued');
  const jobs = await queued.where('notBefore', '=', expiresAt).orderBy('id').forUpdate().execute();
  return jobs.map((job) => job.id);
}

/**
 * Lets a batch accept files for `lifeS` seconds from now, and delays its paused jobs until then. Ends a pause that has
 * expired. Returns the new expiry time.
 */
export async function extendBatch(tx: Tx, id: string, { lifeS, paused }: BatchExtension): Promise<Date> {
  const extended = tx
    .updateTable('batches')
    .set({ expiresAt: afterSeconds(lifeS), pausedAt: sql`case when expires_at > now() then paused_at end` })
    .where('id', '=', id);
  const { expiresAt: endsAt } = await extended.returning('expiresAt').executeTakeFirstOrThrow();
  if (paused.length > 0) await tx.updateTable('jobs').set({ notBefore: endsAt }).where('id', 'in', paused).execute();
  return endsAt;
}

type BatchExtension = { lifeS: number; paused: readonly string[] };

/** Whether a batch has an item that is waiting for its file. */
export const hasWaitingItem = (eb: ExpressionBuilder<Tables, 'batches'>) =>
  eb.exists(
    eb
      .selectFrom('batchItems')
      .select('batchItems.id')
      .whereRef('batchItems.batchId', '=', 'batches.id')
      .where('batchItems.status', '=', 'waiting'),
  );

/**
 * Lists up to 100 expired batches with items that are still waiting for their files. Reads only waiting items, so the
 * cost doesn't grow with the number of ended batches.
 */
export async function listOverdueBatches(db: DbOrTx): Promise<string[]> {
  const first = (condition: RawBuilder<unknown>) =>
    sql`(select batch_id from batch_items where status = 'waiting' ${condition} order by batch_id limit 1)`;
  const { rows } = await sql<{ id: string }>`
    with recursive waiting as (
      ${first(sql``)}
      union all
      select ${first(sql`and batch_id > waiting.batch_id`)} from waiting where waiting.batch_id is not null
    )
    select batches.id from waiting join batches on batches.id = waiting.batch_id
    where expires_at <= now() order by expires_at limit 100`.execute(db);
  return rows.map((row) => row.id);
}

export type BatchItemRow = Selectable<BatchItemsTable>;
export type NewBatchItemRow = Insertable<BatchItemsTable>;

export const insertBatchItems = (tx: Tx, rows: readonly NewBatchItemRow[]) =>
  tx.insertInto('batchItems').values(rows).execute();

export const listBatchItems = (db: DbOrTx, batchId: string) =>
  db.selectFrom('batchItems').selectAll().where('batchId', '=', batchId).orderBy('position').execute();

/** Like `listBatchItems`, but also locks the items until the transaction ends. */
export const lockBatchItems = (tx: Tx, batchId: string) =>
  tx.selectFrom('batchItems').selectAll().where('batchId', '=', batchId).orderBy('position').forUpdate().execute();

/**
 * Counts the items of each batch by status. An item that has a job counts under the job's status. `progress`: sum of
 * the jobs' progress, in percent.
 */
export async function countItems(db: DbOrTx, batchIds: readonly string[]) {
  if (batchIds.length === 0) return [];
  const rows = await db
    .selectFrom('batchItems')
    .leftJoin('jobs', 'jobs.id', 'batchItems.jobId')
    .select(({ fn, ref }) => [
      'batchItems.batchId',
      sql<BatchItemStatus>`case when ${ref('batchItems.status')} = 'taken' then coalesce(${ref('jobs.status')}, 'expired') else ${ref('batchItems.status')} end`.as(
        'itemStatus',
      ),
      fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(${ref('jobs.progress')}), 0)::int`.as('progress'),
    ])
    .where('batchItems.batchId', 'in', batchIds)
    .groupBy(['batchItems.batchId', 'itemStatus'])
    .execute();
  return rows.map(({ itemStatus: status, ...row }) => ({ ...row, status }));
}

export const findBatchItem = (db: DbOrTx, batchId: string, id: string) =>
  db.selectFrom('batchItems').selectAll().where('batchId', '=', batchId).where('id', '=', id).executeTakeFirst();

/** Finds an item that is still waiting for its file, and locks it until the transaction ends. */
export const lockWaitingItem = (tx: Tx, id: string) =>
  tx
    .selectFrom('batchItems')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst();

/** Changes one item or all items of a batch that have the expected status. Returns the changed items. */
export async function changeBatchItems(
  tx: Tx,
  expected: { batchId: string; id?: string | undefined; status: BatchItemRow['status'] },
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

/** A failed item after a retry: waiting for its file, taken by a new job, or failed again. */
export type RestartedItem = Pick<
  BatchItemRow,
  'id' | 'status' | 'unitId' | 'jobId' | 'engine' | 'errorCode' | 'errorDetail'
>;

/** Writes the new state of a batch's retried items in one statement. Lock the batch first. */
export async function restartBatchItems(tx: Tx, batchId: string, items: readonly RestartedItem[]): Promise<void> {
  const rows = items.map((item) => ({
    id: item.id,
    status: item.status,
    unit_id: item.unitId,
    job_id: item.jobId,
    engine: item.engine,
    error_code: item.errorCode,
    error_detail: item.errorDetail,
  }));
  await sql`
    update batch_items set status = change.status, unit_id = change.unit_id, job_id = change.job_id,
      engine = change.engine, error_code = change.error_code, error_detail = change.error_detail,
      fetch_at = case change.status when 'waiting' then now() else fetch_at end,
      fetches = case change.status when 'waiting' then 0 else fetches end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as change
      (id uuid, status text, unit_id uuid, job_id uuid, engine text, error_code text, error_detail text)
    where batch_items.id = change.id and batch_id = ${batchId} and batch_items.status in ('failed', 'taken')`.execute(
    tx,
  );
}

/** Returns the net number of units that each of these job IDs has taken in the ledger. */
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
