import { formatChargeableMessage } from '@uprez/contracts/errors/app-error';
import { resultFormatOf } from '@uprez/contracts/policy/free-jobs';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import type { JobEventData } from '@uprez/contracts/v1/events';
import type { Tx } from '@uprez/db/database';
import type { BatchRow } from '@uprez/db/queries/jobs/batches';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import { insertEvent, type NewEvent } from '@uprez/db/queries/webhooks/events';
import { usedSize } from '@uprez/imaging/pipeline/compute-target-size';
import { uuidv7 } from 'uuidv7';

const types = {
  completed: 'job.completed',
  failed: 'job.failed',
  cancelled: 'job.cancelled',
  expired: 'job.expired',
} as const;

/** Inserts the event for a job that ended or expired. Must be called in the transaction that changed the job. */
export async function recordJobEvent(tx: Tx, job: JobRow): Promise<void> {
  const { status, kind, accountId } = job;
  if (kind === 'preview' || accountId === null || !(status in types)) return;
  await recordEvent(tx, {
    accountId,
    type: types[status as keyof typeof types],
    isSandbox: kind === 'sandbox',
    jobId: job.id,
    // A job's own webhook URL is notified when the job ends, but not when its result expires.
    webhookUrl: status === 'expired' ? null : job.webhookUrl,
    data: jobDataOf(job),
  });
}

export type EventJob = Pick<JobRow, 'id' | 'recipe' | 'plan' | 'filename' | 'sourceBytes' | 'createdAt'>;
type JobState = Pick<
  JobRow,
  'status' | 'version' | 'receipt' | 'errorCode' | 'errorDetail' | 'startedAt' | 'finishedAt' | 'expiresAt'
>;

/**
 * Returns the data for `job.completed` before the job is completed. The version is 0 and the times are null, because
 * they aren't known yet.
 */
export const makeCompletedJobData = (job: EventJob, receipt: Receipt) =>
  jobDataOf({
    ...{ ...job, status: 'completed', version: 0, receipt, errorCode: null, errorDetail: null },
    ...{ startedAt: null, finishedAt: null, expiresAt: null },
  });

function jobDataOf(job: EventJob & JobState): Omit<JobEventData, 'batch_id'> {
  const { plan, receipt, recipe, errorCode: code } = job;
  return {
    id: job.id,
    job_id: job.id,
    status: job.status,
    sequence: job.version,
    filename: job.filename,
    scale_factor: jobFactorOf(job),
    format: resultFormatOf(job),
    quality: recipe.quality,
    engine: receipt?.engine ?? plan.engine,
    original_size: { width: plan.source.width, height: plan.source.height, file_size: job.sourceBytes },
    processed_size: receipt && { width: receipt.width, height: receipt.height, file_size: receipt.sizeBytes },
    processing_time_ms: processingMsOf(job),
    created_at: job.createdAt.toISOString(),
    expires_at: job.expiresAt?.toISOString() ?? null,
    ...(code && { error: { code, message: formatChargeableMessage({ code, message: job.errorDetail }) } }),
  };
}

/** Returns the requested scale factor, or the effective one if none was requested. */
export function jobFactorOf({ recipe, plan }: Pick<JobRow, 'recipe' | 'plan'>): number {
  const { output } = plan;
  const used = usedSize(plan);
  const factor = Math.max(output.width / used.width, output.height / used.height);
  return recipe.scaleFactor ?? Math.max(0.01, Math.round(factor * 100) / 100);
}

/** Returns how long the attempt that made the result took, in milliseconds. Null if the job has no result. */
export const processingMsOf = (job: Pick<JobRow, 'receipt' | 'startedAt' | 'finishedAt'>): number | null =>
  job.receipt && job.finishedAt && job.startedAt ? job.finishedAt.getTime() - job.startedAt.getTime() : null;

/**
 * Records a hint that an item ended without a job: a `batch.completed` event without data. `releaseEvents` deletes the
 * hint, and records the real event if the batch has ended.
 */
export const recordBatchChange = (tx: Tx, { id: batchId, accountId, isSandbox }: BatchRow) =>
  recordEvent(tx, { accountId, type: 'batch.completed', isSandbox, batchId, data: {} });

/** Whether a plan includes the event feed. Without it, an account's events aren't stored. */
export const hasFeed = (plan: Plan): boolean => checkPlanLimits(plan, { what: 'events' }).ok;

/** Inserts an event, unless the account's plan doesn't include the event feed. */
export const recordEvent = (tx: Tx, event: Omit<NewEvent, 'id'> & { id?: string }) =>
  insertEvent(tx, { id: uuidv7(), ...event }, hasFeed);
