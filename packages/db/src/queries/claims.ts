import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/** Any number that no other advisory lock of this database uses. */
const claimLock = 7_311_001;

/**
 * The next job by fairness: the account with the smallest virtual time that has a claimable job, its oldest job,
 * locked. Claims are made one at a time (a claim takes milliseconds, a job seconds), else two claimers would both take
 * the account that was first before either moved it back. Hops from account to account through the index of waiting
 * jobs, so a long queue of one account costs no more than a short one. Undefined when nothing is claimable.
 */
export async function pickClaimableJob(
  tx: Tx,
): Promise<{ id: string; accountId: string; attempt: number } | undefined> {
  await sql`select pg_advisory_xact_lock(${claimLock})`.execute(tx);
  const { rows } = await sql<{ id: string; accountId: string; attempt: number }>`
    with recursive waiting as (
      (select account_id from jobs where status = 'queued' order by account_id limit 1)
      union all
      select (
        select account_id from jobs where status = 'queued' and account_id > waiting.account_id
        order by account_id limit 1
      ) from waiting where waiting.account_id is not null
    )
    select job.id, users.id as "accountId", job.attempt
    from waiting join users on users.id = waiting.account_id
    cross join lateral (
      select id, attempt, created_at from jobs
      where account_id = users.id and status = 'queued' and not_before <= now()
      order by created_at, id limit 1
    ) job
    order by users.virtual_time, job.created_at, job.id
    limit 1`.execute(tx);
  const picked = rows[0];
  if (!picked) return undefined;
  const locked = await sql`
    select 1 from jobs where id = ${picked.id} and status = 'queued' for update`.execute(tx);
  // Cancelled in this very moment: the caller asks again.
  return locked.rows.length > 0 ? picked : pickClaimableJob(tx);
}

/** Where the system's virtual time is kept: that of the last start, so it never falls. A stored name. */
const systemTime = 'virtual_time';
const readSystemTime = sql`(select value::double precision from instance where name = ${systemTime})`;

/** How far the system's time moves with a start: equal accounts then take turns in the order of their last starts. */
const tick = 1e-6;

/**
 * Count one started job against an account: its virtual time rises by the inverse of its weight (start-time fair
 * queueing: Goyal, Vin and Cheng, 1996). Only under the lock of `pickClaimableJob`.
 */
export async function chargeVirtualTime(tx: Tx, accountId: string, weight: number): Promise<void> {
  await sql`
    with start as (
      select greatest(virtual_time, ${readSystemTime}) as at from users where id = ${accountId}
    ), charged as (
      update users set virtual_time = start.at + ${1 / weight} from start where id = ${accountId}
    )
    insert into instance (name, value) select ${systemTime}, (start.at + ${tick})::text from start
    on conflict (name) do update set value = excluded.value`.execute(tx);
}

/**
 * Before a job is added: an account that had nothing to start for a while begins at the system's virtual time, else
 * the turns that it did not use would let it starve the others. One with a claimable job is there already.
 */
export async function catchUpVirtualTime(tx: Tx, accountId: string): Promise<void> {
  await sql`
    update users set virtual_time = ${readSystemTime}
    where id = ${accountId} and virtual_time < ${readSystemTime}`.execute(tx);
}
