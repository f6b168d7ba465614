import { createReadStream, createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { jobFiles } from '@uprez/contracts/schemas/jobs/child-messages';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { isDatabaseUnavailable } from '@uprez/db/database-errors';
import {
  type Attempt,
  type Claim,
  maxSecondsOf,
  recheckPipeline,
  renewLease,
} from '@uprez/domain/jobs/attempts/claim-next-job';
import { beginResult, completeJob, type ResultSlots } from '@uprez/domain/jobs/attempts/complete-job';
import { failJob, returnJob, slowCause } from '@uprez/domain/jobs/attempts/fail-job';
import { type EarlierResult, findEarlierResult } from '@uprez/domain/jobs/attempts/find-earlier-result';
import { reportLimit, reportLimitOf } from '@uprez/domain/report-limit';
import { linkSignals } from '@uprez/runtime/link-signals';
import { addSpan, currentSpan, withSpan } from '@uprez/tracing/spans';
import pRetry from 'p-retry';
import type { AttemptOutcome, Deps } from './deps.ts';
import type { JobFolders } from './job-folders.ts';
import { writePrintProfile } from './print-profiles.ts';
import type { RunOutcome, Slot } from './slot.ts';

export type ClaimedWork = { claim: Claim; slot: Slot; folders: JobFolders; stopping: AbortSignal };

/**
 * Processes a claimed job: fetches its source, runs its pipeline in the slot's child, and then completes, fails, or
 * returns the job.
 */
export async function processJob(deps: Deps, { claim, slot, folders, stopping }: ClaimedWork): Promise<AttemptOutcome> {
  const { job } = claim;
  const attempt: Attempt = { jobId: job.id, attempt: job.attempt };
  const lease = openLease(deps, attempt);
  const { signal, release } = linkSignals(lease.lost, stopping);
  const maxMs = deps.config.LEASE_S * 1_000;
  let folder: Awaited<ReturnType<JobFolders['make']>> | undefined;
  try {
    folder = await folders.make(`${job.id}-${job.attempt}`);
    // Checks the limits again, because the account's plan may have changed since the job was accepted.
    const planError = recheckPipeline(claim);
    if (planError) reportLimitOf(planError);
    const run = { slot, dir: folder.dir, signal, onProgress: lease.reportProgress };
    const outcome: RunOutcome = planError ? { ok: false, ...planError } : await runInSlot(deps, claim, run);
    if (lease.lost.aborted) return 'lost';
    // Returns the job to the queue instead of failing it, because neither a shutdown nor a full disk is a failure of
    // the image.
    if (!outcome.ok && (stopping.aborted || outcome.code === 'service_unavailable'))
      throw new AppError('service_unavailable');
    if (outcome.ok) {
      const receipt = outcome.result;
      return await storeResult(deps, { ...{ job, dir: folder.dir, receipt, signal, lost: lease.lost } });
    }
    await recordFailure(deps, attempt, outcome);
    return 'failed';
  } catch (error) {
    if (lease.lost.aborted) return 'lost';
    deps.log.warn({ err: error, ...attempt }, 'attempt interrupted');
    await retryDatabase(() => releaseJob(deps, { attempt, error, stopping: stopping.aborted }), { maxMs });
    return 'returned';
  } finally {
    release();
    await lease.close();
    await folder?.remove();
  }
}

type Run = { slot: Slot; dir: string; signal: AbortSignal; onProgress: Lease['reportProgress'] };

/**
 * Copies an earlier result if possible. Otherwise, fetches the source into the job's folder and runs the pipeline in
 * the child.
 */
async function runInSlot(deps: Deps, claim: Claim, run: Run): Promise<RunOutcome> {
  const { job, source } = claim;
  const { slot, dir, signal, onProgress } = run;
  if (!source) throw new AppError('not_found');
  const earlier = await findEarlierResult(deps, job.id);
  if (earlier && (await copyResult(deps, { job, earlier, run }))) return { ok: true, result: earlier.receipt };
  await withSpan('download', { facts: { 'uprez.bytes': job.sourceBytes } }, async () => {
    const fetched = await deps.storage.get(source.key, { signal, sha256: source.sha256 ?? '' });
    await pipeline(fetched.stream, createWriteStream(path.join(dir, jobFiles.source), { mode: 0o644 }), { signal });
  });
  const { mask } = job.recipe;
  if (mask) await writeFile(path.join(dir, jobFiles.mask), mask, { encoding: 'base64', mode: 0o644, signal });
  const refused = await writePrintProfile(deps.printProfiles, job.plan.output.printProfile, dir).catch(toFailure);
  if (refused) return refused;
  const isRaised = job.failureCause === slowCause;
  const isLowered = job.failureCause !== null && !isRaised;
  return withSpan('process', { facts: { 'uprez.engine': job.plan.engine } }, async (span) => {
    const maxSeconds = Math.min(maxSecondsOf(claim), deps.config.MAX_JOB_S);
    const outcome = await slot.run({ pipeline: job.plan, dir, maxSeconds, isLowered, isRaised, signal, onProgress });
    if (outcome.ok) addStageSpans(outcome.result);
    else span?.fail(outcome.code);
    return outcome;
  });
}

function toFailure(error: unknown): RunOutcome {
  if (error instanceof AppError) return { ok: false, code: error.code, detail: error.message };
  throw error;
}

/**
 * Adds the stages of a run as consecutive spans, the last of which ends now. Their real start times are unknown,
 * because the child reports only durations, and adds up the durations of stages that alternate.
 */
function addStageSpans({ stagesMs, engine, width, height }: Receipt): void {
  const stages = Object.entries(stagesMs);
  const endMs = Date.now();
  let startMs = endMs - stages.reduce((sum, [, ms]) => sum + ms, 0);
  for (const [name, ms] of stages) {
    addSpan(`stage ${name}`, {
      startMs,
      endMs: startMs + ms,
      facts: { 'uprez.engine': engine, 'uprez.pixels': width * height },
    });
    startMs += ms;
  }
}

type CopyInput = Pick<Claim, 'job'> & { earlier: EarlierResult; run: Run };

/** Copies an earlier result's files into the job's folder. Returns false if they can't be read. */
async function copyResult({ storage, log }: Deps, { job, earlier, run: { dir, signal } }: CopyInput): Promise<boolean> {
  try {
    for (const kind of ['result', 'thumbnail'] as const) {
      const { key, sha256 } = earlier[kind];
      const { stream } = await storage.get(key, { signal, ...(sha256 && { sha256 }) });
      await pipeline(stream, createWriteStream(path.join(dir, jobFiles[kind]), { mode: 0o644 }), { signal });
    }
    return true;
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error, jobId: job.id }, 'copying an earlier result failed');
    for (const name of [jobFiles.result, jobFiles.thumbnail]) await rm(path.join(dir, name), { force: true });
    return false;
  }
}

