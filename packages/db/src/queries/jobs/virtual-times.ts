import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { prepareQuery, runPrepared } from '../../prepare-query.ts';
import { valueOfPlan } from '../../value-of-plan.ts';
import { isEnginePaused } from './job-settings.ts';
import type { ChangedJob } from './jobs.ts';

/**
 * `accountId`: null for visitors, who count as one account. `seconds`: estimated duration. `weights`: sum of the
 * weights of all accounts with a claimable job. `wasDelayed`: whether the job was delayed, in which case its account
 * may have had nothing to start before. `isDue`: whether the job was taken before its turn because its plan had waited
 * too long.
 */
export type PickedJob = {
  id: string;
  accountId: string | null;
  attempt: number;
  tier: Tier;
  planVersion: number | null;
  seconds: number;
  weights: number;
  wasDelayed: boolean;
  isDue: boolean;
};

export const visitorTier = 'free' satisfies Tier;

/**
 * Names of rows in `instance`.
 *
 * - `systemTime`: the system's virtual time.
 * - `visitorsTime`: the virtual time of all visitors.
 * - `lastFinish`: the largest finish tag of all starts.
 * - `startedSeconds`: total estimated seconds of all starts.
 * - `lastStart`: prefix of a plan's name; stores the value of `startedSeconds` at the plan's last start.
 */
export const stateNames = {
  systemTime: 'virtual_time',
  visitorsTime: 'visitors_virtual_time',
  lastFinish: 'last_finish',
  startedSeconds: 'started_seconds',
  lastStart: 'last_start_seconds:',
} as const;
const { systemTime, visitorsTime, lastFinish, startedSeconds, lastStart } = stateNames;

export const readState = (name: RawBuilder<unknown>) =>
  sql`coalesce((select value::double precision from instance where name = ${name}), 0)`;
/**
 * Suffix of the row names for a pool's clock. Each pool has its own clock, because its workers start only jobs of the
 * pool's accounts. `pool`: undefined for shared workers.
 */
const toClockSuffix = (pool: string | undefined) => (pool === undefined ? '' : `@${pool}`);
export const readSystemTime = (pool?: string) => readState(sql`${systemTime + toClockSuffix(pool)}`);
export const readVisitorsTime = readState(sql`${visitorsTime}`);

/** The system's virtual time on the clock that a row of `users` refers to. */
const readOwnSystemTime = readState(sql`${systemTime} || coalesce('@' || users.virtual_clock, '')`);

/**
 * The virtual time of a row of `users` on a pool's clock. An account that last started a job in another pool joins at
 * the system's virtual time.
 */
export const readAccountTime = (pool: string | undefined) =>
  sql`case when users.virtual_clock is not distinct from ${pool ?? null}::text then users.virtual_time
    else ${readSystemTime(pool)} end`;

/**
 * The virtual time of a row of `users` in a pool, converted to the clock of shared workers. `pool`: SQL expression for
 * the pool's name.
 */
export const readSharedTime = (pool: RawBuilder<unknown>) =>
  sql`case when users.virtual_clock is distinct from ${pool} then ${readSystemTime()}
    when users.virtual_clock is null then users.virtual_time
    else users.virtual_time - ${readOwnSystemTime} + ${readSystemTime()} end`;

/** Total estimated seconds of the jobs that other plans have started in a pool since a plan's last start. */
export const secondsSinceStart = (tier: RawBuilder<unknown>, pool: string | undefined) =>
  sql`${readState(sql`${startedSeconds + toClockSuffix(pool)}`)} - ${readState(sql`${lastStart} || ${tier} || ${toClockSuffix(pool)}`)}`;

/** Estimated seconds of an attempt at a job. Jobs of earlier versions have the estimate only in `plan`. */
export const jobSeconds = sql<number>`coalesce(jobs.estimated_seconds,
  (jobs.plan->'estimate'->>'seconds')::double precision)`;

/**
 * SQL expression for the queue weight of each account's plan. `accounts`: a table with the columns `tier` and
 * `plan_version`.
 */
export const weightOf = (accounts: RawBuilder<unknown>) =>
  sql`${valueOfPlan(accounts, ({ queueWeight }) => queueWeight)}::double precision`;

/**
 * Virtual times that differ by less than `tie` count as equal. A finish tag that equals the last one is moved `tick`
 * past it, which makes accounts take turns.
 */
export const tieTolerance = 1e-3;
export const tieStep = 1e-6;

/**
 * Charges an account for starting a job: the job's estimated seconds, divided by the weight of the plan. Returns the
 * charge. The account's virtual time becomes the finish tag of the start. The system's virtual time advances by the
 * job's seconds divided by the sum of the waiting weights, but not past the finish tag, and not at all if a plan was
 * due. Requires the claim lock. `pool`: the worker's pool.
 */
