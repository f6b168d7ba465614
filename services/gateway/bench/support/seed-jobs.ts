import type { Db } from '@uprez/db/database';
import type { Actor } from '@uprez/domain/actor';
import { createJob } from '@uprez/domain/jobs/create-job';
import { makeReceipt } from '@uprez/testing/deliver-job';
import { makeNewJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import type { TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';

type Verbs = Pick<TestContext, 'db' | 'storage' | 'queue' | 'publisher' | 'log'>;
/** `own` of `all` jobs belong to the actor, evenly over the last `days`. The others belong to 200 accounts. */
export type Seeds = { actor: Actor; all: number; own: number; days: number };

/** Fills the tables with finished jobs in complete rows. Jobs of the last day have files. */
export async function seedJobs(ctx: Verbs, { actor, all, own, days }: Seeds): Promise<void> {
  const { job } = await createJob(ctx, await makeNewJob(ctx, actor));
  const others = await Promise.all(Array.from({ length: 200 }, () => makeUser(ctx.db)));
  const accounts = others.map(({ accountId }) => accountId);
  const receipt = JSON.stringify(makeReceipt());
  for (const [count, owners] of [
    [own - 1, [actor.accountId]],
    [all - own, accounts],
  ] as const)
    await insertMany(ctx.db, { id: job.id, count, owners, days, receipt });
  await sql`update objects set job_id = jobs.id from jobs where jobs.result_id = objects.id`.execute(ctx.db);
  await sql`vacuum analyze`.execute(ctx.db);
}

type Many = { id: string; count: number; owners: readonly string[]; days: number; receipt: string };

async function insertMany(db: Db, { id, count, owners, days, receipt }: Many): Promise<void> {
  await sql`
    with numbers as (
      select n, gen_random_uuid() as id, gen_random_uuid() as result_id, (${[...owners]}::uuid[])[1 + n % ${owners.length}] as owner,
        now() - make_interval(secs => n * ${(days * 86_400) / count}::double precision) as ended
      from generate_series(0, ${count - 1}::int) n
    ), files as (
      insert into objects (id, account_id, kind, key, state, size, sha256)
      select result_id, owner, 'result', 'seed/' || result_id, 'stored', 2000000, ${'0'.repeat(64)}
      from numbers where ended > now() - interval '1 day'
    )
    insert into jobs (id, account_id, status, recipe, plan, filename, source_bytes, result_id, attempt, progress, version,
      receipt, created_at, updated_at, started_at, finished_at, expires_at)
    select numbers.id, owner, case when ended > now() - interval '1 day' then 'completed' else 'expired' end, recipe, plan,
      'photo ' || n || '.png', source_bytes, case when ended > now() - interval '1 day' then numbers.result_id end, 1, 100, 5, ${receipt}::jsonb,
      ended - interval '9 seconds', ended, ended - interval '4 seconds', ended, ended + interval '1 day'
    from numbers, jobs template where template.id = ${id}`.execute(db);
}