async function recordFailure(deps: Deps, attempt: Attempt, outcome: Extract<RunOutcome, { ok: false }>): Promise<void> {
  const { code, stage } = outcome;
  await retryDatabase(() => failJob(deps, failureOf(deps, attempt, outcome)), {
    maxMs: deps.config.LEASE_S * 1_000,
  });
  currentSpan()?.fail(code);
  deps.log.info({ ...attempt, code, stage }, 'attempt failed');
}

type InterruptedAttempt = { attempt: Attempt; error: unknown; stopping: boolean };
const maxPauseS = 60;

/**
 * Returns an interrupted job to the queue with a growing delay. Instead fails the job after the last allowed claim, or
 * if its source is missing.
 */
async function releaseJob(deps: Deps, { attempt, error, stopping }: InterruptedAttempt): Promise<void> {
  const isMissing = error instanceof AppError && error.code === 'not_found';
  const isLast = attempt.attempt >= limits.claims;
  if (isLast) reportLimit('claims');
  if (isMissing || isLast) await failJob(deps, failureOf(deps, attempt, { ok: false, code: 'processing_crashed' }));
  else await returnJob(deps, { ...attempt, delayS: stopping ? 0 : Math.min(maxPauseS, 2 * attempt.attempt) });
}

const failureOf = (deps: Deps, attempt: Attempt, outcome: Extract<RunOutcome, { ok: false }>) => ({
  ...attempt,
  code: outcome.code,
  detail: outcome.detail,
  stage: outcome.stage,
  mayFinish: outcome.mayFinish,
  retryBaseS: deps.config.RETRY_BASE_S,
});

/** `signal`: aborts the upload. `lost`: also stops database retries. */
type FinishedRun = { job: Claim['job']; dir: string; receipt: Receipt; signal: AbortSignal; lost: AbortSignal };

