import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { afterSeconds } from '../../times.ts';

/** A worker's attempt to create the WebP versions of a version of a file. */
export type VariantAttempt = { mediaId: string; version: number; attempt: number };

/** Claims the image that has waited longest for its WebP versions, for `leaseS` seconds. */
export const claimMedia = (db: DbOrTx, leaseS: number) =>
  db
    .updateTable('media')
    .set({ attempt: sql<number>`attempt + 1`, leaseUntil: afterSeconds(leaseS) })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('media')
        .select('id')
        .where('state', '=', 'processing')
        .where('deletedAt', 'is', null)
        .where((or) => or.or([or('leaseUntil', 'is', null), or('leaseUntil', '<', sql<Date>`now()`)]))
        .orderBy('createdAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'version', 'attempt', 'width'])
    .executeTakeFirst();

const updateAttempt = (db: DbOrTx, { mediaId, version, attempt }: VariantAttempt) =>
  db
    .updateTable('media')
    .where('id', '=', mediaId)
    .where('version', '=', version)
    .where('attempt', '=', attempt)
    .where('state', '=', 'processing');

/** Completes an attempt. Returns false if the file was replaced or another worker has claimed it. */
export async function finishMedia(tx: Tx, attempt: VariantAttempt): Promise<boolean> {
  const done = await updateAttempt(tx, attempt).set({ state: 'ready', leaseUntil: null }).returning('id').execute();
  return done.length > 0;
}

/**
 * Counts a failed attempt. The file fails after `maxFailures`; otherwise it can be claimed again in `pauseS` seconds.
 */
export async function failAttempt(
  db: DbOrTx,
  { maxFailures, pauseS, ...attempt }: VariantAttempt & { maxFailures: number; pauseS: number },
): Promise<void> {
  await updateAttempt(db, attempt)
    .set({
      failures: sql<number>`failures + 1`,
      state: sql`case when failures + 1 >= ${maxFailures} then 'failed' else state end`,
      leaseUntil: afterSeconds(pauseS),
    })
    .execute();
}

/** Releases a claimed file without counting a failure. It can be claimed again in `pauseS` seconds. */
export async function releaseMedia(db: DbOrTx, { pauseS, ...attempt }: VariantAttempt & { pauseS: number }) {
  await updateAttempt(db, attempt)
    .set({ leaseUntil: afterSeconds(pauseS) })
    .execute();
}
