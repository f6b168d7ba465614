import type { AccountPlan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../database.ts';
import { claimLock } from '../../locks.ts';
import { prepareLocked } from '../../prepare-query.ts';
import { selectDuePlan } from './claims.ts';
import type { JobRow } from './jobs.ts';
import type { SourceFile } from './objects.ts';
import { startsAllJobs } from './pools.ts';
import { selectLeaders, visitorsId, waitingWeights } from './queue-heads.ts';
import { jobColumns, updatedUs } from './select-jobs.ts';
import {
  readAccountTime,
  readState,
  readSystemTime,
  stateNames,
  tieStep,
  tieTolerance,
  visitorTier,
} from './virtual-times.ts';

const { systemTime, visitorsTime, lastFinish, startedSeconds, lastStart } = stateNames;
const toDouble = (value: number) => sql`${sql.lit(value)}::double precision`;

/** Selects the head that `pickClaimableJob` would pick. Must sort the heads in the same order. */
const pickedHead = sql`picked as materialized (
    select head.*, (select weights from total) as weights, head.tier in (select tier from due) as is_due
    from (select *, true as is_ready from ready union all select *, false from leaders) head
    where (select is_open from rules)
    order by is_due desc, is_ready desc, finish, created_at, job_id limit 1
  )`;

/**
 * Locks the rows of the picked job and its account. Selects nothing if either row is already locked or the job is no
 * longer queued.
 */
const heldJob = sql`held_of_account as materialized (
    select jobs.id, ${readAccountTime(undefined)} as own, users.tier, users.plan_version
    from jobs join users on users.id = jobs.account_id
    where jobs.id = (select job_id from picked where account_id <> ${visitorsId}) and jobs.status = 'queued'
    for update of jobs skip locked for no key update of users skip locked
  ), held_of_visitor as materialized (
    select jobs.id from jobs
    where jobs.id = (select job_id from picked where account_id = ${visitorsId}) and jobs.status = 'queued'
    for update skip locked
  ), time_of_visitors as materialized (
    select value::double precision as own from instance
    where name = ${sql.lit(visitorsTime)} and exists (select from held_of_visitor) for no key update
  ), held as materialized (
    select id, own, tier, plan_version from held_of_account
    union all select id, coalesce((select own from time_of_visitors), 0), ${sql.lit(visitorTier)}, null from held_of_visitor
  )`;

/**
 * Computes the virtual time to charge for the start, as `chargeVirtualTime` does. Materialized, because PostgreSQL
 * would otherwise read the state again for each use of a column.
 */
const tags = sql`times as materialized (
    select picked.account_id, picked.tier, picked.is_due, picked.was_delayed, picked.weights, held.id, held.own,
      picked.seconds, picked.seconds / picked.weight as charge, ${readSystemTime()} as system,
      ${readState(sql.lit(lastFinish))} as last, ${readState(sql.lit(startedSeconds))} + picked.seconds as started
    from held, picked
  ), tags as materialized (
    select tagged.*, case when last - tag between 0 and ${toDouble(tieTolerance)} then last + ${toDouble(tieStep)} else tag end as finish
    from (
      select times.*, case when was_delayed then greatest(system, own + charge) else own + charge end as tag from times
    ) tagged
  )`;

const movedSystemTime = sql`case when is_due then system
  else greatest(system, least(greatest(system, own) + seconds / weights, finish)) end`;

/** Writes the charge. Also writes the new sum of the weights, even if no job starts. */
const chargeWrites = sql`charged as (
    update users set virtual_time = tags.finish, virtual_clock = null from tags where users.id = tags.account_id
  ), state as (
    insert into instance (name, value)
    select ${sql.lit(waitingWeights)}, weights::text from total where exists (select from dirty)
    union all
    select name, value::text from tags cross join lateral (values
      (${sql.lit(systemTime)}, ${movedSystemTime}), (${sql.lit(lastFinish)}, greatest(last, finish)),
      (${sql.lit(startedSeconds)}, started), (${sql.lit(lastStart)} || tier, started),
      (case when account_id = ${visitorsId} then ${sql.lit(visitorsTime)} end, finish)
    ) as entries (name, value) where name is not null
    on conflict (name) do update set value = excluded.value
  )`;

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const returnedColumns: RawBuilder<unknown> = sql.join([
  ...[...jobColumns, 'progress', 'version'].map((column) => sql.ref(`jobs.${toSnakeCase(column)}`)),
  updatedUs,
]);

/** `workerName`: the name by which administrators drain the worker. */
type Claimer = { workerId: string; workerName: string; leaseS: number };
/** A claimed job, the plan of its account, and its source. `source` is undefined if its row was deleted manually. */
export type ClaimedJob = { job: JobRow; account: AccountPlan; source: SourceFile | undefined };
/**
 * `mustChoose`: whether `pickClaimableJob` must look further, because the first job or its account is locked, or
 * because the worker may not start all jobs.
 */
type FirstJob = { claimed: ClaimedJob | undefined; mustChoose: boolean };

type Row = { pickedId: string | null; isOpen: boolean; tier: Tier; planVersion: number | null } & {
  sourceKey: string | null;
  sourceSha256: string | null;
} & (JobRow | { [Name in keyof JobRow]: null });

const claimQuery = prepareLocked(
  claimLock,
  ({ workerId, workerName, leaseS }: Claimer) => sql<Row>`
    with rules as materialized (select ${startsAllJobs(workerName)} as is_open), ${selectLeaders(tieTolerance)}, ${selectDuePlan(sql`leaders`)}, ${pickedHead}, ${heldJob}, ${tags}, ${chargeWrites}, claimed as (
      update jobs set status = 'processing', attempt = attempt + 1, started_at = now(), progress = 0,
        version = version + 1, updated_at = clock_timestamp()
      from tags where jobs.id = tags.id returning ${returnedColumns}
    ), leased as (
      insert into job_leases (job_id, attempt, worker_id, lease_until, charged)
      select claimed.id, attempt, ${workerId}, now() + make_interval(secs => ${leaseS}::double precision), charge
      from claimed join tags on tags.id = claimed.id
    )
    select rules.is_open, picked.job_id as picked_id, held.tier, held.plan_version,
      source.key as source_key, source.sha256 as source_sha256, claimed.*
    from rules left join picked on true left join held on true left join claimed on true
    left join objects source on source.id = claimed.source_id`,
);

/**
 * Claims the first job for a shared worker and charges its account, in one statement under the claim lock. Claims
 * nothing unless the worker may start any job (see `startsAllJobs`). Must not be called inside a transaction.
 */
export async function claimFirstJob(db: Db, claimer: Claimer): Promise<FirstJob> {
  const [row] = await claimQuery(db, claimer);
  if (!row || row.id === null) return { claimed: undefined, mustChoose: !row?.isOpen || row.pickedId !== null };
  const { pickedId: _picked, isOpen: _open, tier, planVersion, sourceKey: key, sourceSha256: sha256, ...job } = row;
  const source = key === null ? undefined : { key, sha256 };
  return { claimed: { job, account: { tier, planVersion }, source }, mustChoose: false };
}
