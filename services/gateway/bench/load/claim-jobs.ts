import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { isLockTimeout } from '@uprez/db/database-errors';
import { withClaimLock } from '@uprez/db/locks';
import { openDb } from '@uprez/db/open-db';
import { pickClaimableJob } from '@uprez/db/queries/jobs/claims';
import { insertLease } from '@uprez/db/queries/jobs/job-leases';
import { readJobSettings } from '@uprez/db/queries/jobs/job-settings';
import { changeJob } from '@uprez/db/queries/jobs/jobs';
import { findObject } from '@uprez/db/queries/jobs/objects';
import { chargeVirtualTime } from '@uprez/db/queries/jobs/virtual-times';
import { now } from '@uprez/db/times';
import { claimNextJob, type Claim as NextClaim, recheckPipeline } from '@uprez/domain/jobs/attempts/claim-next-job';
import { beginResult, completeJob } from '@uprez/domain/jobs/attempts/complete-job';
import { announceJob } from '@uprez/domain/jobs/wake-workers';
import { openJobPublisher } from '@uprez/queue/open-job-channel';
import { makeReceipt } from '@uprez/testing/deliver-job';
import { claimAnyJob } from './claim-any-job.ts';

/** A process with many workers, which run rounds when they are told to. */
export type Claimers = { databaseUrl: string; redisUrl: string; prefix: string; poolSize: number };
/** Ends after `seconds`, or when about so many jobs were claimed. */
export type Round = { way: Way; workers: number; seconds: number; jobs: number };
/**
 * `reads heads`: as workers claim. `reads all`: a claim reads the first job of every account, as for paused engines and for
 * locked rows. `any job`: without an order, so that claims don't wait for each other.
 */
export type Way = 'any job' | 'reads all' | 'reads heads';
/** `claimsMs`: without the wait for a connection of the pool, which `waitsMs` has. */
export type RoundResult = { cycles: number; elapsedMs: number; cpuMs: number; claimsMs: number[]; waitsMs: number[] };

const { databaseUrl, redisUrl, prefix, poolSize }: Claimers = JSON.parse(process.argv[2] ?? '');
const publisher = openJobPublisher({ url: redisUrl, prefix, onError: console.error });
const waiting: (() => void)[] = [];
const waited = new AsyncLocalStorage<{ ms: number }>();
let free = poolSize;

/** Waits for a connection without a limit, and adds the time to the claim that waits. */
async function admit(): Promise<() => void> {
  const start = performance.now();
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  const claim = waited.getStore();
  if (claim) claim.ms += performance.now() - start;
  return () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
}

const { db } = openDb({ url: databaseUrl, poolSize, onError: console.error, admit });
const ctx = { db, publisher };
const receipt = makeReceipt();

/** Does what a worker does with a job, except for its files and the engine. */
async function complete({ job, account }: Claim): Promise<void> {
  const attempt = { jobId: job.id, attempt: job.attempt };
  if (recheckPipeline({ job, account })) throw new Error('the plan does not include the job');
  const slots = await beginResult(ctx, attempt);
  if (!slots) throw new Error('the attempt was lost');
  const file = { sizeBytes: 1_000, sha256: receipt.sha256 };
  const files = { result: { ...file, id: slots.result.id }, thumbnail: { ...file, id: slots.thumbnail.id } };
  if (!(await completeJob(ctx, { job, receipt, ...files }))) throw new Error('the attempt was lost');
}

type Claim = Pick<NextClaim, 'job' | 'account'>;
type Claimer = { workerId: string; leaseS: number };

const claimWays: Record<Way, (claimer: Claimer) => Promise<Claim | undefined>> = {
  'any job': async (claimer) => {
    const claimed = await claimAnyJob(db, claimer);
    if (claimed) await announceJob(ctx, claimed.job);
    return claimed;
  },
  'reads heads': (claimer) => claimNextJob(ctx, claimer),
  'reads all': async (claimer) => {
    const claimed = await withClaimLock(db, async (tx) => {
      await readJobSettings(tx);
      const picked = await pickClaimableJob(tx);
      if (!picked) return undefined;
      const charged = await chargeVirtualTime(tx, picked);
      const changes = { status: 'processing', attempt: picked.attempt + 1, startedAt: now, progress: 0 } as const;
      const job = await changeJob(tx, { id: picked.id, status: 'queued' }, changes);
      if (job) await insertLease(tx, { ...claimer, jobId: job.id, attempt: job.attempt, charged });
      if (job?.sourceId) await findObject(tx, job.sourceId);
      return job && { job, account: picked };
    });
    if (claimed) await announceJob(ctx, claimed.job);
    return claimed;
  },
};

/** A claim that waits for the claim lock for 10 s fails. Workers claim again. */
async function retryLocks<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
  }
}

async function runRound({ way, workers, seconds, jobs }: Round): Promise<RoundResult> {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const claimsMs: number[] = [];
  const waitsMs: number[] = [];
  let started = 0;
  let cycles = 0;
  const work = async (worker: number) => {
    while (started < jobs && performance.now() - start < seconds * 1_000) {
      started += 1;
      const wait = { ms: 0 };
      const claimStart = performance.now();
      const claimer = { workerId: `bench-${process.pid}-${worker}`, leaseS: 60 };
      const claim = await waited.run(wait, () => retryLocks(() => claimWays[way](claimer)));
      claimsMs.push(performance.now() - claimStart - wait.ms);
      waitsMs.push(wait.ms);
      if (!claim) throw new Error('a claim found no job');
      await complete(claim);
      cycles += 1;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  const { user, system } = process.cpuUsage(cpu);
  return { cycles, elapsedMs: performance.now() - start, cpuMs: (user + system) / 1_000, claimsMs, waitsMs };
}

for (;;) {
  const [round] = (await once(process, 'message')) as [Round];
  process.send?.(await runRound(round));
}