/** Stores the result and thumbnail under the attempt, and then completes the job. Does neither if the lease is lost. */
async function storeResult(deps: Deps, { job, dir, receipt, signal, lost }: FinishedRun) {
  const attempt: Attempt = { jobId: job.id, attempt: job.attempt };
  const untilMs = performance.now() + deps.config.LEASE_S * 1_000;
  const retry = () => ({ maxMs: Math.max(0, untilMs - performance.now()), signal: lost });
  const objects = await retryDatabase(() => beginResult(deps, attempt), retry());
  if (!objects) return 'lost';
  const files = await withSpan('upload', { facts: { 'uprez.bytes': receipt.sizeBytes } }, () =>
    putFiles(deps, { objects, dir, signal }),
  );
  const completion = {
    ...{ job, receipt },
    result: { ...files.result, id: objects.result.id },
    thumbnail: { ...files.thumbnail, id: objects.thumbnail.id },
  };
  const completed = await retryDatabase(() => completeJob(deps, completion), retry());
  if (completed) deps.log.info({ ...attempt, engine: receipt.engine, stagesMs: receipt.stagesMs }, 'job completed');
  return completed ? 'completed' : 'lost';
}

type Files = { objects: ResultSlots; dir: string; signal: AbortSignal };

/**
 * Stores both files. If one fails, aborts the other and waits for it, because no file may appear after the attempt's
 * rows are deleted.
 */
async function putFiles({ storage }: Pick<Deps, 'storage'>, { objects, dir, signal }: Files) {
  const failed = new AbortController();
  const put = (key: string, file: string) =>
    storage
      .put(key, createReadStream(path.join(dir, file)), { signal: AbortSignal.any([signal, failed.signal]) })
      .catch((error: unknown) => {
        failed.abort(error);
        throw error;
      });
  const files = [put(objects.result.key, jobFiles.result), put(objects.thumbnail.key, jobFiles.thumbnail)] as const;
  await Promise.allSettled(files);
  const [result, thumbnail] = await Promise.all(files);
  return { result, thumbnail };
}

const progressEveryMs = 1_000;
/** A renewal also detects that the job was canceled, so a canceled job keeps its slot for at most this long. */
const renewEveryMs = 2_000;

type Lease = {
  /** Aborts when the job is canceled or belongs to another worker. */
  lost: AbortSignal;
  /** Reports progress, from 0 to 1. It is written at most once a second. */
  reportProgress: (share: number) => void;
  /** Stops renewing, and waits for a renewal in progress. */
  close: () => Promise<void>;
};

/**
 * Renews the lease of an attempt until it is closed or lost: every 2 s, or three times per lease if that is more often.
 * Also renews it whenever the progress changes.
 */
function openLease(deps: Pick<Deps, 'db' | 'publisher' | 'config' | 'log'>, attempt: Attempt): Lease {
  const leaseS = deps.config.LEASE_S;
  const lost = new AbortController();
  let share = 0;
  let writtenPercent = 0;
  // A monotonic clock, because if the system clock were set back, the lease would expire before its renewal is due.
  let renewedAt = performance.now();
  let renewing: Promise<void> | undefined;

  const renew = async () => {
    const percent = Math.min(99, Math.floor(share * 100));
    const progress = percent > writtenPercent ? { progress: percent } : {};
    try {
      const isOwned = await renewLease(deps, { ...attempt, leaseS, ...progress });
      writtenPercent = Math.max(writtenPercent, percent);
      renewedAt = performance.now();
      if (!isOwned) lost.abort();
    } catch (error) {
      deps.log.warn({ err: error, ...attempt }, 'lease renewal failed');
      if (!isDatabaseUnavailable(error) || performance.now() - renewedAt > leaseS * 1_000) lost.abort();
    }
  };
  const tick = () => {
    const isDue = performance.now() - renewedAt >= Math.min(renewEveryMs, (leaseS * 1_000) / 3);
    const hasProgress = Math.floor(share * 100) > writtenPercent;
    if (renewing || lost.signal.aborted || !(isDue || hasProgress)) return;
    renewing = renew().finally(() => {
      renewing = undefined;
    });
  };
  const timer = setInterval(tick, Math.min(progressEveryMs, (leaseS * 1_000) / 6));
  return {
    lost: lost.signal,
    reportProgress: (done) => {
      share = done;
    },
    close: async () => {
      clearInterval(timer);
      await renewing;
    },
  };
}

const pauseMs = 250;

type RetryOptions = { maxMs: number; signal?: AbortSignal };

/** Retries every 250 ms while PostgreSQL is unavailable, for at most `maxMs` or until the signal aborts. */
export const retryDatabase = <T>(work: () => Promise<T>, { maxMs, signal }: RetryOptions): Promise<T> =>
  pRetry(work, {
    retries: Number.POSITIVE_INFINITY,
    ...{ factor: 1, minTimeout: pauseMs, maxRetryTime: maxMs },
    // Doesn't use p-retry's own `signal` option, which would drop the result of an attempt that succeeds after the
    // abort.
    shouldRetry: ({ error }) => isDatabaseUnavailable(error) && !signal?.aborted,
  });
