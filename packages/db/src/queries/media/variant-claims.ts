import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { afterSeconds } from '../../times.ts';

/** The attempt of a worker to make the WebP versions of a version of a file. */
export type VariantAttempt = { mediaId: string; version: number; attempt: number };

/** Claims the image that waits longest for its WebP versions, for so many seconds. */
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

const ofAttempt = (db: DbOrTx, { mediaId, version, attempt }: VariantAttempt) =>
  db
    .updateTable('media')
    .where('id', '=', mediaId)
    .where('version', '=', version)
    .where('attempt', '=', attempt)
    .where('state', '=', 'processing');

/** Ends an attempt. False when the file was replaced, or another worker has it. */
export async function finishMedia(tx: Tx, attempt: VariantAttempt): Promise<boolean> {
  const done = await ofAttempt(tx, attempt).set({ state: 'ready', leaseUntil: null }).returning('id').execute();
  return done.length > 0;
}

/** Counts a failed attempt. The file fails with the last one, or becomes free in so many seconds. */
export async function failAttempt(
  db: DbOrTx,
  { maxFailures, pauseS, ...attempt }: VariantAttempt & { maxFailures: number; pauseS: number },
): Promise<void> {
  await ofAttempt(db, attempt)
    .set({
      failures: sql<number>`failures + 1`,
      state: sql`case when failures + 1 >= ${maxFailures} then 'failed' else state end`,
      leaseUntil: afterSeconds(pauseS),
    })
    .execute();
}

/** Returns a file that isn't to blame. Another worker may claim it in so many seconds. */
export async function returnMedia(db: DbOrTx, { pauseS, ...attempt }: VariantAttempt & { pauseS: number }) {
  await ofAttempt(db, attempt)
    .set({ leaseUntil: afterSeconds(pauseS) })
    .execute();
}
