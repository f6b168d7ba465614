import type { UserJobSort } from '@uprez/contracts/policy/tables';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { type Page, readKeysetPage } from '../../keyset.ts';
import { isChosen, type JobChoice, type JobRow } from './jobs.ts';
import { selectJobs } from './select-jobs.ts';

/** A page of the jobs of an account. */
export const listUserJobs = (
  db: DbOrTx,
  { sort, after, limit, ...choice }: JobChoice & Page & { sort: UserJobSort },
): Promise<(JobRow & { sortValue: number })[]> => {
  const order = { column: 'jobs.createdAt', type: 'time', direction: sort === 'created' ? 'asc' : 'desc' } as const;
  return readKeysetPage(selectJobs(db).where(isChosen(choice)), { order, id: 'jobs.id', after, limit });
};

/** The images of an account that are stored, and those of them that failed. */
export async function countUserJobs(db: DbOrTx, accountId: string): Promise<{ jobs: number; failedJobs: number }> {
  return db
    .selectFrom('jobs')
    .select(({ fn }) => [
      fn.countAll<number>().as('jobs'),
      sql<number>`count(*) filter (where jobs.status = 'failed')`.as('failedJobs'),
    ])
    .where('accountId', '=', accountId)
    .where('kind', '=', 'image')
    .executeTakeFirstOrThrow();
}
