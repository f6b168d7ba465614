import { type ExpressionBuilder, sql } from 'kysely';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import { afterSeconds } from '../../times.ts';
import type { BatchRow } from './batches.ts';

/** Whether an item of a batch waits for its file or has an unfinished job. */
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

/** Batches that were created over `ageS` ago and have ended, oldest first, until their end is noted. */
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

/** `seconds`: from its creation to the end of its last job. */
export type EndedBatch = Omit<BatchRow, 'isPaused'> & { seconds: number };

/**
 * Note the end of a batch. Undefined when it was noted already, or when a retry or a cancellation is changing it. Never
 * waits for the batch.
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
 * Deletes up to `limit` batches that ended, and that took no files any more for `ageS`, with their items. Returns how many.
 * Skips those that a retry is changing.
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
