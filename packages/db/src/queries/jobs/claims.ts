import { plans, type Tier } from '@uprez/contracts/policy/plans';
import { type RawBuilder, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { lockClaims } from '../../locks.ts';

/** `accountId` is null for visitors, who share one place in the order. `isDue`: taken before its turn, as its plan waited long. */
export type PickedJob = { id: string; accountId: string | null; attempt: number; isDue: boolean };

/** Where the virtual times of the system (that of the last start, so it never falls) and of all visitors are kept. Stored names. */
const systemTime = 'virtual_time';
const visitorsTime = 'visitors_virtual_time';
const readTime = (name: string) => sql`(select value::double precision from instance where name = ${name})`;

/** Accounts with a queued job, found by skipping through the index: a long queue costs no more than a short one. */
const waitingAccounts = sql`waiting as (
    (select account_id from jobs where status = 'queued' and account_id is not null order by account_id limit 1)
    union all
    select (
      select account_id from jobs where status = 'queued' and account_id > waiting.account_id
      order by account_id limit 1
    ) from waiting where waiting.account_id is not null
  )`;

const claimable = sql`status = 'queued' and not_before <= now() order by created_at, id limit 1`;

/** Starts of other plans that a plan with a claimable job waits through at most. */
const longestWait = 20;

/** Where the number of all starts is kept, and its value at the last start of each plan. Stored names. */
const startCount = 'starts';
const lastStart = 'last_start:';
const readCount = (name: RawBuilder<unknown>) =>
  sql`coalesce((select value::bigint from instance where name = ${name}), 0)`;

/** The plan that must start now so that no plan waits through more than `longestWait` starts. */
const duePlan = sql`waits as (
    select tier, ${readCount(sql`${startCount}`)} - ${readCount(sql`${lastStart} || tier`)} as waited
    from (select distinct tier from first) plans
  ), line as (
    select tier, waited, row_number() over (order by waited desc, tier) - 1 as place from waits
  ), due as (
    select tier from line where place = 0 and exists (select from line where waited + place >= ${longestWait}::bigint)
  )`;

/**
 * Find and lock the next job: the oldest one of the account with the smallest virtual time, plans that are due first.
 * Visitors count as one account of the free plan. Claims run one at a time.
 */
export async function pickClaimableJob(tx: Tx): Promise<PickedJob | undefined> {
  await lockClaims(tx);
  const excluded: (string | null)[] = [];
  for (;;) {
    const picked = await findNextJob(tx, excluded);
    if (picked && (await lockPicked(tx, picked, { skipLocked: true }))) return picked;
    if (!picked && excluded.length === 0) return undefined;
    if (picked) excluded.push(picked.accountId);
    else return waitForNextJob(tx);
  }
}

/** Wait for the first account when all are locked. Its job may be claimed elsewhere by then. */
async function waitForNextJob(tx: Tx): Promise<PickedJob | undefined> {
  for (;;) {
    const picked = await findNextJob(tx, []);
    if (!picked || (await lockPicked(tx, picked, { skipLocked: false }))) return picked;
  }
}

/** `excluded`: accounts to pass over; null stands for the visitors. */
async function findNextJob(tx: Tx, excluded: readonly (string | null)[]): Promise<PickedJob | undefined> {
  const accounts = excluded.filter((id) => id !== null);
  const { rows } = await sql<PickedJob>`
    with recursive ${waitingAccounts}, first as (
      select job.*, users.id as account_id, users.virtual_time, users.tier
      from waiting join users on users.id = waiting.account_id and users.id <> all(${accounts}::uuid[])
      cross join lateral (select id, attempt, created_at from jobs where account_id = users.id and ${claimable}) job
      union all
      select job.*, null, coalesce(${readTime(visitorsTime)}, 0), ${'free' satisfies Tier}
      from (select id, attempt, created_at from jobs where account_id is null and ${claimable}) job
      where not ${excluded.includes(null)}::boolean
    ), ${duePlan}
    select id, account_id as "accountId", attempt, tier in (select tier from due) as "isDue" from first
    order by "isDue" desc, virtual_time, created_at, id
    limit 1`.execute(tx);
  return rows[0];
}

/** Lock a queued job and the row of its account. False when it is no longer queued, or locked and to be skipped. */
async function lockPicked(tx: Tx, { id, accountId }: PickedJob, { skipLocked }: { skipLocked: boolean }) {
  const wait = skipLocked ? sql`skip locked` : sql``;
  const { rows } = accountId
    ? await sql`select from jobs join users on users.id = jobs.account_id where jobs.id = ${id} and status = 'queued'
        for update of jobs ${wait} for no key update of users ${wait}`.execute(tx)
    : await sql`select from jobs where id = ${id} and status = 'queued' for update ${wait}`.execute(tx);
  return rows.length > 0;
}

/** How far the system's time moves with a start: equal accounts then take turns in the order of their last starts. */
const tick = 1e-6;

/** Write a time of the installation, which only rises. */
const raiseTime = (name: string, value: RawBuilder<unknown>) => sql`
  insert into instance (name, value) select ${name}, (${value})::text from start
  on conflict (name) do update set value = excluded.value`;

/**
 * Charge a start to an account (null: visitors) by the inverse of its plan's weight: start-time fair queueing (Goyal,
 * Vin, and Cheng, 1996). A start of a due plan leaves the system's time as it is. Requires the claim lock.
 */
export async function chargeVirtualTime(tx: Tx, { accountId, isDue }: PickedJob, tier: Tier): Promise<void> {
  const step = sql`start.at + ${1 / plans[tier].queueWeight}::double precision`;
  const own = accountId ? sql`(select virtual_time from users where id = ${accountId})` : readTime(visitorsTime);
  const charge = accountId
    ? sql`update users set virtual_time = ${step} from start where id = ${accountId}`
    : raiseTime(visitorsTime, step);
  await sql`
    with start as (select coalesce(greatest(${own}, ${readTime(systemTime)}), 0) as at), charged as (${charge})
    ${raiseTime(systemTime, isDue ? sql`coalesce(${readTime(systemTime)}, 0)` : sql`start.at + ${tick}::double precision`)}`.execute(
    tx,
  );
  await sql`
    with counted as (select ${readCount(sql`${startCount}`)} + 1 as starts)
    insert into instance (name, value)
    select name, starts::text from counted cross join (values (${startCount}), (${lastStart + tier})) as names (name)
    on conflict (name) do update set value = excluded.value`.execute(tx);
}

/** Raise the virtual time of an idle account (null: visitors), or its unused turns would starve others. */
export async function catchUpVirtualTime(tx: Tx, accountId: string | null): Promise<void> {
  if (accountId)
    await sql`
      update users set virtual_time = ${readTime(systemTime)}
      where id = ${accountId} and virtual_time < ${readTime(systemTime)}`.execute(tx);
  else
    await sql`
      update instance set value = (${readTime(systemTime)})::text
      where name = ${visitorsTime} and value::double precision < ${readTime(systemTime)}`.execute(tx);
}

/** The virtual times of the installation; 0 where nothing has started yet. */
export async function readVirtualTimes(db: DbOrTx): Promise<{ system: number; visitors: number }> {
  const { rows } = await sql<{ system: number; visitors: number }>`
    select coalesce(${readTime(systemTime)}, 0) as system, coalesce(${readTime(visitorsTime)}, 0) as visitors`.execute(
    db,
  );
  return rows[0] ?? { system: 0, visitors: 0 };
}
