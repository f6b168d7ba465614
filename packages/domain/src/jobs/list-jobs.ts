import { AppError } from '@uprez/contracts/errors/app-error';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import { limits } from '@uprez/contracts/policy/limits';
import { countJobs, listChangedJobs as listChangedRows, listJobs as listRows } from '@uprez/db/queries/jobs/jobs';
import { type Actor, kindOf } from '../actor.ts';
import type { Needs } from '../context.ts';
import { isUuid } from '../is-uuid.ts';
import { type JobWithFiles, withFiles } from './get-job.ts';

export type JobFilter = {
  status?: JobStatus | undefined;
  /** When they were made: from, and before. */
  from?: Date | undefined;
  until?: Date | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};
export type JobList = { jobs: JobWithFiles[]; total: number; nextCursor: string | undefined };

/** One page of an account's jobs, newest first. Throws `invalid_parameter` for a limit or a cursor that cannot be. */
export async function listJobs(ctx: Needs<'db'>, { actor, ...filter }: { actor: Actor } & JobFilter): Promise<JobList> {
  const limit = filter.limit ?? limits.pageRows;
  if (limit < 1 || limit > limits.maxPageRows)
    throw new AppError('invalid_parameter', { param: 'limit', allowed: `1 to ${limits.maxPageRows}` });
  if (filter.cursor && !isUuid(filter.cursor)) throw new AppError('invalid_parameter', { param: 'cursor' });
  const { status, from, until } = filter;
  const choice = { accountId: actor.accountId, kind: kindOf(actor), status, from, until };
  const [rows, total] = await Promise.all([
    listRows(ctx.db, { ...choice, before: filter.cursor, limit: limit + 1 }),
    countJobs(ctx.db, choice),
  ]);
  const page = rows.slice(0, limit);
  const nextCursor = rows.length > limit ? page.at(-1)?.id : undefined;
  return { jobs: await withFiles(ctx.db, page), total, nextCursor };
}

const overlapUs = 5_000_000;
const firstLookUs = 600_000_000;

/**
 * Jobs for a stream that opens: unfinished ones, and those changed since its last event (with 5 s of overlap) or in the
 * last 10 minutes.
 */
export async function listChangedJobs(
  ctx: Needs<'db'>,
  { actor, lastEventUs }: { actor: Actor; lastEventUs: number | undefined },
): Promise<JobWithFiles[]> {
  const sinceUs = lastEventUs === undefined ? Date.now() * 1_000 - firstLookUs : lastEventUs - overlapUs;
  return withFiles(ctx.db, await listChangedRows(ctx.db, actor.accountId, sinceUs));
}
