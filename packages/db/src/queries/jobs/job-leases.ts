import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import type { JobLeasesTable } from '../../tables/job-tables.ts';
import { afterSeconds } from '../../times.ts';

type NewLease = Pick<Selectable<JobLeasesTable>, 'jobId' | 'attempt' | 'workerId' | 'charged'> & { leaseS: number };

export const insertLease = (tx: Tx, { leaseS, ...lease }: NewLease) =>
  tx
    .insertInto('jobLeases')
    .values({ ...lease, leaseUntil: afterSeconds(leaseS) })
    .execute();

type LeaseRenewal = Omit<NewLease, 'workerId' | 'charged'> & { progress?: number | undefined };

/**
 * Extends the lease of an attempt and stores its progress. Returns undefined if the job is no longer in this attempt.
 */
export function renewJobLease(db: Db, { jobId, attempt, leaseS, progress }: LeaseRenewal) {
  const change = progress === undefined ? {} : { progress, updatedAt: sql<Date>`clock_timestamp()` };
  return db
    .updateTable('jobLeases')
    .from('jobs')
    .set(change)
    .set((eb) => ({
      leaseUntil: afterSeconds(leaseS),
      changes: eb('jobLeases.changes', '+', progress === undefined ? 0 : 1),
    }))
    .whereRef('jobs.id', '=', 'jobLeases.jobId')
    .where('jobLeases.jobId', '=', jobId)
    .where('jobLeases.attempt', '=', attempt)
    .returning(['jobs.id', 'jobs.kind', 'jobs.accountId'])
    .returning(sql<number>`jobs.version + job_leases.changes`.as('version'))
    .executeTakeFirst();
}

/** Returns the lease of a processing job, locked against renewals until the transaction ends. */
export async function lockLease(tx: Tx, jobId: string) {
  const [lease] = await selectLease(tx, { jobId });
  return lease;
}
const selectLease = prepareQuery((db, { jobId }: { jobId: string }) =>
  db
    .selectFrom('jobLeases')
    .select(['attempt', 'progress', 'changes', 'charged'])
    .select(sql<boolean>`lease_until < now()`.as('isExpired'))
    .where('jobId', '=', jobId)
    .forUpdate(),
);

export const deleteLease = (tx: Tx, jobId: string) => deleteLeaseQuery(tx, { jobId });
const deleteLeaseQuery = prepareQuery((db, { jobId }: { jobId: string }) =>
  db.deleteFrom('jobLeases').where('jobId', '=', jobId),
);

/** Lists the jobs that have an expired lease, longest expired first. */
export const listExpiredLeases = (db: Db) =>
  db
    .selectFrom('jobLeases')
    .select(['jobId as id', 'attempt'])
    .where('leaseUntil', '<', sql<Date>`now()`)
    .orderBy('leaseUntil')
    .limit(500)
    .execute();
