import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { JobEngine } from '@uprez/contracts/policy/images/engines';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import { type AccountPlan, planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import { isDrained } from '@uprez/contracts/schemas/admin/workers';
import type { Db, Tx } from '@uprez/db/database';
import { withClaimLock } from '@uprez/db/locks';
import { type ClaimedJob, claimFirstJob } from '@uprez/db/queries/jobs/claim-first-job';
import { pickClaimableJob } from '@uprez/db/queries/jobs/claims';
import { insertLease, renewJobLease } from '@uprez/db/queries/jobs/job-leases';
import { listRunningEngines, readJobSettings } from '@uprez/db/queries/jobs/job-settings';
import { changeJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { findObject } from '@uprez/db/queries/jobs/objects';
import { refreshHeads } from '@uprez/db/queries/jobs/queue-heads';
import { chargeVirtualTime } from '@uprez/db/queries/jobs/virtual-times';
import { now } from '@uprez/db/times';
import { checkEntitlement, checkOutput, checkTime } from '@uprez/imaging/pipeline/check-pipeline';
import { computeTargetSize } from '@uprez/imaging/pipeline/compute-target-size';
import type { Needs } from '../../context.ts';
import { announceJob } from '../wake-workers.ts';

export type Claim = ClaimedJob & { tier: Tier | 'visitor' };

/**
 * `workerId`: ID of the process. `workerName`: name under which administrators drain the worker. Default: `workerId`.
 * `pool`: pool that the worker is reserved for.
 */
export type Claimer = { workerId: string; workerName?: string; pool?: string | undefined; leaseS: number };

/**
 * Claims the next job, which becomes `processing` under a lease. Returns undefined if no job can be claimed. Jobs of
 * paused engines can't be claimed, and a drained worker gets no jobs.
 */
export async function claimNextJob(
  ctx: Needs<'db' | 'publisher'>,
  { workerId, workerName = workerId, pool, leaseS }: Claimer,
): Promise<Claim | undefined> {
  const claimer = { workerId, workerName, pool, leaseS };
  const first = pool === undefined ? await claimFirstJob(ctx.db, claimer) : undefined;
  const claim = !first || first.mustChoose ? await chooseJob(ctx.db, claimer) : first.claimed;
  if (!claim) return undefined;
  await announceJob(ctx, claim.job);
  return { ...claim, tier: claim.job.accountId === null ? 'visitor' : claim.account.tier };
}

/**
 * Claims a job in several queries. Handles the cases that `claimFirstJob` can't: paused engines, reserved pools, and
 * locked jobs.
 */
async function chooseJob(
  db: Db,
  { workerName, ...claimer }: Claimer & { workerName: string },
): Promise<ClaimedJob | undefined> {
  const settings = await readJobSettings(db);
  if (isDrained(settings, workerName)) return undefined;
  const choice = { ...claimer, engines: await listRunningEngines(db, settings) };
  return await withClaimLock(db, (tx) => pickAndClaimJob(tx, choice));
}

type Choice = Omit<Claimer, 'workerName'> & { engines: JobEngine[] | undefined };

async function pickAndClaimJob(tx: Tx, { engines, pool, workerId, leaseS }: Choice): Promise<ClaimedJob | undefined> {
  await refreshHeads(tx);
  const picked = await pickClaimableJob(tx, engines, pool);
  if (!picked) return undefined;
  const charged = await chargeVirtualTime(tx, picked, pool);
  const claimed = { status: 'processing', attempt: picked.attempt + 1, startedAt: now, progress: 0 } as const;
  const job = await changeJob(tx, { id: picked.id, status: 'queued' }, claimed);
  if (!job) throw new Error(`The job ${picked.id} changed while it was locked.`);
  await insertLease(tx, { jobId: job.id, attempt: job.attempt, charged, workerId, leaseS });
  const source = job.sourceId ? await findObject(tx, job.sourceId) : undefined;
  return { job, source, account: picked };
}

type JobToCheck = { job: Pick<JobRow, 'accountId' | 'kind' | 'surface' | 'recipe' | 'plan'>; account: AccountPlan };

/**
 * Checks a job's pipeline against the account's current plan, which may have changed since the job was accepted.
 * Returns the error, or undefined if the plan allows the job. Previews and sandbox jobs aren't checked.
 */
export function recheckPipeline({ job, account }: JobToCheck): { code: ErrorCode; detail: string } | undefined {
  if (job.accountId === null || job.kind !== 'image') return undefined;
  const plan = planOf(account);
  if (job.surface === 'api' && !checkPlanLimits(plan, { what: 'api' }).ok)
    return { code: 'plan_feature', detail: 'Your plan no longer includes the API.' };
  const { factor } = computeTargetSize(job.recipe, job.plan.source);
  return (
    checkOutput(job.plan.output, plan.maxOutputPixels) ??
    checkEntitlement(job.plan, factor, plan) ??
    checkTime(job.plan, factor, { plan, maxJobSeconds: Number.POSITIVE_INFINITY })
  );
}

/** Returns the longest estimated time that the account's plan allows a job, in seconds. */
export function maxSecondsOf({ job, account }: JobToCheck): number {
  if (job.kind !== 'image') return Number.POSITIVE_INFINITY;
  return (job.accountId === null ? currentPlans.free : planOf(account)).jobSeconds;
}

/** A worker's writes name their attempt, and have no effect once another attempt has started. */
export type Attempt = { jobId: string; attempt: number };
/**
 * Extends a job's lease and stores its progress, as a percentage. Returns false if the attempt is no longer current.
 * The worker must then stop.
 */
export async function renewLease(
  ctx: Needs<'db' | 'publisher'>,
  renewal: Attempt & { leaseS: number; progress?: number },
): Promise<boolean> {
  const job = await renewJobLease(ctx.db, renewal);
  if (job && renewal.progress !== undefined) await announceJob(ctx, job);
  return job !== undefined;
}
