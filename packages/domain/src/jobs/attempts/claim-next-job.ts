import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { EngineName } from '@uprez/contracts/policy/engines';
import { may } from '@uprez/contracts/policy/may';
import { planOf } from '@uprez/contracts/policy/plan-versions';
import type { Tier } from '@uprez/contracts/policy/plans';
import { isDrained } from '@uprez/contracts/schemas/job-settings';
import type { Tx } from '@uprez/db/database';
import { lockClaims } from '@uprez/db/locks';
import { claimFirstJob } from '@uprez/db/queries/jobs/claim-first-job';
import { pickClaimableJob } from '@uprez/db/queries/jobs/claims';
import { insertLease, renewJobLease } from '@uprez/db/queries/jobs/job-leases';
import { readClaimRules, runningEngines } from '@uprez/db/queries/jobs/job-settings';
import { changeJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { findObject, type ObjectRow } from '@uprez/db/queries/jobs/objects';
import { refreshHeads } from '@uprez/db/queries/jobs/queue-heads';
import { chargeVirtualTime } from '@uprez/db/queries/jobs/virtual-times';
import { findPlanState } from '@uprez/db/queries/usage/allowances';
import { now } from '@uprez/db/times';
import { checkEntitlement, checkOutput, checkTime } from '@uprez/imaging/plan/check-plan';
import { targetSize } from '@uprez/imaging/plan/target-size';
import type { Needs } from '../../context.ts';
import { announceJob } from '../wake-workers.ts';

/** `source` is undefined only when its row was deleted manually. `plan`: the account's, or `visitor`. */
export type Claim = { job: JobRow; source: ObjectRow | undefined; plan: Tier | 'visitor' };

/** `workerId`: of the process. `workerName`: by which administrators drain it; the ID by default. `pool`: of a reserved worker. */
export type Claimer = { workerId: string; workerName?: string; pool?: string | undefined; leaseS: number };

/**
 * Claim the next job: it becomes `processing` under a lease. Undefined when nothing is claimable: jobs of paused engines
 * aren't, and nothing is for a drained worker.
 */
export async function claimNextJob(
  ctx: Needs<'db' | 'publisher'>,
  { workerId, workerName = workerId, pool, leaseS }: Claimer,
): Promise<Claim | undefined> {
  const { hasPools, ...settings } = await readClaimRules(ctx.db);
  if (isDrained(settings, workerName)) return undefined;
  const claim = await claimOne(ctx, { engines: runningEngines(settings), pool, hasPools, workerId, leaseS });
  if (!claim) return undefined;
  const { job, tier } = claim;
  const source = job.sourceId ? await findObject(ctx.db, job.sourceId) : undefined;
  await announceJob(ctx, job);
  return { job, source, plan: job.accountId === null ? 'visitor' : tier };
}

type Picking = Pick<Claimer, 'workerId' | 'pool' | 'leaseS'> & { engines: EngineName[] | undefined };

/** All engines are claimed in one statement, unless there are pools, or a lock of another transaction is in its way. */
async function claimOne({ db }: Needs<'db'>, { hasPools, ...picking }: Picking & { hasPools: boolean }) {
  if (!picking.engines && !picking.pool && !hasPools) {
    const { isLocked, ...claimed } = await claimFirstJob(db, picking);
    if (!isLocked) return claimed.job && claimed;
  }
  return db.transaction().execute((tx) => claimPicked(tx, picking));
}

/** Claims a job of some engines, of a pool, or one that another transaction doesn't lock, step by step. */
async function claimPicked(tx: Tx, { engines, pool, workerId, leaseS }: Picking) {
  await lockClaims(tx);
  await refreshHeads(tx);
  const picked = await pickClaimableJob(tx, engines, pool);
  if (!picked) return undefined;
  const charged = await chargeVirtualTime(tx, picked, pool);
  const claimed = { status: 'processing', attempt: picked.attempt + 1, startedAt: now, progress: 0 } as const;
  const job = await changeJob(tx, { id: picked.id, status: 'queued' }, claimed);
  if (!job) throw new Error(`The job ${picked.id} changed while it was locked.`);
  await insertLease(tx, { jobId: job.id, attempt: job.attempt, charged, workerId, leaseS });
  return { job, tier: picked.tier };
}

/** Check an accepted job against the account's current plan. Returns the error, if any. Previews have no plan. */
export async function recheckPlan(
  ctx: Needs<'db'>,
  job: Pick<JobRow, 'accountId' | 'kind' | 'surface' | 'recipe' | 'plan'>,
): Promise<{ code: ErrorCode; detail: string } | undefined> {
  const user = job.accountId && job.kind === 'image' ? await findPlanState(ctx.db, job.accountId) : undefined;
  if (!user) return undefined;
  const plan = planOf(user);
  if (job.surface === 'api' && !may(plan, { what: 'api' }).ok)
    return { code: 'plan_feature', detail: 'Your plan no longer includes the API.' };
  const { factor } = targetSize(job.recipe, job.plan.source);
  return (
    checkOutput(job.plan.output, plan.maxOutputPixels) ??
    checkEntitlement(job.plan, factor, plan) ??
    checkTime(job.plan, factor, { plan, maxJobSeconds: Number.POSITIVE_INFINITY })
  );
}

/** One attempt at a job. Every write of a worker is fenced by it. */
export type Attempt = { jobId: string; attempt: number };
/** Extend a job's lease and store its progress (0-100). False when the job is no longer in this attempt: stop working. */
export async function renewLease(
  ctx: Needs<'db' | 'publisher'>,
  renewal: Attempt & { leaseS: number; progress?: number },
): Promise<boolean> {
  const job = await renewJobLease(ctx.db, renewal);
  if (job && renewal.progress !== undefined) await announceJob(ctx, job);
  return job !== undefined;
}
