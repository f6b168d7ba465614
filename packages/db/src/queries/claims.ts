import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/** Any number that no other advisory lock of this database uses. */
const claimLock = 7_311_001;

/**
 * The next job by fairness: the account with the smallest virtual time that has a claimable job, its oldest job,
 * locked. Claims are made one at a time (a claim is under a millisecond, a job seconds), else two claimers would both
 * take the account that was first before either moved it back. Undefined when nothing is claimable.
 */
export async function pickClaimableJob(
  tx: Tx,
): Promise<{ id: string; accountId: string; attempt: number } | undefined> {
  await sql`select pg_advisory_xact_lock(${claimLock})`.execute(tx);
  const { rows } = await sql<{ id: string; accountId: string; attempt: number }>`
    select job.id, job.account_id as "accountId", job.attempt
    from (
      select distinct on (account_id) id, account_id, attempt, created_at from jobs
      where status = 'queued' and not_before <= now()
      order by account_id, created_at, id
    ) job
    join users on users.id = job.account_id
    order by users.virtual_time, job.created_at, job.id
    limit 1`.execute(tx);
  const picked = rows[0];
  if (!picked) return undefined;
  const locked = await sql`
    select 1 from jobs where id = ${picked.id} and status = 'queued' for update`.execute(tx);
  // Cancelled in this very moment: the caller asks again.
  return locked.rows.length > 0 ? picked : pickClaimableJob(tx);
}

/** Count one started job against an account: its virtual time rises by the inverse of its weight. */
export async function chargeVirtualTime(tx: Tx, accountId: string, weight: number): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({ virtual_time: eb('virtual_time', '+', 1 / weight) }))
    .where('id', '=', accountId)
    .execute();
}

/**
 * Before an idle account's job is added: raise its virtual time to the smallest among the accounts that have a waiting
 * or running job, else the time it did not use would let it starve the others.
 */
export async function raiseIdleAccount(tx: Tx, accountId: string): Promise<void> {
  await sql`
    update users set virtual_time = greatest(virtual_time, coalesce((
      select min(busy.virtual_time) from users busy
      where exists (select 1 from jobs where account_id = busy.id and status in ('queued', 'processing'))
    ), virtual_time))
    where id = ${accountId}
      and not exists (select 1 from jobs where account_id = ${accountId} and status in ('queued', 'processing'))`.execute(
    tx,
  );
}
