import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { now } from '../../times.ts';
import { hasWaitingItem } from './batches.ts';

type SuspendedFilter = { accountId?: string | undefined; limit: number };

/** Lists the queued and running jobs of suspended accounts. */
export async function listSuspendedJobs(db: DbOrTx, { accountId, limit }: SuspendedFilter): Promise<string[]> {
  let queued = db
    .selectFrom('jobs')
    .innerJoin('users', 'users.id', 'jobs.accountId')
    .select('jobs.id')
    .where('jobs.status', '=', sql.lit('queued' as const))
    .where('users.suspendedAt', 'is not', null);
  let running = db
    .selectFrom('jobLeases')
    .innerJoin('jobs', 'jobs.id', 'jobLeases.jobId')
    .innerJoin('users', 'users.id', 'jobs.accountId')
    .select('jobs.id')
    .where('users.suspendedAt', 'is not', null);
  if (accountId) {
    queued = queued.where('jobs.accountId', '=', accountId);
    running = running.where('jobs.accountId', '=', accountId);
  }
  const rows = await queued.unionAll(running).limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** Lists batches of suspended accounts in which items are waiting for their files. */
export async function listSuspendedBatches(db: DbOrTx, { accountId, limit }: SuspendedFilter): Promise<string[]> {
  let query = db
    .selectFrom('batches')
    .innerJoin('users', 'users.id', 'batches.accountId')
    .select('batches.id')
    .where('users.suspendedAt', 'is not', null)
    // Excludes expired batches, because `expireBatches` ends their items.
    .where('batches.expiresAt', '>', now)
    .where(hasWaitingItem);
  if (accountId) query = query.where('batches.accountId', '=', accountId);
  const rows = await query.limit(limit).execute();
  return rows.map(({ id }) => id);
}
