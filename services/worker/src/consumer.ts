import { sharedPool } from '@uprez/contracts/policy/admin/worker-pools';
import { findJob } from '@uprez/db/queries/jobs/jobs';
import { type Claim, claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { wakeNextPreview } from '@uprez/domain/jobs/wake-workers';
import { openConsumer } from '@uprez/queue/open-queue';
import { addSpan, endWith, startTrace } from '@uprez/tracing/spans';
import type { AttemptOutcome, Deps } from './deps.ts';
import type { JobFolders } from './job-folders.ts';
import { type ClaimedWork, processJob, retryDatabase } from './process-job.ts';
import type { Slot } from './slot.ts';

/**
 * Keeps the slots busy. Each message takes a slot, which claims jobs until none is left. A slot also claims without a
 * message, when it is first ready and on `claimAll`. Meanwhile, the worker takes one message fewer at a time, which
 * leaves messages to workers with a free slot.
 */
export function openJobConsumer(deps: Deps, slots: readonly Slot[], folders: JobFolders) {
  const stopping = new AbortController();
  let closing = false;
  let isPaused = false;
  let withoutMessage = 0;
  let requests = 0;

  const mayClaim = () => !closing && !isPaused;
  const processing = { folders, stopping: stopping.signal, mayClaim, countRequests: () => requests };
  const pool = makeSlotPool(makeProcessJobs(deps, processing));
  const canHandle = () => mayClaim() && pool.hasFree();
  const consumer = openConsumer({
    ...{ ...deps.redis, pool: deps.config.WORKER_POOL, concurrency: 0, canHandle },
    handle: () => pool.work(pool.takeFree(1)),
  });
  const listen = () => consumer.setConcurrency(mayClaim() ? slots.length - withoutMessage : 0);
  const claimWithoutMessage = async (slot: Slot) => {
    withoutMessage += 1;
    listen();
    await pool.work([slot]).catch((error: unknown) => deps.log.error({ err: error }, 'claim failed'));
    withoutMessage -= 1;
    listen();
  };
  // Claims at startup, because messages for waiting jobs may have gone to a worker that is no longer running.
  for (const slot of slots) void claimWithoutMessage(slot);
  return {
    /** Makes all slots claim. Busy slots claim once more when they find no other job. */
    claimAll: () => {
      requests += 1;
      for (const slot of pool.takeFree(slots.length)) void claimWithoutMessage(slot);
    },
    /** Pauses or resumes claiming. While paused, messages and jobs are left to other workers. */
    setPaused: (paused: boolean) => {
      isPaused = paused;
      listen();
    },
    /** Stops claiming jobs. Running jobs that don't finish within `drainMs` return to the queue. */
    close: async (drainMs: number) => {
      closing = true;
      listen();
      const timer = setTimeout(() => stopping.abort(), drainMs);
      await pool.settled();
      clearTimeout(timer);
      await consumer.close();
    },
  };
}

/** A new slot joins the pool when its first work ends. */
function makeSlotPool(run: (slot: Slot) => Promise<void>) {
  const free: Slot[] = [];
  const running = new Set<Promise<void>>();
  const workIn = async (slot: Slot) => {
    const done = run(slot).finally(() => {
      free.push(slot);
      running.delete(done);
    });
    running.add(done);
    await done;
  };
  return {
    hasFree: () => free.length > 0,
    takeFree: (count: number) => free.splice(0, count),
    work: async (slots: readonly Slot[]) => void (await Promise.all(slots.map(workIn))),
    settled: async () => void (await Promise.allSettled(running)),
  };
}

/**
 * `countRequests`: returns how often slots have been asked to claim. If the count grows while a slot finds no job, the
 * slot claims once more.
 */
type ProcessingOptions = Pick<ClaimedWork, 'folders' | 'stopping'> & {
  mayClaim: () => boolean;
  countRequests: () => number;
};

function makeProcessJobs(deps: Deps, { mayClaim, countRequests, ...work }: ProcessingOptions) {
  const claim = makeClaim(deps, work.stopping);
  return async (slot: Slot): Promise<void> => {
    await slot.ready();
    while (mayClaim()) {
      const requests = countRequests();
      const startMs = Date.now();
      const claimed = await timeClaim(deps, claim);
      if (claimed) await processClaim(deps, { ...work, claim: claimed, startMs, slot });
      else if (requests === countRequests()) return;
      const isVisitors = claimed?.job.kind === 'preview' && claimed.job.accountId === null;
      // Wakes another worker for the next preview, because this worker can't claim it.
      if (isVisitors && !mayClaim()) await wakeNextPreview(deps);
      await slot.ready();
    }
  };
}

/**
 * Returns a function that claims a job for this worker. If PostgreSQL is unavailable, it retries until `signal` aborts.
 */
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
  measureAttempt(deps, { claim: work.claim, startMs }, async () => {
    const outcome = await processJob(deps, work);
    return outcome === 'lost' && (await isCanceled(deps, work.claim.job.id)) ? 'canceled' : outcome;
  });

const isCanceled = ({ db }: Pick<Deps, 'db'>, jobId: string): Promise<boolean> =>
  findJob(db, jobId).then(
    (job) => job === undefined || job.status === 'cancelled',
    () => false,
  );

async function measureAttempt(
  { jobMetrics, config }: MetricDeps,
  traced: TracedClaim,
  run: () => Promise<AttemptOutcome>,
): Promise<void> {
  const { job, tier } = traced.claim;
  const startMs = performance.now();
  const waitedS = waitedMs(job) / 1_000;
  // Leaves out sandbox jobs, because alerts use these metrics and the sandbox causes errors on purpose.
  const isCounted = job.kind !== 'sandbox';
  if (isCounted && job.attempt === 1) jobMetrics.waits.observe({ pool: config.WORKER_POOL ?? sharedPool }, waitedS);
  const outcome = await traceAttempt(traced, run);
  if (isCounted) jobMetrics.attempts.observe({ engine: job.plan.engine, outcome }, secondsSince(startMs));
  if (isCounted && outcome === 'completed') jobMetrics.results.observe({ plan: tier }, waitedS + secondsSince(startMs));
}

/** `startMs`: when the claim started, in milliseconds since 1970. */
type TracedClaim = { claim: Claim; startMs: number };

/**
 * Returns the time from a job's creation to the start of its attempt, in milliseconds. Uses PostgreSQL's clock, because
 * this machine's clock may differ.
 */
export const waitedMs = ({ createdAt, startedAt }: Pick<Claim['job'], 'createdAt' | 'startedAt'>): number =>
  Math.max(0, (startedAt ?? createdAt).getTime() - createdAt.getTime());

/** Runs an attempt as a span in the trace of the request that created the job. */
async function traceAttempt(
  { claim: { job, tier }, startMs }: TracedClaim,
  run: () => Promise<AttemptOutcome>,
): Promise<AttemptOutcome> {
  const { source } = job.plan;
  const facts = {
    'uprez.job.id': job.id,
    'uprez.job.attempt': job.attempt,
    'uprez.job.waited_ms': waitedMs(job),
    'uprez.plan': tier,
    'uprez.engine': job.plan.engine,
    'uprez.bytes': job.sourceBytes,
    'uprez.pixels': source.width * source.height,
    ...(job.accountId && { 'uprez.account.id': job.accountId }),
  };
  const span = startTrace('job attempt', { parent: job.traceparent, kind: 'consumer', startMs, facts });
  const endMs = Date.now();
  return endWith(span, async () => {
    addSpan('claim', { startMs, endMs });
    const outcome = await run();
    span?.add({ 'uprez.outcome': outcome });
    return outcome;
  });
}
