import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { jobFiles } from '@uprez/contracts/schemas/child-messages';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { beginResult } from '@uprez/domain/jobs/begin-result';
import type { Claim } from '@uprez/domain/jobs/claim-next-job';
import { completeJob } from '@uprez/domain/jobs/complete-job';
import { failJob } from '@uprez/domain/jobs/fail-job';
import { recheckPlan } from '@uprez/domain/jobs/recheck-plan';
import type { Attempt } from '@uprez/domain/jobs/renew-lease';
import { returnJob } from '@uprez/domain/jobs/return-job';
import type { Deps } from './deps.ts';
import type { JobFolders } from './job-folders.ts';
import { keepLease, type Lease } from './keep-lease.ts';
import type { AttemptOutcome } from './open-job-metrics.ts';
import type { RunOutcome, Slot } from './open-slot.ts';
import { patiently } from './patiently.ts';

export type Work = { claim: Claim; slot: Slot; folders: JobFolders; stopping: AbortSignal };

/** Work on one claimed job to its end: bytes in, pixels in the child, bytes out, and one verb that says how it ended. */
export async function runClaim(deps: Deps, { claim, slot, folders, stopping }: Work): Promise<AttemptOutcome> {
  const { job } = claim;
  const attempt: Attempt = { jobId: job.id, attempt: job.attempt };
  const lease = keepLease(deps, attempt);
  const signal = AbortSignal.any([lease.lost, stopping]);
  const untilMs = () => Date.now() + deps.config.LEASE_S * 1_000;
  const folder = await folders.make(`${job.id}-${job.attempt}`);
  try {
    // The account may have another plan by now than when it was accepted.
    const refusal = await recheckPlan(deps, job);
    const pixels = { slot, dir: folder.dir, signal, onProgress: lease.progress };
    const outcome: RunOutcome = refusal ? { ok: false, ...refusal } : await makePixels(deps, claim, pixels);
    if (lease.lost.aborted) return 'lost';
    // The child's own trouble (a full disk) and ours are no fault of the image.
    if (!outcome.ok && (stopping.aborted || outcome.code === 'service_unavailable'))
      throw new AppError('service_unavailable');
    if (outcome.ok)
      return await deliver(deps, {
        attempt,
        dir: folder.dir,
        receipt: outcome.result,
        retentionHours: job.recipe.retention,
        signal: lease.lost,
      });
    await patiently(() => failJob(deps, failure(deps, attempt, outcome)), untilMs());
    return 'failed';
  } catch (error) {
    if (lease.lost.aborted) return 'lost';
    deps.log.warn({ err: error, ...attempt }, 'an attempt could not be finished');
    await patiently(() => giveBack(deps, { attempt, error, stopping: stopping.aborted }), untilMs());
    return 'returned';
  } finally {
    await lease.stop();
    await folder.remove();
  }
}

type Pixels = { slot: Slot; dir: string; signal: AbortSignal; onProgress: Lease['progress'] };

/** Fetch the source into the job's folder and let the child work on it. */
async function makePixels(deps: Deps, { job, source }: Claim, pixels: Pixels): Promise<RunOutcome> {
  const { slot, dir, signal, onProgress } = pixels;
  if (!source) throw new AppError('not_found');
  const fetched = await deps.storage.get(source.key, { signal, sha256: source.sha256 ?? '' });
  await pipeline(fetched.stream, createWriteStream(path.join(dir, jobFiles.source), { mode: 0o644 }), { signal });
  return slot.run({ plan: job.plan, dir, signal, onProgress });
}

type GivenBack = { attempt: Attempt; error: unknown; stopping: boolean };
const longestPauseS = 60;

/**
 * Hand a job back that could not be worked on through no fault of its own, with a pause that grows; uncounted, but not
 * for ever. An image that is gone is a failure.
 */
async function giveBack(deps: Deps, { attempt, error, stopping }: GivenBack): Promise<void> {
  const isGone = error instanceof AppError && error.code === 'not_found';
  if (isGone || attempt.attempt >= limits.claims)
    await failJob(deps, failure(deps, attempt, { ok: false, code: 'processing_crashed' }));
  else await returnJob(deps, { ...attempt, delayS: stopping ? 0 : Math.min(longestPauseS, 2 * attempt.attempt) });
}

const failure = (deps: Deps, attempt: Attempt, outcome: Extract<RunOutcome, { ok: false }>) => ({
  ...attempt,
  code: outcome.code,
  detail: outcome.detail,
  retryBaseS: deps.config.RETRY_BASE_S,
});

type Delivered = { attempt: Attempt; dir: string; receipt: Receipt; retentionHours: number; signal: AbortSignal };

/** Store the result and its thumbnail under the attempt, then deliver. A late attempt delivers nothing. */
async function deliver(
  deps: Deps,
  { attempt, dir, receipt, retentionHours, signal }: Delivered,
): Promise<AttemptOutcome> {
  const untilMs = Date.now() + deps.config.LEASE_S * 1_000;
  const slots = await patiently(() => beginResult(deps, attempt), untilMs, signal);
  if (!slots) return 'lost';
  const put = (key: string, file: string) => deps.storage.put(key, createReadStream(path.join(dir, file)), { signal });
  const [result, thumbnail] = await Promise.all([
    put(slots.result.key, jobFiles.result),
    put(slots.thumbnail.key, jobFiles.thumbnail),
  ]);
  const delivery = {
    ...attempt,
    receipt,
    retentionHours,
    result: { ...result, id: slots.result.id },
    thumbnail: { ...thumbnail, id: slots.thumbnail.id },
  };
  const job = await patiently(() => completeJob(deps, delivery), untilMs, signal);
  if (job) deps.log.info({ ...attempt, engine: receipt.engine, stagesMs: receipt.stagesMs }, 'delivered');
  return job ? 'completed' : 'lost';
}
