import type { JobStatus } from '@uprez/contracts/policy/job-status';
import { type UserJobSort, userJobSorts } from '@uprez/contracts/policy/tables';
import { listUserJobs as listRows } from '@uprez/db/queries/jobs/admin/list-jobs';
import { countJobs, type JobRow } from '@uprez/db/queries/jobs/jobs';
import type { Needs } from '../../context.ts';
import { readPage, type TablePage, type TableQuery } from '../../read-table.ts';
import { requireUserId } from './require-user-id.ts';

type Filter = { search?: string | undefined; status?: JobStatus | undefined };

/** A page of the images of a user. Throws `user_not_found` or `invalid_parameter`. */
export async function listUserJobs(
  ctx: Needs<'db'>,
  { userId, sort = userJobSorts[0], cursor, limit, ...filter }: { userId: string } & Filter & TableQuery<UserJobSort>,
): Promise<TablePage<JobRow>> {
  const choice = { accountId: await requireUserId(ctx, userId), kind: 'image', ...filter } as const;
  return readPage(
    { list: `user-jobs:${userId}`, sort, cursor, limit },
    { list: (page) => listRows(ctx.db, { ...choice, ...page }), count: () => countJobs(ctx.db, choice) },
  );
}
