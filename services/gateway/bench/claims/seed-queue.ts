import { tiers } from '@uprez/contracts/policy/plans/plans';
import type { Db } from '@uprez/db/database';
import { createJob } from '@uprez/domain/jobs/create-job';
import { makeNewJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import type { TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';

type Verbs = Pick<TestContext, 'db' | 'storage' | 'queue' | 'publisher' | 'log'>;

/** Creates a job whose rows are copied, and which no worker claims. */
export async function createTemplate(ctx: Verbs): Promise<string> {
  const actor = await makeUser(ctx.db, 'enterprise');
  const { job } = await createJob(ctx, await makeNewJob(ctx, actor));
  await sql`update jobs set status = 'expired' where id = ${job.id}`.execute(ctx.db);
  return job.id;
}

/** Adds accounts of all plans until there are so many. */
export async function fillAccounts(db: Db, templateId: string, count: number): Promise<void> {
  await sql`
    with numbers as (
      select gen_random_uuid() as id, n from generate_series(1, ${count} - (select count(*)::integer from users) + 1) n
    ), accounts as (
      insert into users (id, email, username, password_hash, tier)
      select id, id || '@example.test', id, 'none', (${[...tiers]}::text[])[1 + n % ${tiers.length}] from numbers
      returning id
    )
    insert into allowances (account_id, meter, source, tier, units, units_left, hard_stop, reason, starts_at, expires_at)
    select accounts.id, allowances.meter, 'grant', null, allowances.units, units_left, false, allowances.reason, starts_at, expires_at
    from accounts, allowances join ledger on ledger.allowance_id = allowances.id
    where ledger.job_id = ${templateId} and ledger.kind = 'reserve'`.execute(db);
}

/** Adds queued jobs in turn for all accounts until there are so many, with their sources and reserved units. */
export async function fillQueue(db: Db, templateId: string, count: number): Promise<void> {
  const { rows } = await sql<{ missing: number }>`
    select ${count} - count(*)::integer as missing from jobs where status = 'queued'`.execute(db);
  const missing = rows[0]?.missing ?? 0;
  if (missing <= 0) return;
  await sql`
    with owners as (
      select account_id, id as allowance_id, row_number() over (order by random()) - 1 as place, count(*) over () as accounts
      from allowances where source = 'grant'
    ), added as materialized (
      select gen_random_uuid() as id, gen_random_uuid() as source_id, owners.*, n
      from generate_series(1, ${missing}::integer) n join owners on owners.place = n % owners.accounts
    ), sources as (
      insert into objects (id, account_id, job_id, kind, key, state, size, sha256)
      select source_id, account_id, id, 'source', 'bench/' || source_id, 'stored', 1000, repeat('0', 64) from added
    ), reserved as (
      insert into ledger (account_id, job_id, allowance_id, kind, meter, units, reason)
      select account_id, id, allowance_id, 'reserve', 'standard', -1, 'Reserved' from added
    )
    insert into jobs (id, account_id, status, recipe, plan, filename, source_bytes, source_id, estimated_seconds, created_at)
    select added.id, added.account_id, 'queued', recipe, plan, filename, source_bytes, added.source_id, 0.5 + n % 20,
      clock_timestamp()
    from added, jobs template where template.id = ${templateId}`.execute(db);
}

/** Updates what the planner knows, as PostgreSQL does in time. */
export const analyzeTables = (db: Db) =>
  sql`vacuum (analyze) jobs, objects, ledger, job_leases, events, users, instance, queue_heads, queue_changes`.execute(
    db,
  );

/** Disk space of the rows of a queued job, with indexes. */
export async function readBytesPerJob(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select ((pg_total_relation_size('jobs') + pg_total_relation_size('objects') + pg_total_relation_size('ledger'))
      / (select count(*) from jobs))::integer as bytes`.execute(db);
  return rows[0]?.bytes ?? Number.NaN;
}
