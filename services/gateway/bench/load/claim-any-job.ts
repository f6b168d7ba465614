import type { AccountPlan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Db } from '@uprez/db/database';
import { prepareQuery } from '@uprez/db/prepare-query';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import { jobColumns, updatedUs } from '@uprez/db/queries/jobs/select-jobs';
import { sql } from 'kysely';

type Claimer = { workerId: string; leaseS: number };

const columns = sql.join([...jobColumns, 'progress', 'version'].map((column) => sql.ref(`jobs.${column}`)));

const claim = prepareQuery(
  (_db, { workerId, leaseS }: Claimer) => sql<JobRow & AccountPlan>`
    with next as materialized (
      select id from jobs where status = 'queued' and account_id is not null limit 1 for update skip locked
    ), claimed as (
      update jobs set status = 'processing', attempt = attempt + 1, started_at = now(), progress = 0,
        version = version + 1, updated_at = clock_timestamp()
      from next where jobs.id = next.id returning ${columns}, ${updatedUs}
    ), leased as (
      insert into job_leases (job_id, attempt, worker_id, lease_until, charged)
      select id, attempt, ${workerId}, now() + make_interval(secs => ${leaseS}::double precision), 0 from claimed
    )
    select claimed.*, users.tier, users.plan_version from claimed join users on users.id = claimed.account_id
    left join objects source on source.id = claimed.source_id`,
);

/** Claims any queued job of an account, as a queue without fairness does. Claims don't wait for each other. */
export async function claimAnyJob(db: Db, claimer: Claimer) {
  const [row] = await claim(db, claimer);
  if (!row) return undefined;
  const { tier, planVersion, ...job } = row;
  return { job, account: { tier, planVersion } };
}
