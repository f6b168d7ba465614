import { AppError } from '@uprez/contracts/errors/app-error';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import type { Tx } from '@uprez/db/database';
import { findUser } from '@uprez/db/queries/accounts/users';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { findBatchOfJob, lockBatch, lockBatchItems, restartBatchItems } from '@uprez/db/queries/jobs/batches';
import { detachSources, findJob, findRetryOf, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { clearSourceExpiry, findObject } from '@uprez/db/queries/jobs/objects';
import { insertAllowance } from '@uprez/db/queries/usage/allowances';
import { insertLedgerRow, insertReservations } from '@uprez/db/queries/usage/ledger';
import { now } from '@uprez/db/times';
import { uuidv7 } from 'uuidv7';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { queueJobs } from '../../jobs/create-job.ts';
import { announceJob, wakeWorkers } from '../../jobs/wake-workers.ts';
import { formatRetryGrantReason } from '../../usage/ledger-reasons.ts';
import { meterOf } from '../../usage/reserve-units.ts';
import { requireOtherAccount, runWithAdminLock, toAuditFields } from '../administrator.ts';
import type { OperatorChange } from './change-job-settings.ts';

type RetryInput = OperatorChange & { id: string };

const retriedByUserDetail = 'The user already retried this image.';
const suspendedDetail = 'The account of this job is suspended. Restore it first.';

/**
 * Processes the stored original of a failed job again, as a new job for the same account. The new job's unit is
 * granted, so the account isn't charged. In a batch, the new job replaces the failed one. Repeated calls return the
 * same job. Throws `job_not_found`, `job_changed` for a job that hasn't failed or that its user has retried,
 * `own_account`, `source_expired`, `account_suspended`, and the errors of `lockAdmin`.
 */
export async function retryFailedJob(
  ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>,
  { id, ...by }: RetryInput,
): Promise<{ id: string }> {
  if (!isUuid(id)) throw new AppError('job_not_found');
  const { job, isNew } = await ctx.db.transaction().execute((tx) => restartJob(tx, { id, ...by }));
  if (!isNew) return { id: job.id };
  await wakeWorkers(ctx, [job]);
  await announceJob(ctx, job);
  return { id: job.id };
}

type RestartResult = { job: JobRow; isNew: boolean };

async function restartJob(tx: Tx, { id, ...by }: RetryInput): Promise<RestartResult> {
  const former = await findJob(tx, id);
  if (!former) throw new AppError('job_not_found');
  const { accountId, status, kind } = former;
  if (status !== 'failed' || kind !== 'image' || !accountId) throw new AppError('job_changed');
  const { admin } = by;
  requireOtherAccount(admin, accountId);
  return runWithAdminLock(tx, { admin, accountId }, () =>
    restartFormerJob(tx, { ...by, former: { ...former, accountId } }),
  );
}

type FormerJob = OperatorChange & { former: JobRow & { accountId: string } };

async function restartFormerJob(tx: Tx, { admin, reason, former }: FormerJob): Promise<RestartResult> {
  const { accountId, sourceId, sourceMoved } = former;
  const item = await lockBatchItem(tx, former.id);
  const detached = await detachSources(tx, [former.id]);
  const kept = detached.length > 0 ? await clearSourceExpiry(tx, detached) : new Set<string>();
  const earlier = await findRetryOf(tx, former.id);
  if (earlier) return { job: earlier, isNew: false };
  const source = sourceId && kept.has(former.id) ? await findObject(tx, sourceId) : undefined;
  if (sourceMoved) throw new AppError('job_changed', { detail: retriedByUserDetail });
  if (!source?.inspection) throw new AppError('source_expired');
  const user = await findUser(tx, accountId);
  if (!user || user.suspendedAt) throw new AppError('account_suspended', { detail: suspendedDetail });
  const id = uuidv7();
  await grantRetryUnit(tx, { id, accountId, former });
  const audit = { ...toAuditFields(admin), reason, action: 'job.retry', subject: `job:${former.id}` };
  await insertAudit(tx, { ...audit, before: { retry: null }, after: { retry: id } });
  const { recipe, plan, notes, filename, sourceBytes: sizeBytes, surface, apiKeyId, webhookUrl, mayRepeat } = former;
  const [job] = await queueJobs(tx, [
    {
      ...{ id, recipe, plan, notes, filename, mayRepeat, retryOf: former.id },
      actor: { accountId, plan: planOf(user) },
      origin: { kind: 'image', surface, apiKeyId },
      source: { id: source.id, sizeBytes, inspection: source.inspection },
      webhookUrl: webhookUrl ?? undefined,
    },
  ]);
  if (!job) throw new Error(`The job ${id} was not inserted.`);
  // Updates the batch item after inserting the job, because the item references the job. All items are already locked.
  if (item)
    await restartBatchItems(tx, item.batchId, [
      { ...item, status: 'taken', unitId: id, jobId: id, errorCode: null, errorDetail: null },
    ]);
  return { job, isNew: true };
}

/**
 * Locks the batch that a job belongs to, and returns the job's batch item. Undefined if the job isn't in a batch or the
 * batch was canceled.
 */
async function lockBatchItem(tx: Tx, jobId: string) {
  const batch = await findBatchOfJob(tx, jobId);
  if (!batch || !(await lockBatch(tx, batch.id)) || batch.cancelledAt) return undefined;
  return (await lockBatchItems(tx, batch.id)).find((item) => item.jobId === jobId);
}

type RetryGrant = { id: string; accountId: string; former: Pick<JobRow, 'plan' | 'filename'> };

/**
 * Grants one unit to an account and reserves that unit for the job `id`. The account's other units aren't used. The
 * allowance is already closed when it's created. If the job releases its unit, the unit expires, because a retry must
 * not leave the account with an extra unit.
 */
async function grantRetryUnit(tx: Tx, { id: jobId, accountId, former }: RetryGrant): Promise<void> {
  const meter = meterOf(former.plan);
  const grant = {
    accountId,
    meter,
    units: 1,
    reason: formatRetryGrantReason({ meter, filename: former.filename }),
  } as const;
  const closed = { unitsLeft: 0, startsAt: now, expiresAt: now, closedAt: now };
  const allowance = await insertAllowance(tx, { ...grant, ...closed, source: 'grant', tier: null });
  if (!allowance) throw new Error('The grant was not inserted.');
  const { id: allowanceId } = allowance;
  await insertLedgerRow(tx, { ...grant, allowanceId, kind: 'grant' });
  const reason = 'Reserved to retry one image';
  await insertReservations(tx, [{ accountId, allowanceId, jobId, meter, units: -1, kind: 'reserve', reason }]);
}
