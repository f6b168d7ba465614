import { findHomePool } from '@uprez/db/queries/jobs/pools';
import {
  type Queue,
  type QueuedJob,
  type RunningJobs,
  readQueue,
  readRunningJobs,
} from '@uprez/db/queries/jobs/queued-jobs';
import { countSlots } from '@uprez/db/queries/jobs/workers';
import type { Needs } from '../context.ts';
import type { WorkRequester } from './admission.ts';
import {
  estimateWaits,
  maxOrderedJobs,
  orderQueue,
  splitByPool,
  sumBefore,
  type WaitEstimates,
  waitOf,
} from './estimate-waits.ts';

/**
 * Maximum age of the cached queue, in milliseconds. `missFreshnessMs` is the shorter maximum for a job that isn't in the
 * cached queue.
 */
const freshMs = 1_000;
const missFreshnessMs = 100;

/**
 * `position`: number of jobs that start before this job. `waitSeconds`: estimated seconds until the job starts.
 * Undefined if no worker is live.
 */
export type QueuePosition = { position: number; waitSeconds: number | undefined };

export type QueueOrder = {
  /** Returns undefined if the job is no longer waiting or is too far back in the queue. */
  find: (jobId: string) => Promise<QueuePosition | undefined>;
  /**
   * Estimates the seconds until a new image would start, if it also waits for the actor's own images. Returns undefined
   * if no worker is live. An undefined actor is a visitor.
   */
  estimateWait: (actor: WorkRequester | undefined) => Promise<number | undefined>;
};

/**
 * Creates a reader for queue positions and wait estimates. All callers in this process share one snapshot of the queue,
 * which is cached for `freshMs`, or for `missFreshnessMs` if it doesn't contain the requested job.
 */
export function openQueueOrder(ctx: Needs<'db'>): QueueOrder {
  let seen: { at: number; look: Promise<QueueSnapshot> } | undefined;
  const look = (maxAgeMs: number) => {
    if (seen && performance.now() - seen.at < maxAgeMs) return seen.look;
    const next = readSnapshot(ctx);
    seen = { at: performance.now(), look: next };
    // Don't cache a failed read.
    next.catch(() => {
      seen = undefined;
    });
    return next;
  };
  return {
    find: async (jobId) => (await look(freshMs)).find(jobId) ?? (await look(missFreshnessMs)).find(jobId),
    estimateWait: async (actor) => {
      const pool = actor?.accountId === undefined ? null : await findHomePool(ctx.db, actor.accountId);
      return (await look(freshMs)).estimateWait(pool, actor);
    },
  };
}

type QueueSnapshot = Awaited<ReturnType<typeof readSnapshot>>;

async function readSnapshot({ db }: Needs<'db'>) {
  const [queue, slots, running] = await Promise.all([
    readQueue(db, maxOrderedJobs),
    countSlots(db),
    readRunningJobs(db),
  ]);
  const queues = splitByPool(queue);
  const empty = { systemTime: queue.systemTime, jobs: [] };
  const looks = new Map<string | null, PoolEstimate>();
  const lookAt = (pool: string | null) => {
    const found = looks.get(pool);
    if (found) return found;
    const busy = running.find((row) => row.pool === pool);
    const made = estimatePool(queues.get(pool) ?? empty, { slots: slots.get(pool) ?? 0, busy });
    looks.set(pool, made);
    return made;
  };
  for (const pool of queues.keys()) lookAt(pool);
  return {
    find: (jobId: string): QueuePosition | undefined => {
      for (const one of looks.values()) {
        const place = one.find(jobId);
        if (place) return place;
      }
      return undefined;
    },
    estimateWait: (pool: string | null, actor: WorkRequester | undefined) => lookAt(pool).estimateWait(actor),
  };
}

type PoolEstimate = ReturnType<typeof estimatePool>;
type Capacity = { slots: number; busy: RunningJobs | undefined };

/**
 * Estimates the waits in one pool, in seconds: the total of all running jobs and of all jobs that start earlier,
 * divided by the number of slots. The wait is 0 if a slot is free, and undefined if the pool has no slots.
 */
function estimatePool(queue: Queue, { slots, busy }: Capacity) {
  const { jobs } = queue;
  const order = orderQueue(queue);
  const before = sumBefore(jobs, order);
  const waitAfter = (seconds: number, starts: number) => {
    if (slots === 0) return undefined;
    return starts < slots - (busy?.jobs ?? 0) ? 0 : ((busy?.seconds ?? 0) + seconds) / slots;
  };
  let waits: WaitEstimates | undefined;
  return {
    find: (jobId: string): QueuePosition | undefined => {
      const position = order.get(jobId);
      return position === undefined ? undefined : { position, waitSeconds: waitAfter(before[position] ?? 0, position) };
    },
    estimateWait: (actor: WorkRequester | undefined) => {
      waits ??= estimateWaits(queue, 1);
      const others = actor ? waitOf(waits, actor.plan) : waits.visitor;
      const seconds = Math.max(others, secondsUntilOwn({ jobs, order, before }, actor));
      return waitAfter(seconds, seconds === 0 ? 0 : order.size);
    },
  };
}

type OrderedJobs = { jobs: readonly QueuedJob[]; order: ReadonlyMap<string, number>; before: Float64Array };

/**
 * Returns the total seconds of all jobs up to and including the last job of the actor's account. Returns 0 if the
 * account has no queued jobs.
 */
function secondsUntilOwn({ jobs, order, before }: OrderedJobs, actor: WorkRequester | undefined): number {
  const own = jobs.filter(({ accountId }) => actor?.accountId !== undefined && accountId === actor.accountId);
  return own.reduce((most, { id, seconds }) => Math.max(most, (before[order.get(id) ?? 0] ?? 0) + seconds), 0);
}
