import { sharedPool } from '@uprez/contracts/policy/worker-pools';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { openConsumer } from '@uprez/queue/open-queue';
import type { AttemptOutcome, Deps } from './deps.ts';
import type { JobFolders } from './job-folders.ts';
import { type ClaimedWork, processJob } from './process-job.ts';
import { retryDatabase } from './retry-database.ts';
import type { Slot } from './slot.ts';
import { type TracedClaim, traceAttempt } from './trace-attempt.ts';

/**
 * Keep the slots busy: a free slot claims until no job is left. A message without a free slot causes one more claim.
 */
export function openJobConsumer(deps: Deps, slots: readonly Slot[], folders: JobFolders) {
  const free = [...slots];
  const working = new Set<Promise<void>>();
  const stopping = new AbortController();
  let closing = false;
  let isPaused = false;
  let missedMessage = false;

  const claim = makeClaim(deps, stopping.signal);
  const processJobs = async (slot: Slot) => {
    while (!closing && !isPaused) {
      await slot.ready();
      missedMessage = false;
      const startMs = Date.now();
      const claimed = await timeClaim(deps, claim);
      if (claimed) await processClaim(deps, { claim: claimed, startMs, slot, folders, stopping: stopping.signal });
      else if (!missedMessage) return;
    }
  };
  const handle = async () => {
    const slot = free.pop();
    if (!slot) {
      missedMessage = true;
      return;
    }
    const work = processJobs(slot).finally(() => {
      free.push(slot);
      working.delete(work);
    });
    working.add(work);
    await work;
  };

  const consumer = openConsumer({ ...deps.redis, pool: deps.config.WORKER_POOL, concurrency: slots.length, handle });
  const claimAll = () => {
    for (const _ of slots) handle().catch((error: unknown) => deps.log.error({ err: error }, 'claim failed'));
  };
  // Messages of waiting jobs may have gone to a worker that no longer runs.
  claimAll();
  return {
    /** Claim with all free slots. */
    claimAll,
    /** Leaves messages and jobs to other workers. */
    setPaused: async (paused: boolean) => {
      isPaused = paused;
      await consumer.setPaused(paused);
    },
    /** Claim no more jobs. Running jobs may finish within `drainMs`, then they return to the queue. */
    close: async (drainMs: number) => {
      closing = true;
      const timer = setTimeout(() => stopping.abort(), drainMs);
      await Promise.allSettled(working);
      clearTimeout(timer);
      await consumer.close();
    },
  };
}

/** Returns a claim for this worker that waits for PostgreSQL until `signal` aborts. */
const makeClaim =
  ({ config, ...deps }: Deps, signal: AbortSignal) =>
  () =>
    retryDatabase(
      () =>
        claimNextJob(deps, {
          workerId: deps.workerId,
          workerName: config.WORKER_NAME,
          pool: config.WORKER_POOL,
          leaseS: config.LEASE_S,
        }),
      { maxMs: Number.POSITIVE_INFINITY, signal },
    );

type MetricDeps = Pick<Deps, 'jobMetrics' | 'config'>;
const secondsSince = (startMs: number) => (performance.now() - startMs) / 1_000;

async function timeClaim<T>({ jobMetrics }: MetricDeps, claim: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  const claimed = await claim();
  jobMetrics.claims.observe({ claimed: String(claimed !== undefined) }, secondsSince(startMs));
  return claimed;
}

const processClaim = (deps: Deps, { startMs, ...work }: ClaimedWork & { startMs: number }) =>
  measureAttempt(deps, { claim: work.claim, startMs }, () => processJob(deps, work));

async function measureAttempt(
  { jobMetrics, config }: MetricDeps,
  traced: TracedClaim,
  run: () => Promise<AttemptOutcome>,
): Promise<void> {
  const { job, plan } = traced.claim;
  const age = () => Math.max(0, Date.now() - job.createdAt.getTime()) / 1_000;
  if (job.attempt === 1) jobMetrics.waits.observe({ pool: config.WORKER_POOL ?? sharedPool }, age());
  const startMs = performance.now();
  const outcome = await traceAttempt(traced, run);
  jobMetrics.attempts.observe({ engine: job.plan.engine, outcome }, secondsSince(startMs));
  if (outcome === 'completed' && job.kind !== 'sandbox') jobMetrics.results.observe({ plan }, age());
}
