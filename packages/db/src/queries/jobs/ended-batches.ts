import { type ExpressionBuilder, sql } from 'kysely';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import { afterSeconds } from '../../times.ts';
import type { BatchRow } from './batches.ts';

/** Whether a batch has an item that is waiting for its file or has an unfinished job. */
const hasOpenItem = (eb: ExpressionBuilder<Tables, 'batches'>) =>
  eb.exists(
    eb
      .selectFrom('batchItems')
      .leftJoin('jobs', 'jobs.id', 'batchItems.jobId')
      .select('batchItems.id')
      .whereRef('batchItems.batchId', '=', 'batches.id')
      .where((item) =>
        item.or([item('batchItems.status', '=', 'waiting'), item('jobs.status', 'in', ['queued', 'processing'])]),
      ),
  );

/** Lists ended batches that were created more than `ageS` seconds ago and have no recorded end yet, oldest first. */
export const listEndedBatches = (db: DbOrTx, ageS: number) =>
  db
    .selectFrom('batches')
    .select(['id', 'accountId'])
    .where('endedAt', 'is', null)
    .where('createdAt', '<=', afterSeconds(-ageS))
    .where((eb) => eb.not(hasOpenItem(eb)))
    .orderBy('createdAt')
    .limit(100)
    .execute();

/** `seconds`: time from the batch's creation to the end of its last job. */
export type EndedBatch = Omit<BatchRow, 'isPaused'> & { seconds: number };

/**
 * Records the end of a batch. Returns undefined if the end was already recorded, if the batch hasn't ended, or if a
 * retry or a cancellation holds the batch's lock. Never waits for the lock.
 */
export async function endBatch(tx: Tx, id: string): Promise<EndedBatch | undefined> {
  const held = await tx
    .selectFrom('batches')
    .select('id')
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!held) return undefined;
  const lastEnd = sql<Date>`coalesce((select max(finished_at) from jobs
    join batch_items on batch_items.job_id = jobs.id where batch_items.batch_id = batches.id), now())`;
  return tx
    .updateTable('batches')
    .set({ endedAt: lastEnd })
    .where('id', '=', id)
    .where((eb) => eb.not(hasOpenItem(eb)))
    .returningAll()
    .returning(sql<number>`extract(epoch from ended_at - created_at)::double precision`.as('seconds'))
    .executeTakeFirst();
}

/**
 * Deletes up to `limit` ended batches that stopped accepting files more than `ageS` seconds ago, with their items.
 * Skips batches that a retry is changing. Returns the number of deleted batches.
 */
export async function deleteEndedBatches(
  db: DbOrTx,
  { ageS, limit }: { ageS: number; limit: number },
): Promise<number> {
  const old = db
    .selectFrom('batches')
    .select('id')
    .where('expiresAt', '<', afterSeconds(-ageS))
    .where('endedAt', 'is not', null)
    .where((eb) => eb.not(hasOpenItem(eb)))
    .orderBy('expiresAt')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const { numDeletedRows } = await db.deleteFrom('batches').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
