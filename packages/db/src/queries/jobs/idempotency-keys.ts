import type { DbOrTx, Tx } from '../../database.ts';
import { afterSeconds, now } from '../../times.ts';

/** What a key stands for: a job or a batch. */
export type KeySubject = { jobId: string } | { batchId: string };
export type KeyUse = { accountId: string; key: string; fingerprint: string; subject: KeySubject; lifeS: number };
export type KeyRow = { fingerprint: string; job_id: string | null; batch_id: string | null };

/**
 * Take a key for a new job or batch, or learn what it stands for already. A second caller waits here for the first one's
 * transaction. Undefined: the key is now yours.
 */
export async function takeIdempotencyKey(tx: Tx, use: KeyUse): Promise<KeyRow | undefined> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', use.accountId)
    .where('key', '=', use.key)
    .where('expires_at', '<=', now)
    .execute();
  const inserted = await tx
    .insertInto('idempotency_keys')
    .values({
      account_id: use.accountId,
      key: use.key,
      fingerprint: use.fingerprint,
      job_id: 'jobId' in use.subject ? use.subject.jobId : null,
      batch_id: 'batchId' in use.subject ? use.subject.batchId : null,
      expires_at: afterSeconds(use.lifeS),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (inserted) return undefined;
  return tx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'job_id', 'batch_id'])
    .where('account_id', '=', use.accountId)
    .where('key', '=', use.key)
    .executeTakeFirst();
}

export async function deleteExpiredKeys(db: DbOrTx): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('expires_at', '<=', now).execute();
}
