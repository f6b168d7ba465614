import { AppError } from '@uprez/contracts/errors/app-error';
import type { DbOrTx } from '@uprez/db/database';
import { findJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { listObjects, type ObjectRow } from '@uprez/db/queries/jobs/objects';
import { type Actor, kindOf } from '../actor.ts';
import type { Needs } from '../context.ts';
import { isUuid } from '../is-uuid.ts';

export type Job = JobRow;
/** A file in the storage: an upload, a result, or a thumbnail. */
export type StoredObject = ObjectRow;

/** A job with the files that it still has. */
export type JobWithFiles = {
  job: JobRow;
  source?: ObjectRow | undefined;
  result?: ObjectRow | undefined;
  thumbnail?: ObjectRow | undefined;
  /** Number of starts before this one, if known. */
  queuePosition?: number | undefined;
};

/** Throws the same `job_not_found` for a missing job, another account's, and an id that is no UUID. */
export async function getOwnJob(db: DbOrTx, actor: Pick<Actor, 'accountId' | 'key'>, id: string): Promise<JobRow> {
  const job = isUuid(id) ? await findJob(db, id) : undefined;
  if (job?.accountId !== actor.accountId || job.kind !== kindOf(actor)) throw new AppError('job_not_found');
  return job;
}

/** Jobs with their files: one query for all of them. */
export async function withFiles(db: DbOrTx, jobs: readonly JobRow[]): Promise<JobWithFiles[]> {
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

/** Find a job without an actor, for callers with another proof of access. */
export async function findJobWithFiles(ctx: Needs<'db'>, id: string): Promise<JobWithFiles | undefined> {
  const job = isUuid(id) ? await findJob(ctx.db, id) : undefined;
  return job && (await withFiles(ctx.db, [job]))[0];
}

/** One job of the actor's, with its files. Throws `job_not_found`. */
export async function getJob(ctx: Needs<'db'>, { actor, id }: { actor: Actor; id: string }): Promise<JobWithFiles> {
  const job = await getOwnJob(ctx.db, actor, id);
  const [found] = await withFiles(ctx.db, [job]);
  return found ?? { job };
}
