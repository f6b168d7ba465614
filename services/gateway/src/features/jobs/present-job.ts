import { formatChargeableMessage } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { getFreeCancelSeconds, resultFormatOf } from '@uprez/contracts/policy/free-jobs';
import { fileExtensions } from '@uprez/contracts/policy/images/image-formats';
import { factorSuffix } from '@uprez/contracts/policy/images/results';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { maxNameBytes, truncateText } from '@uprez/domain/batches/name-entries';
import { jobFactorOf, processingMsOf } from '@uprez/domain/events/record-event';
import type { JobWithFiles, Job as StoredJob } from '@uprez/domain/jobs/get-job';
import type { Config } from '../../config.ts';
import { makeDownloadLink } from '../files/download-link.ts';

/** Returns the path of a thumbnail. Requests for it require the session cookie. */
export const thumbnailPath = (jobId: string) => `/api/images/thumbnail/${jobId}`;

export const presentJobError = (error: { code: ErrorCode; message: string | null }) => ({
  code: error.code,
  message: formatChargeableMessage(error),
});

/** Returns the filename of a result: `<base>-<n>x.<ext>`, without the factor if it's 1. Shortens a long base. */
export function resultName(job: Pick<StoredJob, 'filename' | 'recipe' | 'plan' | 'receipt'>): string {
  const base = job.filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image';
  const suffix = `${factorSuffix(jobFactorOf(job))}.${fileExtensions[resultFormatOf(job)]}`;
  return truncateText(base, { bytes: maxNameBytes - Buffer.byteLength(suffix) }) + suffix;
}

export function creditsOf({ kind, errorCode, cancelUnits, receipt }: StoredJob): number {
  if (kind !== 'image') return 0;
  if (errorCode !== null) return cancelUnits;
  return receipt?.freeReason ? 0 : 1;
}

/** Whether the result is a copy of an earlier job's result. */
export const isCopy = ({ receipt }: Pick<StoredJob, 'receipt'>): boolean => receipt?.freeReason === 'repeated';

/** Returns notes on how the options were interpreted, and on the result. */
export const notesOf = ({ notes, receipt }: Pick<StoredJob, 'notes' | 'receipt'>): string[] => [
  ...notes,
  ...(receipt?.notes ?? []),
];

function freeCancelDeadline({ startedAt, plan }: StoredJob): string {
  const seconds = getFreeCancelSeconds(plan.estimate.seconds);
  return new Date((startedAt?.getTime() ?? Date.now()) + seconds * 1_000).toISOString();
}

const presentQueuePosition = ({ queuePosition, waitSeconds }: Pick<JobWithFiles, 'queuePosition' | 'waitSeconds'>) => ({
  ...(queuePosition !== undefined && { queuePosition }),
  ...(waitSeconds !== undefined && { waitSeconds }),
});

/** Presents a job for responses of `/api`, with a newly signed download URL under `base`. */
export function presentJob(
  config: Pick<Config, 'URL_SECRET'>,
  { job, result, thumbnail, queuePosition, waitSeconds }: JobWithFiles,
  base = '/api',
): Job {
  const { plan, receipt } = job;
  // Leaves out the mask, because it is large and only the engine uses it.
  const { mask: _, ...recipe } = job.recipe;
  const name = resultName(job);
  const target = result && { jobId: job.id, objectId: result.id };
  return {
    id: job.id,
    filename: job.filename,
    status: job.status,
    progress: job.progress,
    ...(job.status === 'queued' && presentQueuePosition({ queuePosition, waitSeconds })),
    scaleFactor: jobFactorOf(job),
    format: resultFormatOf(job),
    quality: recipe.quality,
    engine: receipt?.engine ?? plan.engine,
    recipe,
    createdAt: job.createdAt.toISOString(),
    expiresAt: job.expiresAt?.toISOString() ?? null,
    originalSize: { width: plan.source.width, height: plan.source.height, fileSize: job.sourceBytes },
    processedSize: receipt && { width: receipt.width, height: receipt.height, fileSize: receipt.sizeBytes },
    processingTimeMs: processingMsOf(job),
    fidelity: receipt?.fidelity?.score ?? null,
    estimatedSeconds: plan.estimate.seconds,
    credits: creditsOf(job),
    notes: notesOf(job),
    ...(job.status === 'processing' && job.kind === 'image' && { freeCancelUntil: freeCancelDeadline(job) }),
    downloadUrl: target ? makeDownloadLink(config.URL_SECRET[0], target, { name, base }) : null,
    thumbnailUrl: thumbnail ? thumbnailPath(job.id) : null,
    ...(job.errorCode && job.status !== 'expired'
      ? { error: presentJobError({ code: job.errorCode, message: job.errorDetail }) }
      : {}),
  };
}
