import { getFreeCancelSeconds } from '@uprez/contracts/policy/free-jobs';
import { isFinalStatus } from '@uprez/contracts/policy/job-status';
import type { DeletionReceipt } from '@uprez/contracts/schemas/jobs/job';
import type { Tx } from '@uprez/db/database';
import { type ChangedJob, changeJob, findJob, type JobRow, recipeWithoutMask } from '@uprez/db/queries/jobs/jobs';
import { listObjectsOfJob, markObjectsForDeletion } from '@uprez/db/queries/jobs/objects';
import { deleteTargetOfJob } from '@uprez/db/queries/jobs/result-deliveries';
import { correctVirtualTime } from '@uprez/db/queries/jobs/virtual-times';
import { settleReservation } from '@uprez/db/queries/usage/ledger';
import { now } from '@uprez/db/times';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { recordJobEvent } from '../events/record-event.ts';
import { reportLimit } from '../report-limit.ts';
import {
  administratorReason,
  formatCancelDetail,
  formatCancelReason,
  formatReleaseReason,
} from '../usage/ledger-reasons.ts';
import { releaseUnit } from '../usage/release-units.ts';
import { countOverrun } from './admission.ts';
import { expireJob } from './expire-jobs.ts';
import { getOwnJob } from './get-job.ts';
import { announceJob } from './wake-workers.ts';

type Deletion = { kind: 'cancelled'; job: ChangedJob } | { kind: 'deleted'; job: JobRow; receipt: DeletionReceipt };

/** Cancels an unfinished job, or deletes the files of a finished one. Idempotent. Throws `job_not_found`. */
export async function deleteJob(ctx: Needs<'db' | 'publisher'>, { actor, id }: { actor: Actor; id: string }) {
  for (;;) {
    const job = await getOwnJob(ctx.db, actor, id);
    const deletion = await ctx.db.transaction().execute((tx) => tryDeleteJob(tx, job));
    // The job changed between the read and the write, so read it again.
    if (!deletion) continue;
    if (deletion.kind === 'cancelled') await countOverrun(ctx, deletion.job);
    await announceJob(ctx, deletion.job);
    return deletion;
  }
}

async function tryDeleteJob(tx: Tx, job: JobRow): Promise<Deletion | undefined> {
  if (!isFinalStatus(job.status)) {
    const cancelled = await cancelJob(tx, job);
    return cancelled && { kind: 'cancelled', job: cancelled };
  }
  const deletedAt = (job.deletedAt ?? new Date()).toISOString();
  if (job.status === 'expired') return { kind: 'deleted', job, receipt: { id: job.id, deletedAt, objects: [] } };
  const objects = (await listObjectsOfJob(tx, job.id)).map(({ kind, sha256 }) => ({ kind, sha256: sha256 ?? '' }));
  const deleted = await expireJob(tx, job);
  if (!deleted) return undefined;
  const receipt = { id: job.id, deletedAt: (deleted.deletedAt ?? new Date()).toISOString(), objects };
  return { kind: 'deleted', job: deleted, receipt };
}

/** Cause of a cancellation: the owner canceled the job, an administrator canceled it, or the account was suspended. */
export type CancelReason = 'cancelled' | 'account_suspended' | 'administrator';

/**
 * Cancels a queued or running job and deletes its files. Releases its unit. If the owner cancels a job after the time
 * within which cancellation is free, settles the unit instead. Returns undefined if the job is no longer queued or
 * running.
 */
export async function cancelJob(tx: Tx, job: JobRow, why: CancelReason = 'cancelled'): Promise<ChangedJob | undefined> {
  if (job.status !== 'queued' && job.status !== 'processing') return undefined;
  const { id, status } = job;
  const ended = { status: 'cancelled', errorCode: 'cancelled', finishedAt: now } as const;
  const changes = { ...ended, recipe: recipeWithoutMask };
  const cancelled = await changeJob(tx, { id, status }, changes);
  if (!cancelled) return undefined;
  await markObjectsForDeletion(tx, { jobId: id, kinds: ['source', 'result', 'thumbnail'] });
  await deleteTargetOfJob(tx, id);
  const seconds = why === 'cancelled' ? chargedSecondsOf(cancelled) : undefined;
  const closed = seconds === undefined ? cancelled : await chargeCancelledJob(tx, id, seconds);
  if (closed === cancelled)
    await releaseUnit(tx, id, why === 'administrator' ? administratorReason : formatReleaseReason(why));
  await recordJobEvent(tx, closed);
  await correctVirtualTime(tx, cancelled);
  return { ...closed, ended: cancelled.ended };
}

/**
 * Returns the processing time of the canceled attempt, in seconds, if the job is charged, or undefined if canceling was
 * free. The time of earlier attempts doesn't count.
 */
function chargedSecondsOf({ kind, ended, plan }: ChangedJob): number | undefined {
  if (kind !== 'image' || !ended || ended.seconds <= getFreeCancelSeconds(plan.estimate.seconds)) return undefined;
  return ended.seconds;
}

async function chargeCancelledJob(tx: Tx, id: string, seconds: number): Promise<JobRow> {
  await settleReservation(tx, id, formatCancelReason(seconds));
  const changes = { cancelUnits: 1, errorDetail: formatCancelDetail(seconds) };
  const charged = await changeJob(tx, { id, status: 'cancelled' }, changes);
  if (!charged) throw new Error(`The job ${id} changed while it was locked.`);
  reportLimit('free_cancel');
  return charged;
}

/** Cancels a job unless it has ended. Tries again if the job changes between the read and the write. */
export async function cancelUntilFinal(
  ctx: Needs<'db' | 'publisher'>,
  { jobId, why }: { jobId: string; why?: CancelReason },
): Promise<void> {
  for (;;) {
    const job = await findJob(ctx.db, jobId);
    if (!job || isFinalStatus(job.status)) return;
    const cancelled = await ctx.db.transaction().execute((tx) => cancelJob(tx, job, why));
    if (!cancelled) continue;
    await countOverrun(ctx, cancelled);
    return announceJob(ctx, cancelled);
  }
}
