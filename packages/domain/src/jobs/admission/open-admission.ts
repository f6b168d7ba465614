import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatWait } from '@uprez/contracts/texts/format';
import { readQueue } from '@uprez/db/queries/jobs/queued-jobs';
import { countSlots } from '@uprez/db/queries/jobs/workers';
import type { Needs } from '../../context.ts';
import { mostJobs } from '../queue-order.ts';
import { estimateWaits, type Waits } from './estimate-waits.ts';
import { isFreeWork, type Worked } from './free-work.ts';

/** Longest estimated waits, seconds. */
export type WaitLimits = { freeS: number; paidS: number };

/** Both throw `queue_full` with the seconds after which to try again. */
export type Admission = {
  /** Rejects a new image while images of this plan would wait too long. Free work is rejected first. */
  requireShortWait: (actor: Worked) => Promise<void>;
  /** Rejects a preview that its client would not wait for. Undefined: of a visitor. */
  requireShortPreview: (actor: Worked | undefined) => Promise<void>;
};

/** One estimate serves all callers for so many milliseconds. */
const freshMs = 2_000;

/** Opens the admission of one process. Without live workers, the wait is unknown, and everything is accepted. */
export function openAdmission(ctx: Needs<'db'>, { freeS, paidS }: WaitLimits): Admission {
  let seen: { at: number; waits: Promise<Waits | undefined> } | undefined;
  const shortestS = Math.min(limits.waitSeconds, freeS, paidS);
  const read = () => {
    if (seen && performance.now() - seen.at < freshMs) return seen.waits;
    const waits = readWaits(ctx, shortestS);
    seen = { at: performance.now(), waits };
    waits.catch(() => {
      seen = undefined;
    });
    return waits;
  };
  return {
    requireShortWait: async (actor) => {
      const waits = await read();
      if (waits) requireAtMost(isFreeWork(actor) ? freeS : paidS, waitOf(waits, actor));
    },
    requireShortPreview: async (actor) => {
      const waits = await read();
      if (waits) requireAtMost(limits.waitSeconds, actor ? waitOf(waits, actor) : waits.visitor);
    },
  };
}

/** Undefined: no wait is longer than `shortestS`, or it is unknown. */
async function readWaits({ db }: Needs<'db'>, shortestS: number): Promise<Waits | undefined> {
  const [queue, slots] = await Promise.all([readQueue(db, mostJobs), countSlots(db)]);
  const seconds = queue.jobs.reduce((sum, job) => sum + job.seconds, 0);
  return slots === 0 || seconds <= shortestS * slots ? undefined : estimateWaits(queue, slots);
}

/** Of the weight of a plan, or of the next lower one that is sold now. */
function waitOf({ byWeight }: Waits, { plan }: Worked): number {
  const weights = [...byWeight.keys()].filter((weight) => weight <= plan.queueWeight);
  return byWeight.get(Math.max(...weights)) ?? 0;
}

function requireAtMost(limitS: number, waitS: number): void {
  if (waitS <= limitS) return;
  const retryAfterS = Math.min(limits.queueRetrySeconds, Math.max(1, Math.ceil(waitS - limitS)));
  const detail = `Too many images are waiting right now. Try again ${formatWait(retryAfterS)}.`;
  throw new AppError('queue_full', { detail, meta: { retryAfterS } });
}
