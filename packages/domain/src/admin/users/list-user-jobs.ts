import { type UserJobSort, userJobSorts } from '@uprez/contracts/policy/admin/tables';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import { listUserJobs as listRows } from '@uprez/db/queries/jobs/admin/list-jobs';
import { countJobs, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { listRejectedImages, type RejectedImage } from '@uprez/db/queries/jobs/rejected-images';
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

const shownRows = 100;

/** The latest images of a user that were rejected before they had a job. Throws `user_not_found`. */
export const listRejectedOfUser = async ({ db }: Needs<'db'>, userId: string): Promise<RejectedImage[]> =>
  listRejectedImages(db, await requireUserId({ db }, userId), shownRows);
