import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { formatWait } from '@uprez/contracts/texts/format';
import type { ChangedJob, JobRow } from '@uprez/db/queries/jobs/jobs';
import { findHomePool } from '@uprez/db/queries/jobs/pools';
import { readQueue } from '@uprez/db/queries/jobs/queued-jobs';
import { countSlots } from '@uprez/db/queries/jobs/workers';
import { type Actor, isSandbox } from '../actor.ts';
import type { Needs } from '../context.ts';
import { makeRecentReads } from '../make-recent-reads.ts';
import {
  estimateWaits,
  maxOrderedJobs,
  splitByPool,
  sumPreviews,
  type WaitEstimates,
  waitOf,
} from './estimate-waits.ts';
import { isRepeatedCall, type KeyedCall } from './join-earlier-call.ts';

type WaitLimits = { freeS: number; paidS: number };

/** Both functions throw `queue_full`, with the seconds after which to retry in `meta.retryAfterS`. */
type Admission = {
  /** Free and paid work have separate limits. */
  requireShortWait: (actor: WorkRequester) => Promise<void>;
  /** Rejects a preview that would start only after its client has stopped waiting. An undefined actor is a visitor. */
  requireShortPreview: (actor: WorkRequester | undefined) => Promise<void>;
};

const freshMs = 2_000;

/** Contains only pools with long waits. The key null stands for the shared workers. */
type PoolWaits = ReadonlyMap<string | null, WaitEstimates>;

/**
 * Opens the admission control of one process. Waits are estimated for the workers of the caller's pool. If the pool has
 * no live worker, the wait is unknown and all requests are accepted.
 */
export function openAdmission(ctx: Needs<'db'>, { freeS, paidS }: WaitLimits): Admission {
  const shortestS = Math.min(limits.waitSeconds, freeS, paidS);
  const reads = makeRecentReads<PoolWaits>({ freshMs, entries: 1 });
  const read = () => reads.read('waits', () => readWaits(ctx, shortestS));
  return {
    requireShortWait: async (actor) => {
      const waits = await findWaits(ctx, await read(), actor);
      if (waits) requireWaitWithinLimit(isFreeWork(actor) ? freeS : paidS, waitOf(waits, actor.plan));
    },
    requireShortPreview: async (actor) => {
      const waits = await findWaits(ctx, await read(), actor);
      if (waits) requireWaitWithinLimit(limits.waitSeconds, actor ? waitOf(waits, actor.plan) : waits.visitor);
    },
  };
}

/**
 * Estimates the waits of each pool. Leaves out pools whose waits can't exceed `shortestS`, and pools without live
 * workers.
 */
async function readWaits({ db }: Needs<'db'>, shortestS: number): Promise<PoolWaits> {
  const [queue, slotsByPool] = await Promise.all([readQueue(db, maxOrderedJobs), countSlots(db)]);
  const waits = [...splitByPool(queue)].flatMap(([pool, own]) => {
    const slots = slotsByPool.get(pool) ?? 0;
    const seconds = own.jobs.reduce((sum, job) => sum + job.seconds, 0);
    const isShort = seconds <= shortestS * slots && sumPreviews(own.jobs) <= shortestS;
    return slots === 0 || isShort ? [] : [[pool, estimateWaits(own, slots)] as const];
  });
  return new Map(waits);
}

/** Returns the waits in the actor's pool, or undefined if they are short or unknown. */
async function findWaits(
  { db }: Needs<'db'>,
  waits: PoolWaits,
  actor: WorkRequester | undefined,
): Promise<WaitEstimates | undefined> {
  if (waits.size === 0) return undefined;
  return waits.get(actor?.accountId ? await findHomePool(db, actor.accountId) : null);
}

function requireWaitWithinLimit(limitS: number, waitS: number): void {
  if (waitS <= limitS) return;
  const retryAfterS = Math.min(limits.queueRetrySeconds, Math.max(1, Math.ceil(waitS - limitS)));
  const detail = `Too many images are waiting right now. Try again ${formatWait(retryAfterS)}.`;
  throw new AppError('queue_full', { detail, meta: { retryAfterS } });
}

/**
 * Throws `queue_full` if a request for new work would wait too long. Accepts a repeated request, because it adds
 * nothing to the queue.
 */
export const requireAdmission = (ctx: Needs<'db'> & { admission: Admission }, call: KeyedCall): Promise<void> =>
  ctx.admission.requireShortWait(call.actor).catch(async (error: unknown) => {
    if (!(await isRepeatedCall(ctx, call))) throw error;
  });

/** Actor that requests work. A visitor has the Free plan and no `accountId`. */
export type WorkRequester = Pick<Actor, 'plan' | 'key'> & Partial<Pick<Actor, 'accountId'>>;

/** Whether an actor's jobs are free of charge: those of the Free plan and of the sandbox. */
export const isFreeWork = (actor: WorkRequester): boolean => actor.plan.price === 0 || isSandbox(actor);

export type FreeWorkContext = {
  freeWork: {
    /**
     * Counts the estimated seconds of free work toward the limit of the caller's IP address. A batch image that is
     * fetched later has no request, so it counts toward the IP address that `keepCaller` stored for the batch. Throws
     * `rate_limited` when the limit is reached.
     */
    spend: (actor: WorkRequester, work: { seconds: number; batchId?: string }) => Promise<void>;
    /**
     * Stores the caller's IP address for a free job, or for a batch with free images that are fetched later. Without a
     * request, stores the IP address that is stored for the batch `batchId`.
     */
    keepCaller: (actor: WorkRequester, id: string, batchId?: string) => Promise<void>;
  };
};

/** Counts the free work of a request, unless the request repeats an earlier one. Throws `rate_limited`. */
export async function spendFreeWork(
  ctx: Needs<'db'> & FreeWorkContext,
  { seconds, ...call }: KeyedCall & { seconds: number },
): Promise<void> {
  if (isFreeWork(call.actor) && !(await isRepeatedCall(ctx, call))) await ctx.freeWork.spend(call.actor, { seconds });
}

/** `usedSeconds`: total over all attempts. `ended`: the attempt that just ended. */
type EndedJob = Pick<ChangedJob, 'id' | 'usedSeconds' | 'estimatedSeconds' | 'ended'> & {
  plan?: Pick<ImagePipeline, 'estimate'>;
};

/**
 * Counts the seconds by which an ended attempt exceeded the job's estimate, if the job is free work. Leaves out the
 * excess of earlier attempts, which is already counted. Call it after the commit.
 */
export async function countOverrun({ publisher }: Needs<'publisher'>, job: EndedJob): Promise<void> {
  if (!job.ended) return;
  const counted = Math.max(
    job.estimatedSeconds ?? job.plan?.estimate.seconds ?? 0,
    job.usedSeconds - job.ended.seconds,
  );
  const cost = job.usedSeconds - counted;
  if (cost > 0) await publisher.addCost(job.id, { cost, windowMs: limits.freeSecondsMinutes * 60_000 });
}

/**
 * Counts the free work of failed jobs that are being retried, using the estimates of the failed jobs. Throws
 * `rate_limited`.
 */
export async function spendRepeatedWork(
  { freeWork }: FreeWorkContext,
  { actor, jobs }: { actor: Actor; jobs: readonly Pick<JobRow, 'plan'>[] },
): Promise<void> {
  const seconds = jobs.reduce((sum, { plan }) => sum + plan.estimate.seconds, 0);
  if (jobs.length > 0) await freeWork.spend(actor, { seconds });
}
