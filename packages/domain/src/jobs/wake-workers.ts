import type { Db } from '@uprez/db/database';
import { type JobRow, markJobsEnqueued } from '@uprez/db/queries/jobs/jobs';
import { hasPools } from '@uprez/db/queries/jobs/pools';
import {
  listJobsToWake,
  listNextPreviews,
  listPoolsToWake,
  resetEnqueuedTimes,
} from '@uprez/db/queries/jobs/queued-jobs';
import type { WakeQueue } from '@uprez/queue/open-queue';
import { withSpan } from '@uprez/tracing/spans';
import type { Needs } from '../context.ts';
import { makeRecentReads } from '../make-recent-reads.ts';

type JobToWake = { id: string; attempt: number; delayMs?: number };

/**
 * Enqueues a wake-up message for each queued job, to the workers that may start it. Call it after the commit. Returns
 * false when Redis is unavailable. The dispatcher then enqueues the jobs later.
 */
export async function wakeWorkers(ctx: Needs<'db' | 'queue' | 'log'>, jobs: readonly JobToWake[]): Promise<boolean> {
  if (jobs.length === 0) return true;
  try {
    const targets = await listTargets(
      ctx,
      jobs.map(({ id }) => id),
    );
    const byId = new Map(jobs.map((job) => [job.id, job]));
    const messages = targets.map(({ id, pool }) => {
      const { attempt = 0, delayMs = 0 } = byId.get(id) ?? {};
      return { jobId: id, nextAttempt: attempt + 1, delayMs, pool };
    });
    const facts = { 'uprez.count': messages.length };
    await withSpan('queue wake', { kind: 'producer', facts }, () => ctx.queue.wake(messages));
  } catch (error) {
    ctx.log.warn({ reason: String(error), jobs: jobs.length }, 'enqueueing jobs failed');
    return false;
  }
  const ids = jobs.map(({ id }) => id);
  const warn = (error: unknown) => ctx.log.warn({ err: error }, 'marking jobs as enqueued failed');
  await markJobsEnqueued(ctx.db, ids).catch(warn);
  return true;
}

/** Returns the pools to wake for each job. If the installation has no pools, all jobs go to the shared workers. */
const listTargets = async ({ db }: Needs<'db'>, ids: readonly string[]) =>
  (await knowsPools(db)) ? listPoolsToWake(db, ids) : ids.map((id) => ({ id, pool: null }));

/**
 * Wakes a worker for the next visitor preview. Only one of these previews runs at a time, so a worker that received an
 * earlier message for this preview may have been unable to start it.
 */
export async function wakeNextPreview(ctx: Needs<'db' | 'queue' | 'log'>, delayMs = 0): Promise<void> {
  const next = await listNextPreviews(ctx.db);
  await wakeWorkers(
    ctx,
    next.map((job) => ({ ...job, delayMs })),
  );
}

/**
 * Enqueues jobs that Redis has lost: jobs that haven't been enqueued within `freshS` seconds, and jobs that were
 * enqueued more than `staleS` seconds ago. If Redis has lost its data, enqueues all jobs. Returns the number of jobs.
 * Throws when Redis is unavailable.
 */
export async function enqueueMissedJobs(
  ctx: Needs<'db' | 'log'> & { queue: Pick<WakeQueue, 'wake' | 'keepsEpoch'> },
  times: { freshS: number; staleS: number },
): Promise<number> {
  if (!(await ctx.queue.keepsEpoch())) await resetEnqueuedTimes(ctx.db);
  const jobs = await listJobsToWake(ctx.db, times);
  return (await wakeWorkers(ctx, jobs)) ? jobs.length : 0;
}

/**
 * Returns the channel on which a job's changes are published: its account ID, or its own ID for previews and sandbox
 * jobs.
 */
const channelOf = (job: Pick<JobRow, 'id' | 'kind' | 'accountId'>) => (job.kind === 'image' ? job.accountId : job.id);

/** Notifies subscribers of a new version of a job. Call it after the commit. The message may be lost. */
export async function announceJob(ctx: Needs<'publisher'>, job: Pick<JobRow, 'id' | 'kind' | 'accountId' | 'version'>) {
  const watched = channelOf(job);
  if (watched) await ctx.publisher.publish(watched, { jobId: job.id, version: job.version });
}

/**
 * How long a process caches whether pools exist, in milliseconds. A worker creates its pool when it starts. A process
 * that hasn't noticed the first pool yet sends messages to the shared workers only. The dispatcher resends these
 * messages after 12 sweeps, like messages that Redis has lost.
 */
const freshnessMs = 2_000;

const makeReads = () => makeRecentReads<boolean>({ freshMs: freshnessMs, entries: 1 });
const reads = new WeakMap<Db, ReturnType<typeof makeReads>>();

/** Whether the installation has pools. The cached value is up to 2 seconds old. */
export function knowsPools(db: Db): Promise<boolean> {
  const held = reads.get(db) ?? makeReads();
  reads.set(db, held);
  return held.read('pools', () => hasPools(db));
}

/** Clears the cached value after a write by this process. */
export const forgetPools = (db: Db): boolean => reads.delete(db);
