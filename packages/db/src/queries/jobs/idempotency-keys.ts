import type { DbOrTx, Tx } from '../../database.ts';
import { afterSeconds, now } from '../../times.ts';

export type KeySubject = { jobId: string } | { batchId: string };
type KeyUse = { accountId: string; key: string; fingerprint: string; subject: KeySubject; lifeS: number };

/**
 * Takes an idempotency key. If the key is already taken, returns its first use. Waits for a concurrent transaction that
 * is taking the key.
 */
export async function takeIdempotencyKey(tx: Tx, { accountId, key, fingerprint, subject, lifeS }: KeyUse) {
  await tx
    .deleteFrom('idempotencyKeys')
    .where('accountId', '=', accountId)
    .where('key', '=', key)
    .where('expiresAt', '<=', now)
    .execute();
  const inserted = await tx
    .insertInto('idempotencyKeys')
    .values({ accountId, key, fingerprint, ...subject, expiresAt: afterSeconds(lifeS) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (inserted) return undefined;
  return tx
    .selectFrom('idempotencyKeys')
    .select(['fingerprint', 'jobId', 'batchId'])
    .where('accountId', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Whether an idempotency key is taken and hasn't expired. */
export async function isKeyTaken(db: DbOrTx, { accountId, key }: Pick<KeyUse, 'accountId' | 'key'>): Promise<boolean> {
  const row = await db
    .selectFrom('idempotencyKeys')
    .select('key')
    .where('accountId', '=', accountId)
    .where('key', '=', key)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

export const deleteExpiredKeys = (db: DbOrTx) =>
  db.deleteFrom('idempotencyKeys').where('expiresAt', '<=', now).execute();
