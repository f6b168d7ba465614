import { AppError } from '@uprez/contracts/errors/app-error';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Tx } from '@uprez/db/database';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { type ChangedJob, changeJob, findJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { now } from '@uprez/db/times';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { countOverrun } from '../../jobs/admission.ts';
import { requeueJob } from '../../jobs/attempts/fail-job.ts';
import { cancelJob } from '../../jobs/delete-job.ts';
import { announceJob, wakeWorkers } from '../../jobs/wake-workers.ts';
import { runWithAdminLock, toAuditFields } from '../administrator.ts';
import type { OperatorChange } from './change-job-settings.ts';

/** `status`, `attempt`: the values that the administrator saw. */
export type JobChange = OperatorChange & { id: string; status: JobStatus; attempt: number };
type JobChangeContext = Needs<'db' | 'queue' | 'publisher' | 'log'>;

/**
 * Changes an unfinished job. Throws `job_not_found`, `job_changed` if the job has changed since the administrator
 * loaded it, and the errors of `lockAdmin`.
 */
async function changeExpectedJob(
  ctx: JobChangeContext,
  { id, status, attempt, admin, reason, action }: JobChange & { action: string },
  change: (tx: Tx, job: JobRow) => Promise<ChangedJob | undefined>,
): Promise<ChangedJob> {
  if (!isUuid(id)) throw new AppError('job_not_found');
  const changed = await ctx.db.transaction().execute(async (tx) => {
    const job = await findJob(tx, id);
    if (!job) throw new AppError('job_not_found');
    const isSeen = job.status === status && job.attempt === attempt;
    const apply = async () => (isSeen ? change(tx, job) : undefined);
    const after = await runWithAdminLock(tx, { admin, accountId: job.accountId }, apply);
    if (!after) throw new AppError('job_changed');
    const states = { before: { status, attempt }, after: { status: after.status, attempt: after.attempt } };
    await insertAudit(tx, { ...toAuditFields(admin), reason, action, subject: `job:${id}`, ...states });
    return after;
  });
  await announceJob(ctx, changed);
  return changed;
}

/** Returns a running job to the queue without counting a failure. If the job is already queued, ends its delay. */
export async function requeueJobForAdmin(ctx: JobChangeContext, given: JobChange): Promise<JobRow> {
  const job = await changeExpectedJob(ctx, { ...given, action: 'job.requeue' }, (tx, { id, status, attempt }) => {
    if (status === 'processing') return requeueJob(tx, { jobId: id, attempt, delayS: 0 });
    return changeJob(tx, { id, status: 'queued', attempt }, { notBefore: now, enqueuedAt: null });
  });
  await wakeWorkers(ctx, [job]);
  return job;
}

/** Cancels an unfinished job and always refunds its unit. */
export async function cancelJobForAdmin(ctx: JobChangeContext, given: JobChange): Promise<JobRow> {
  const cancel = (tx: Tx, job: JobRow) => cancelJob(tx, job, 'administrator');
  const job = await changeExpectedJob(ctx, { ...given, action: 'job.cancel' }, cancel);
  await countOverrun(ctx, job);
  return job;
}
