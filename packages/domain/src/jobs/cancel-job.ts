import type { Tx } from '@uprez/db/database';
import { changeJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { markObjectsForDeletion } from '@uprez/db/queries/jobs/objects';
import { now } from '@uprez/db/times';
import { recordJobEvent } from '../events/record-job-event.ts';
import { releaseUnit } from '../usage/close-reservation.ts';
import { releaseReason } from '../usage/ledger-reasons.ts';

/** Stop a queued or running job: its unit is given back, its files go. Undefined when it is in neither state any more. */
export async function cancelJob(tx: Tx, job: JobRow): Promise<JobRow | undefined> {
  if (job.status !== 'queued' && job.status !== 'processing') return undefined;
  const cancelled = await changeJob(
    tx,
    { id: job.id, status: job.status },
    { status: 'cancelled', errorCode: 'cancelled', finishedAt: now },
  );
  if (!cancelled) return undefined;
  await markObjectsForDeletion(tx, { jobId: job.id, kinds: ['source', 'result', 'thumbnail'] });
  await releaseUnit(tx, job.id, releaseReason('cancelled'));
  await recordJobEvent(tx, cancelled);
  return cancelled;
}
