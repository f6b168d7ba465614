import { sql } from 'kysely';
import type { DbOrTx } from '../../../database.ts';
import type { JobRow } from '../jobs.ts';

/** Returns what administrators see of a job in addition to its row. */
export async function findJobDetails(db: DbOrTx, { id, retryOf }: Pick<JobRow, 'id' | 'retryOf'>) {
  const [lease, source, ledger, item, retry] = await Promise.all([
    db
      .selectFrom('jobLeases')
      .select(['workerId', 'leaseUntil'])
      .select(sql<boolean>`lease_until < now()`.as('isExpired'))
      .where('jobId', '=', id)
      .executeTakeFirst(),
    db
      .selectFrom('objects')
      .select('expiresAt')
      .where('jobId', '=', id)
      .where('kind', '=', 'source')
      .where('state', '=', 'stored')
      .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', sql<Date>`now()`)]))
      .executeTakeFirst(),
    retryOf === null ? listLedgerOfJob(db, id) : listLedgerOfRetry(db, id),
    db.selectFrom('batchItems').select('batchId').where('jobId', '=', id).executeTakeFirst(),
    db.selectFrom('jobs').select('id').where('retryOf', '=', id).executeTakeFirst(),
  ]);
  return { lease, source, ledger, batchId: item?.batchId ?? null, retriedBy: retry?.id ?? null };
}

/**
 * Lists the ledger entries of a job, oldest first. Combines two queries, because `settle` and `release` entries have a
 * partial index of their own.
 */
const listLedgerOfJob = (db: DbOrTx, jobId: string) =>
  db
    .selectFrom('ledger')
    .selectAll()
    .where('jobId', '=', jobId)
    .where('kind', '=', sql.lit('reserve' as const))
    .unionAll((eb) =>
      eb
        .selectFrom('ledger')
        .selectAll()
        .where('jobId', '=', jobId)
        .where('kind', 'in', [sql.lit('settle' as const), sql.lit('release' as const)]),
    )
    .orderBy('id')
    .execute();

/** Like `listLedgerOfJob`, with the entries of the unit that was granted for a retry, which belong to no job. */
const listLedgerOfRetry = (db: DbOrTx, jobId: string) =>
  db
    .selectFrom('ledger')
    .selectAll()
    .where('allowanceId', '=', (eb) =>
      eb
        .selectFrom('ledger')
        .select('allowanceId')
        .where('jobId', '=', jobId)
        .where('kind', '=', sql.lit('reserve' as const)),
    )
    .where((eb) => eb.or([eb('jobId', '=', jobId), eb('jobId', 'is', null)]))
    .orderBy('id')
    .execute();
