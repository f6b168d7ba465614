import { type Claim, claimNextJob } from '@uprez/domain/jobs/claim-next-job';
import { openConsumer } from '@uprez/queue/open-consumer';
import type { Deps } from './deps.ts';
import type { JobFolders } from './job-folders.ts';
import type { AttemptOutcome } from './open-job-metrics.ts';
import type { Slot } from './open-slot.ts';
import { patiently } from './patiently.ts';
import { runClaim } from './run-claim.ts';

export type ConsumerLoop = {
  /** Take no more jobs; those in hand may finish for `drainMs`, then they go back to the queue. */
  close: (drainMs: number) => Promise<void>;
};

/**
 * Keep the slots busy: a message means "there is work", so a free slot claims until nothing is claimable. A message
 * that finds no free slot makes a busy one look once more.
 */
export function openConsumerLoop(deps: Deps, slots: readonly Slot[], folders: JobFolders): ConsumerLoop {
  const free = [...slots];
  const working = new Set<Promise<void>>();
  const stopping = new AbortController();
  let closing = false;
  let missed = false;

  const claim = () =>
    patiently(
      () => claimNextJob(deps, { workerId: deps.workerId, leaseS: deps.config.LEASE_S }),
      Number.POSITIVE_INFINITY,
      stopping.signal,
    );
  const drainQueue = async (slot: Slot) => {
    while (!closing) {
      await slot.ready();
      missed = false;
      const claimed = await timeClaim(deps, claim);
      if (claimed)
        await timeAttempt(deps, claimed, () =>
          runClaim(deps, { claim: claimed, slot, folders, stopping: stopping.signal }),
        );
      else if (!missed) return;
    }
  };
  const handle = async () => {
    const slot = free.pop();
    if (!slot) {
      missed = true;
      return;
    }
    const work = drainQueue(slot).finally(() => {
      free.push(slot);
      working.delete(work);
    });
    working.add(work);
    await work;
  };

  const consumer = openConsumer({ ...deps.redis, concurrency: slots.length, handle });
  // Jobs may be waiting whose messages came to a worker that is gone.
  for (const _ of slots) handle().catch((error: unknown) => deps.log.error({ err: error }, 'claiming failed'));
  return {
    close: async (drainMs) => {
      closing = true;
      const timer = setTimeout(() => stopping.abort(), drainMs);
      await Promise.allSettled(working);
      clearTimeout(timer);
      await consumer.close();
    },
  };
}

type MetricDeps = Pick<Deps, 'jobMetrics'>;
const secondsSince = (startMs: number) => (performance.now() - startMs) / 1_000;

async function timeClaim<T>({ jobMetrics }: MetricDeps, claim: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  const claimed = await claim();
  jobMetrics.claims.observe({ claimed: String(claimed !== undefined) }, secondsSince(startMs));
  return claimed;
}

async function timeAttempt(
  { jobMetrics }: MetricDeps,
  { job }: Claim,
  run: () => Promise<AttemptOutcome>,
): Promise<void> {
  if (job.attempt === 1) jobMetrics.waits.observe({}, Math.max(0, Date.now() - job.createdAt.getTime()) / 1_000);
  const startMs = performance.now();
  const outcome = await run();
  jobMetrics.attempts.observe({ engine: job.plan.engine, outcome }, secondsSince(startMs));
}
