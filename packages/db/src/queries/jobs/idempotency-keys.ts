import type { DbOrTx, Tx } from '../../database.ts';
import { afterSeconds, now } from '../../times.ts';

export type KeySubject = { jobId: string } | { batchId: string };
export type KeyUse = { accountId: string; key: string; fingerprint: string; subject: KeySubject; lifeS: number };
export type KeyRow = { fingerprint: string; jobId: string | null; batchId: string | null };

/** Take an idempotency key, or return the row of its first use. Waits for a concurrent first use. */
export async function takeIdempotencyKey(tx: Tx, use: KeyUse): Promise<KeyRow | undefined> {
  await tx
    .deleteFrom('idempotencyKeys')
    .where('accountId', '=', use.accountId)
    .where('key', '=', use.key)
    .where('expiresAt', '<=', now)
    .execute();
  const inserted = await tx
    .insertInto('idempotencyKeys')
    .values({
      accountId: use.accountId,
      key: use.key,
      fingerprint: use.fingerprint,
      jobId: 'jobId' in use.subject ? use.subject.jobId : null,
      batchId: 'batchId' in use.subject ? use.subject.batchId : null,
      expiresAt: afterSeconds(use.lifeS),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (inserted) return undefined;
  return tx
    .selectFrom('idempotencyKeys')
    .select(['fingerprint', 'jobId', 'batchId'])
    .where('accountId', '=', use.accountId)
    .where('key', '=', use.key)
    .executeTakeFirst();
}

export const deleteExpiredKeys = (db: DbOrTx) =>
  db.deleteFrom('idempotencyKeys').where('expiresAt', '<=', now).execute();
