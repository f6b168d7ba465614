import type { JobEngine } from '@uprez/contracts/policy/images/engines';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../database.ts';
import { mayStart } from './pools.ts';
import { isNoVisitorRunning } from './queue-heads.ts';
import {
  jobSeconds,
  type PickedJob,
  readAccountTime,
  readSystemTime,
  readVisitorsTime,
  secondsSinceStart,
  tieTolerance,
  visitorTier,
  weightOf,
} from './virtual-times.ts';

/** Accounts with a queued job. Uses an index skip scan, so the cost doesn't grow with the length of the queue. */
const waitingAccounts = sql`waiting as (
    (select account_id from jobs where status = 'queued' and account_id is not null order by account_id limit 1)
    union all
    select (
      select account_id from jobs where status = 'queued' and account_id > waiting.account_id
      order by account_id limit 1
    ) from waiting where waiting.account_id is not null
  )`;

/** Undefined means all engines. */
type Engines = readonly JobEngine[] | undefined;

/** Limits which jobs a worker may start. `pool`: the worker's pool; undefined for a shared worker. */
type ClaimScope = { engines: Engines; pool: string | undefined };

const jobColumns = sql`id, attempt, created_at, not_before > created_at as was_delayed, ${jobSeconds} as seconds`;

const isClaimable = sql`status = 'queued' and not_before <= now()`;
const oldestFirst = sql`order by created_at, id limit 1`;

/**
 * Selects the first claimable job of an account. If engines are paused, looks up the first job of each running engine
 * in an index, because thousands of jobs of a paused engine may precede it.
 */
function selectFirstJob(account: RawBuilder<unknown>, engines: Engines) {
  if (!engines)
    return sql`select ${jobColumns} from jobs where account_id ${account} and ${isClaimable} ${oldestFirst}`;
  return sql`select job.* from unnest(${engines}::text[]) running (engine) cross join lateral (
      select ${jobColumns} from jobs
      where account_id ${account} and plan->>'engine' = running.engine and ${isClaimable} ${oldestFirst}
    ) job ${oldestFirst}`;
}

/** Selects each account's first claimable job, and the finish tag that the account would get by starting it. */
const selectFirstJobs = (excluded: readonly (string | null)[], { engines, pool }: ClaimScope) => {
  const accounts = excluded.filter((id) => id !== null);
  return sql`first as (
      select heads.*, plan.weight, virtual_time + seconds / plan.weight as finish
      from (
        select job.*, users.id as account_id, ${readAccountTime(pool)} as virtual_time, users.tier, users.plan_version
        from waiting join users on users.id = waiting.account_id and users.id <> all(${accounts}::uuid[])
          and ${mayStart(sql`users`, pool)}
        cross join lateral (${selectFirstJob(sql`= users.id`, engines)}) job
        union all
        select job.*, null, ${readVisitorsTime}, ${visitorTier}, null
        from (${selectFirstJob(sql`is null`, engines)}) job
        where not ${pool !== undefined || excluded.includes(null)}::boolean and ${isNoVisitorRunning}
      ) heads cross join lateral (select ${weightOf(sql`heads`)} as weight) plan
    )`;
};

/**
 * Finds and locks the next job by the WF2Q+ algorithm. Considers accounts with a virtual time that the system has
 * reached, and picks the oldest job of the account that would get the smallest finish tag. Plans that are due come
 * first. Visitors count as one account on the Free plan. Requires the claim lock. `engines`: limits the jobs to these
 * engines. `pool`: the worker's pool.
 */
export async function pickClaimableJob(tx: Tx, engines?: Engines, pool?: string): Promise<PickedJob | undefined> {
  const scope = { engines, pool };
  const excluded: (string | null)[] = [];
  for (;;) {
    const picked = await findNextJob(tx, excluded, scope);
    if (picked && (await lockPickedJob(tx, picked, { skipLocked: true }))) return picked;
    if (!picked && excluded.length === 0) return undefined;
    if (picked) excluded.push(picked.accountId);
    else return waitForNextJob(tx, scope);
  }
}

/**
 * Waits for the lock on the first account's job when all accounts are locked. Tries again if another worker has claimed
 * the job by then.
 */
async function waitForNextJob(tx: Tx, scope: ClaimScope): Promise<PickedJob | undefined> {
  for (;;) {
    const picked = await findNextJob(tx, [], scope);
    if (!picked || (await lockPickedJob(tx, picked, { skipLocked: false }))) return picked;
  }
}

/** `excluded`: accounts to skip; null represents the visitors. */
async function findNextJob(
  tx: Tx,
  excluded: readonly (string | null)[],
  scope: ClaimScope,
): Promise<PickedJob | undefined> {
  const { rows } = await sql<PickedJob>`
    with recursive ${waitingAccounts}, ${selectFirstJobs(excluded, scope)}, ${selectDuePlan(sql`first`, scope.pool)}
    select id, account_id as "accountId", attempt, tier, plan_version as "planVersion", seconds, sum(weight) over () as weights,
      was_delayed as "wasDelayed", tier in (select tier from due) as "isDue"
    from first
    order by "isDue" desc,
      virtual_time <= greatest(${readSystemTime(scope.pool)}, min(virtual_time) over ()) + ${tieTolerance}::double precision desc,
      finish, created_at, id
    limit 1`.execute(tx);
  return rows[0];
}

/** Returns false if the job is no longer queued, or if `skipLocked` is set and a row is locked. */
async function lockPickedJob(tx: Tx, { id, accountId }: PickedJob, { skipLocked }: { skipLocked: boolean }) {
  const wait = skipLocked ? sql`skip locked` : sql``;
  const { rows } = accountId
    ? await sql`select from jobs join users on users.id = jobs.account_id where jobs.id = ${id} and status = 'queued'
        for update of jobs ${wait} for no key update of users ${wait}`.execute(tx)
    : await sql`select from jobs where id = ${id} and status = 'queued' for update ${wait}`.execute(tx);
  return rows.length > 0;
}

/**
 * Limits how long a plan with a claimable job waits. Jobs that other plans start in the meantime may take at most this
 * many times the waiting job's estimated seconds.
 */
const maxWaitFactor = 20;
const roundingTolerance = 1e-6;

/**
 * Selects the plan that must start a job now, because a plan would otherwise wait longer than allowed. `heads`: jobs
 * with `tier`, `seconds`, `finish`, and `created_at`. `pool`: the worker's pool. `allowed`: estimated seconds of jobs
 * that other plans may still start.
 */
export const selectDuePlan = (heads: RawBuilder<unknown>, pool?: string) => sql`waits as materialized (
    select tier, seconds, ${sql.lit(maxWaitFactor)} * seconds - (${secondsSinceStart(sql`tier`, pool)}) as allowed
    from (select distinct on (tier) tier, seconds from ${heads} order by tier, finish, created_at) plans
  ), line as (
    select tier, row_number() over ahead as place,
      allowed - coalesce(sum(seconds) over (ahead rows between unbounded preceding and 1 preceding), 0) as remaining
    from waits window ahead as (order by allowed, tier)
  ), due as (
    select tier from line
    where place = 1 and exists (select from line where remaining <= ${sql.lit(roundingTolerance)}::double precision)
  )`;
