import { AppError } from '@uprez/contracts/errors/app-error';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import { limits } from '@uprez/contracts/policy/limits';
import type { DbOrTx } from '@uprez/db/database';
import { isSuspended } from '@uprez/db/queries/accounts/users';
import {
  changedJobsPageSize,
  countJobs,
  findJob,
  findJobWithFiles as findWithFiles,
  type JobFile,
  type JobRow,
  listChangedJobs as listChangedRows,
  listJobs as listRows,
} from '@uprez/db/queries/jobs/jobs';
import { listObjects, type ObjectRow } from '@uprez/db/queries/jobs/objects';
import { type Actor, isUuid, originKindOf } from '../actor.ts';
import type { Needs } from '../context.ts';

export type Job = JobRow;
export type StoredObject = JobFile;

/** A job with the files that haven't expired. */
export type JobWithFiles = {
  job: JobRow;
  result?: JobFile | undefined;
  thumbnail?: JobFile | undefined;
  /** Number of jobs that start before this one, if known. */
  queuePosition?: number | undefined;
  waitSeconds?: number | undefined;
};

/** A job with its files and its upload, which is kept until the job is completed. */
export type JobWithSource = JobWithFiles & { source?: ObjectRow | undefined };

type Owner = Pick<Actor, 'accountId' | 'key'>;

const isOwn = (job: JobRow, actor: Owner) => job.accountId === actor.accountId && job.kind === originKindOf(actor);

/**
 * Returns one of the actor's jobs. Throws the same `job_not_found` for missing jobs, jobs of other accounts, and IDs
 * that aren't UUIDs.
 */
export async function getOwnJob(db: DbOrTx, actor: Owner, id: string): Promise<JobRow> {
  const job = isUuid(id) ? await findJob(db, id) : undefined;
  if (!job || !isOwn(job, actor)) throw new AppError('job_not_found');
  return job;
}

/** Adds the stored files to jobs, with one query for all of them. */
export async function attachJobFiles(db: DbOrTx, jobs: readonly JobRow[]): Promise<JobWithSource[]> {
  const ids = jobs.flatMap((job) => [job.sourceId, job.resultId, job.thumbnailId].filter((id) => id !== null));
  const objects = await listObjects(db, ids);
  const stored = (id: string | null) => {
    const object = id === null ? undefined : objects.get(id);
    return object?.state === 'stored' ? object : undefined;
  };
  return jobs.map((job) => ({
    job,
    source: stored(job.sourceId),
    result: stored(job.resultId),
    thumbnail: stored(job.thumbnailId),
  }));
}

/** Opens a stored file as a stream. Returns undefined when it has expired. */
export async function openStoredObject(
  ctx: Needs<'storage'>,
  object: Pick<ObjectRow, 'key' | 'sha256'>,
  signal?: AbortSignal,
) {
  try {
    return (await ctx.storage.get(object.key, { sha256: object.sha256 ?? '', ...(signal && { signal }) })).stream;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/**
 * Returns a job by its ID alone, for callers that have checked access in another way. Returns undefined for missing
 * jobs and for jobs of suspended accounts.
 */
export async function findJobWithFiles(ctx: Needs<'db'>, id: string): Promise<JobWithFiles | undefined> {
  const found = await findRow(ctx.db, id);
  if (!found || (found.job.accountId && (await isSuspended(ctx.db, found.job.accountId)))) return undefined;
  return found;
}

/** Returns one of the actor's jobs with its files. Throws `job_not_found`. */
export async function getJob(ctx: Needs<'db'>, { actor, id }: { actor: Actor; id: string }): Promise<JobWithFiles> {
  const found = await findRow(ctx.db, id);
  if (!found || !isOwn(found.job, actor)) throw new AppError('job_not_found');
  return found;
}

const findRow = async (db: DbOrTx, id: string) => (isUuid(id) ? findWithFiles(db, id) : undefined);

type JobFilter = {
  status?: JobStatus | undefined;
  /** Substring of the file name, case-insensitive. */
  search?: string | undefined;
  /** Range of the creation time: `from` is inclusive, and `until` is exclusive. */
  from?: Date | undefined;
  until?: Date | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};
export type JobList = { jobs: JobWithFiles[]; total: number; nextCursor: string | undefined };

/** Returns one page of an account's jobs, newest first. Throws `invalid_parameter` for an invalid limit or cursor. */
export async function listJobs(ctx: Needs<'db'>, { actor, ...filter }: { actor: Actor } & JobFilter): Promise<JobList> {
  const limit = filter.limit ?? limits.pageRows;
  if (limit < 1 || limit > limits.maxPageRows)
    throw new AppError('invalid_parameter', { param: 'limit', allowed: `1 to ${limits.maxPageRows}` });
  if (filter.cursor && !isUuid(filter.cursor)) throw new AppError('invalid_parameter', { param: 'cursor' });
  const { status, search, from, until } = filter;
  const choice = { accountId: actor.accountId, kind: originKindOf(actor), status, search, from, until };
  const [rows, total] = await Promise.all([
    listRows(ctx.db, { ...choice, before: filter.cursor, limit: limit + 1 }),
    countJobs(ctx.db, choice),
  ]);
  const page = rows.slice(0, limit);
  const nextCursor = rows.length > limit ? page.at(-1)?.id : undefined;
  return { jobs: await attachJobFiles(ctx.db, page), total, nextCursor };
}

const overlapUs = 5_000_000;
const initialWindowS = 600;

/**
 * Yields the jobs to send when a stream starts, in pages, oldest change first. Includes unfinished jobs and jobs that
 * have changed since `lastEventUs`. Without a last event, includes jobs that have changed in the last 10 minutes.
 */
export async function* listChangedJobs(
  ctx: Needs<'db'>,
  { actor, lastEventUs }: { actor: Actor; lastEventUs: number | undefined },
): AsyncGenerator<JobWithFiles[]> {
  const since = lastEventUs === undefined ? { seconds: initialWindowS } : { us: lastEventUs - overlapUs };
  for (let after: JobRow | undefined; ; ) {
    const rows = await listChangedRows(ctx.db, { accountId: actor.accountId, since, after });
    if (rows.length > 0) yield await attachJobFiles(ctx.db, rows);
    after = rows.at(-1);
    if (rows.length < changedJobsPageSize || !after) return;
  }
}
