import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { isRetriedError } from '@uprez/contracts/errors/error-groups';
import { limits } from '@uprez/contracts/policy/limits';
import { retention } from '@uprez/contracts/policy/plans/plans';
import type { Tx } from '@uprez/db/database';
import { listExpiredLeases } from '@uprez/db/queries/jobs/job-leases';
import { type ChangedJob, changeJob, findJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { expireSource, markObjectsForDeletion } from '@uprez/db/queries/jobs/objects';
import { correctVirtualTime } from '@uprez/db/queries/jobs/virtual-times';
import { afterSeconds, now } from '@uprez/db/times';
import type { Needs } from '../../context.ts';
import { recordJobEvent } from '../../events/record-event.ts';
import { reportLimit } from '../../report-limit.ts';
import { formatReleaseReason } from '../../usage/ledger-reasons.ts';
import { releaseUnit } from '../../usage/release-units.ts';
import { countOverrun } from '../admission.ts';
import { announceJob, wakeNextPreview, wakeWorkers } from '../wake-workers.ts';
import type { Attempt } from './claim-next-job.ts';

/**
 * `mayFinish`: whether a run that hit its time limit could finish within a higher limit. `leaseExpired`: whether to
 * fail the attempt only if its lease is still expired.
 */
type Failure = Attempt & {
  code: ErrorCode;
  detail?: string | undefined;
  stage?: string | undefined;
  mayFinish?: boolean | undefined;
  retryBaseS: number;
  leaseExpired?: boolean;
};

/**
 * Schedules a retry of a failed attempt, or fails the job and releases its unit. Returns undefined when the attempt is
 * no longer current.
 */
export async function failJob(ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>, failure: Failure) {
  const { jobId, attempt, code, retryBaseS, leaseExpired } = failure;
  const outcome = await ctx.db.transaction().execute(async (tx) => {
    const job = await findJob(tx, jobId);
    if (!job) return undefined;
    const failures = job.failures + 1;
    const failureCause = causeOf(failure);
    const isRepeated = failureCause !== null && failureCause === job.failureCause;
    if (!shouldRetry({ ...failure, failures, isRepeated })) return failPermanently(tx, failure, failures);
    const delayS = computeBackoffSeconds(retryBaseS, failures);
    return requeueJob(tx, { jobId, attempt, leaseExpired, changes: { failures, failureCause }, delayS });
  });
  if (!outcome) return undefined;
  if (outcome.status === 'failed' && outcome.failures > 1 && isRetriedError(code)) reportLimit('attempts');
  if (outcome.status === 'queued')
    await wakeWorkers(ctx, [{ ...outcome, delayMs: 1_000 * computeBackoffSeconds(retryBaseS, outcome.failures) }]);
  await countOverrun(ctx, outcome);
  await announceJob(ctx, outcome);
  return outcome;
}

async function failPermanently(tx: Tx, failure: Failure, failures: number): Promise<ChangedJob | undefined> {
  const { jobId, attempt, code, leaseExpired } = failure;
  const errorDetail = failure.detail ?? errorCodes[code].title;
  const job = await changeJob(
    tx,
    { id: jobId, status: 'processing', attempt, leaseExpired },
    { status: 'failed', failures, errorCode: code, errorDetail, finishedAt: now },
  );
  if (!job) return undefined;
  await markObjectsForDeletion(tx, { jobId, kinds: ['result', 'thumbnail'] });
  // A preview isn't retried by its owner, so its source can expire immediately.
  const seconds = job.kind === 'preview' ? 0 : retention.failedSourceMinutes * 60;
  await expireSource(tx, jobId, seconds);
  await releaseUnit(tx, jobId, formatReleaseReason(code));
  await recordJobEvent(tx, job);
  await correctVirtualTime(tx, job);
  return job;
}

/**
 * Failure cause of a run that hit its time limit. The next run gets a higher limit. The value is stored in the
 * database, so it can't be renamed.
 */
export const slowCause = 'slow';

/**
 * Returns the failure cause if it would likely make another run fail too: too slow, out of memory, or a crash at a
 * known stage. Returns null if the worker was lost, because another run may then succeed.
 */
function causeOf({ code, stage }: Pick<Failure, 'code' | 'stage'>): string | null {
  if (code === 'processing_timeout') return slowCause;
  if (code === 'processing_memory') return 'limit';
  return stage === undefined ? null : `crash: ${stage}`;
}

type FailedRun = Pick<Failure, 'code' | 'mayFinish'> & { failures: number; isRepeated: boolean };

/**
 * Whether to retry a job. A run that hit its time limit is retried only if another run may finish. If the cause is
 * repeated, fewer failures are allowed. `failures`: includes this failure. `isRepeated`: whether the previous run
 * failed for the same cause.
 */
const shouldRetry = ({ code, mayFinish, failures, isRepeated }: FailedRun) =>
  isRetriedError(code) &&
  (code !== 'processing_timeout' || mayFinish === true) &&
  failures < (isRepeated ? limits.equalFailures : limits.attempts);

/** Starts at `baseS` and doubles with each failure. */
const computeBackoffSeconds = (baseS: number, failures: number) => baseS * 2 ** (failures - 1);

type Requeue = Attempt & {
  changes?: { failures: number; failureCause: string | null };
  delayS: number;
  leaseExpired?: boolean | undefined;
};

/**
 * Requeues the job of an attempt and marks its objects for deletion. Returns undefined when the attempt is no longer
 * current.
 */
export async function requeueJob(
  tx: Tx,
  { jobId, attempt, changes, delayS, leaseExpired }: Requeue,
): Promise<ChangedJob | undefined> {
  const job = await changeJob(
    tx,
    { id: jobId, status: 'processing', attempt, leaseExpired },
    { status: 'queued', progress: 0, enqueuedAt: null, notBefore: afterSeconds(delayS), ...changes },
  );
  if (!job) return undefined;
  await markObjectsForDeletion(tx, { jobId, kinds: ['result', 'thumbnail'] });
  await correctVirtualTime(tx, job);
  return job;
}

/**
 * Returns a claimed job to the queue without counting a failure. Returns undefined when the attempt is no longer
 * current.
 */
export async function returnJob(
  ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>,
  attempt: Attempt & { delayS: number },
): Promise<JobRow | undefined> {
  const job = await ctx.db.transaction().execute((tx) => requeueJob(tx, attempt));
  if (!job) return undefined;
  await wakeWorkers(ctx, [{ ...job, delayMs: attempt.delayS * 1_000 }]);
  await announceJob(ctx, job);
  return job;
}

/**
 * Fails attempts with expired leases as crashed, unless their workers renew the leases in time. Returns how many
 * attempts failed.
 */
export async function failExpiredLeases(ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>, retryBaseS: number) {
  let lost = 0;
  for (const { id, attempt } of await listExpiredLeases(ctx.db)) {
    const failure = { jobId: id, attempt, code: 'processing_crashed', retryBaseS, leaseExpired: true } as const;
    const job = await failJob(ctx, failure);
    if (!job) continue;
    if (job.accountId === null) await wakeNextPreview(ctx);
    ctx.log.warn({ jobId: id, attempt }, 'job lease expired');
    lost += 1;
  }
  return lost;
}
