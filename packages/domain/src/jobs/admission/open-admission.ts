import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import { findHomePool } from '@uprez/db/queries/jobs/pools';
import { readQueue } from '@uprez/db/queries/jobs/queued-jobs';
import { countSlots } from '@uprez/db/queries/jobs/workers';
import type { Needs } from '../../context.ts';
import { makeRecentReads } from '../../make-recent-reads.ts';
import { isRepeat, type KeyedCall } from '../join-earlier.ts';
import { mostJobs, splitByPool } from '../order-queue.ts';
import { estimateWaits, sumPreviews, type Waits, waitOf } from './estimate-waits.ts';
import { isFreeWork, type WorkRequester } from './free-work.ts';

/** Maximum estimated waits, in seconds. */
type WaitLimits = { freeS: number; paidS: number };

/** Both functions throw `queue_full` with the seconds after which to retry. */
type Admission = {
  /** Rejects a new image when images of the actor's plan would wait too long. Free work is rejected first. */
  requireShortWait: (actor: WorkRequester) => Promise<void>;
  /** Rejects a preview that would start too late for its client. Undefined means a visitor. */
  requireShortPreview: (actor: WorkRequester | undefined) => Promise<void>;
};

/** Maximum age of the shared estimate, in milliseconds. */
const freshMs = 2_000;

/** Waits by pool, for pools with long waits only. Null is the key of the shared workers. */
type PoolWaits = ReadonlyMap<string | null, Waits>;

/**
 * Opens the admission control of one process. Waits are estimated for the workers of the caller's pool. If none is
 * live, the wait is unknown and everything is accepted.
 */
export function openAdmission(ctx: Needs<'db'>, { freeS, paidS }: WaitLimits): Admission {
  const shortestS = Math.min(limits.waitSeconds, freeS, paidS);
  const reads = makeRecentReads<PoolWaits>({ freshMs, entries: 1 });
  const read = () => reads.read('waits', () => readWaits(ctx, shortestS));
  return {
    requireShortWait: async (actor) => {
      const waits = await findWaits(ctx, await read(), actor);
      if (waits) requireAtMost(isFreeWork(actor) ? freeS : paidS, waitOf(waits, actor.plan));
    },
    requireShortPreview: async (actor) => {
      const waits = await findWaits(ctx, await read(), actor);
      if (waits) requireAtMost(limits.waitSeconds, actor ? waitOf(waits, actor.plan) : waits.visitor);
    },
  };
}

/** Reads the waits of pools with live workers and a wait that may exceed `shortestS`. */
async function readWaits({ db }: Needs<'db'>, shortestS: number): Promise<PoolWaits> {
  const [queue, slotsByPool] = await Promise.all([readQueue(db, mostJobs), countSlots(db)]);
  const waits = [...splitByPool(queue)].flatMap(([pool, own]) => {
    const slots = slotsByPool.get(pool) ?? 0;
    const seconds = own.jobs.reduce((sum, job) => sum + job.seconds, 0);
    const isShort = seconds <= shortestS * slots && sumPreviews(own.jobs) <= shortestS;
    return slots === 0 || isShort ? [] : [[pool, estimateWaits(own, slots)] as const];
  });
  return new Map(waits);
}

/** Returns the waits in the pool of an account, or undefined if they aren't long. */
async function findWaits(
  { db }: Needs<'db'>,
  waits: PoolWaits,
  actor: WorkRequester | undefined,
): Promise<Waits | undefined> {
  if (waits.size === 0) return undefined;
  return waits.get(actor?.accountId ? await findHomePool(db, actor.accountId) : null);
}

function requireAtMost(limitS: number, waitS: number): void {
  if (waitS <= limitS) return;
  const retryAfterS = Math.min(limits.queueRetrySeconds, Math.max(1, Math.ceil(waitS - limitS)));
  const detail = `Too many images are waiting right now. Try again ${formatWait(retryAfterS)}.`;
  throw new AppError('queue_full', { detail, meta: { retryAfterS } });
}

/**
 * Rejects a request for new work that would wait too long. A repeated request adds nothing to the queue, so it is
 * accepted. Throws `queue_full`.
 */
export const requireAdmission = (ctx: Needs<'db'> & { admission: Admission }, call: KeyedCall): Promise<void> =>
  ctx.admission.requireShortWait(call.actor).catch(async (error: unknown) => {
    if (!(await isRepeat(ctx, call))) throw error;
  });