export async function chargeVirtualTime(tx: Tx, picked: PickedJob, pool?: string): Promise<number> {
  const { accountId, tier, seconds, weights, wasDelayed, isDue } = picked;
  const charge = seconds / planOf(picked).queueWeight;
  // Waits for a concurrent correction of the visitors' virtual time.
  if (!accountId) await sql`select from instance where name = ${visitorsTime} for no key update`.execute(tx);
  const clock = toClockSuffix(pool);
  const own = accountId ? sql`(select ${readAccountTime(pool)} from users where id = ${accountId})` : readVisitorsTime;
  const charged = accountId
    ? sql`update users set virtual_time = finish, virtual_clock = ${pool ?? null} from tags where id = ${accountId}`
    : sql`select`;
  const visitors = accountId ? sql`` : sql`(${visitorsTime}, finish),`;
  const moved = isDue
    ? sql`system`
    : sql`greatest(system, least(greatest(system, own) + ${seconds / weights}::double precision, finish))`;
  const finish = sql`own + ${charge}::double precision`;
  const tag = wasDelayed ? sql`greatest(system, ${finish})` : finish;
  await sql`
    with times as (
      select ${own} as own, ${readSystemTime(pool)} as system, ${readState(sql`${lastFinish + clock}`)} as last,
        ${readState(sql`${startedSeconds + clock}`)} + ${seconds}::double precision as started
    ), tags as (
      select times.*, case when last - tag between 0 and ${tieTolerance}::double precision
        then last + ${tieStep}::double precision else tag end as finish
      from times cross join lateral (select ${tag} as tag) tags
    ), charged as (${charged})
    insert into instance (name, value)
    select name, value::text from tags cross join lateral (values ${visitors}
      (${systemTime + clock}, ${moved}), (${lastFinish + clock}, greatest(last, finish)),
      (${startedSeconds + clock}, started), (${lastStart + tier + clock}, started)) as entries (name, value)
    on conflict (name) do update set value = excluded.value`.execute(tx);
  return charge;
}

/**
 * Replaces the estimated seconds in an attempt's charge with the seconds that it used. Must take the last lock of the
 * transaction. If the account has changed pools in the meantime, the correction is made on the new clock, which runs at
 * the same rate.
 */
export async function correctVirtualTime(tx: Tx, { accountId, ended }: ChangedJob): Promise<void> {
  if (!ended) return;
  await runPrepared(tx, accountId ? buildAccountCorrection({ ...ended, accountId }) : buildVisitorsCorrection(ended));
}

/** SQL values of an `EndedAttempt`. `from`: clause that provides the values, unless they are parameters. */
type AttemptCharge = { seconds: unknown; charged: unknown; from?: RawBuilder<unknown> };
const calculateCorrection = ({ seconds, charged }: AttemptCharge, weight: RawBuilder<unknown>) =>
  sql`${seconds}::double precision / ${weight} - ${charged}::double precision`;
const visitorsWeight = sql.lit(currentPlans[visitorTier].queueWeight);

export const buildAccountCorrection = ({
  accountId,
  from = sql``,
  ...ended
}: AttemptCharge & { accountId: unknown }) => sql`
    update users set virtual_time = virtual_time + ${calculateCorrection(ended, weightOf(sql`users`))} ${from}
    where users.id = ${accountId}`;
export const buildVisitorsCorrection = ({ from = sql``, ...ended }: AttemptCharge) => sql`
    update instance set value = (value::double precision + ${calculateCorrection(ended, visitorsWeight)})::text ${from}
    where name = ${visitorsTime}`;

const isIdleAccount = (account: RawBuilder<unknown>) => sql`not exists (
  select from jobs where account_id ${account} and status = 'queued' and not_before <= now() and created_at < now()
    and not ${isEnginePaused})`;
const raiseVirtualTime = prepareQuery(
  (_db, { accountId }: { accountId: string }) => sql`
    update users set virtual_time = ${readOwnSystemTime}
    where id = ${accountId} and virtual_time < ${readOwnSystemTime} and ${isIdleAccount(sql`= ${accountId}`)}`,
);

/**
 * Raises the virtual time of an account that had nothing to start before this transaction. Otherwise, its unused turns
 * would delay other accounts. Must take the last lock of the transaction. `accountId`: null for visitors.
 */
export async function catchUpVirtualTime(tx: Tx, accountId: string | null): Promise<void> {
  if (accountId) await raiseVirtualTime(tx, { accountId });
  else
    await sql`
      insert into instance (name, value) select ${visitorsTime}, (${readSystemTime()})::text where ${isIdleAccount(sql`is null`)}
      on conflict (name) do update set value = excluded.value
      where instance.value::double precision < excluded.value::double precision`.execute(tx);
}

/**
 * Raises the virtual times of visitors, and of accounts whose queued jobs all use paused engines, to the system virtual
 * time. Otherwise, these accounts would be ahead of all others when the engine resumes. Must be called before an engine
 * resumes, and must take the last locks of the transaction.
 */
export async function catchUpPausedAccounts(tx: Tx): Promise<void> {
  await sql`
    with waiting as (
      select id from users
      where virtual_time < ${readOwnSystemTime} and ${isIdleAccount(sql`= users.id`)}
        and id in (select account_id from jobs where status = 'queued' and account_id is not null)
      order by id for no key update
    )
    update users set virtual_time = ${readOwnSystemTime} from waiting where users.id = waiting.id`.execute(tx);
  await catchUpVirtualTime(tx, null);
}

/** Returns the virtual times of shared workers and of visitors; 0 if nothing has started yet. */
export async function readVirtualTimes(db: DbOrTx): Promise<{ system: number; visitors: number }> {
  const { rows } = await sql<{ system: number; visitors: number }>`
    select ${readSystemTime()} as system, ${readVisitorsTime} as visitors`.execute(db);
  return rows[0] ?? { system: 0, visitors: 0 };
}
