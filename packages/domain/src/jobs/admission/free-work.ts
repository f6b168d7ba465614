import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { ChangedJob, JobRow } from '@uprez/db/queries/jobs/jobs';
import { type Actor, isSandbox } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { isRepeat, type KeyedCall } from '../join-earlier.ts';

/** The actor that requests work. Visitors have the Free plan. */
export type WorkRequester = Pick<Actor, 'plan' | 'key'> & Partial<Pick<Actor, 'accountId'>>;

/** Whether an actor's work is unpaid. */
export const isFreeWork = (actor: WorkRequester): boolean => actor.plan.price === 0 || isSandbox(actor);

export type FreeWorkContext = {
  freeWork: {
    /**
     * Counts the estimated seconds of free work toward the caller's IP address. Without a request, such as for batch
     * images fetched later, uses the IP address that `keepCaller` stored for the batch. Throws `rate_limited` when the
     * seconds are used up.
     */
    spend: (actor: WorkRequester, work: { seconds: number; batchId?: string }) => Promise<void>;
    /**
     * Stores the caller's IP address for a free job, or for the free images of a batch that are fetched later.
     * `batchId`: batch whose stored IP address is used if there is no request.
     */
    keepCaller: (actor: WorkRequester, id: string, batchId?: string) => Promise<void>;
  };
};

/** Counts the free work of a request, unless it repeats an earlier one. Throws `rate_limited`. */
export async function spendFreeWork(
  ctx: Needs<'db'> & FreeWorkContext,
  { seconds, ...call }: KeyedCall & { seconds: number },
): Promise<void> {
  if (isFreeWork(call.actor) && !(await isRepeat(ctx, call))) await ctx.freeWork.spend(call.actor, { seconds });
}

/** `usedSeconds`: total of all attempts. `ended`: the last attempt. */
type EndedJob = Pick<ChangedJob, 'id' | 'usedSeconds' | 'estimatedSeconds' | 'ended'> & {
  plan?: Pick<ImagePipeline, 'estimate'>;
};

/**
 * If the job is free work, counts the seconds by which an ended attempt made it exceed the estimate. Call it after the
 * commit.
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

/** Counts the free work of failed jobs that are retried, by their previous estimates. Throws `rate_limited`. */
export async function spendRepeatedWork(
  { freeWork }: FreeWorkContext,
  { actor, jobs }: { actor: Actor; jobs: readonly Pick<JobRow, 'plan'>[] },
): Promise<void> {
  const seconds = jobs.reduce((sum, { plan }) => sum + plan.estimate.seconds, 0);
  if (jobs.length > 0) await freeWork.spend(actor, { seconds });
}
