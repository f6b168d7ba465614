import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Db } from '@uprez/db/database';
import { createJob } from '@uprez/domain/jobs/create-job';
import { makeReceipt } from '@uprez/testing/deliver-job';
import { makeNewJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { sql } from 'kysely';
import type { openVerbs } from '../support/open-verbs.ts';

/** `db` without the short timeouts of a service. */
type Verbs = ReturnType<typeof openVerbs>;

/** Numbers that a run can lower. */
export type Sizes = { users: number; jobs: number };

/**
 * Fills the tables with `users` accounts that signed up during the last two years, and with `jobs` images that were
 * delivered this month, most of them to few accounts, in the order in which they ended. Every fourth one was made through the
 * API.
 */
export async function seedAccounts(ctx: Verbs, { users, jobs }: Sizes): Promise<void> {
  const { db } = ctx;
  const owner = { accountId: (await makeUser(db)).accountId, plan: currentPlans.free };
  const { job } = await createJob(ctx, await makeNewJob(ctx, owner));
  await insertUsers(db, users);
  await insertJobs(db, { users, jobs, templateId: job.id });
}

const insertUsers = (db: Db, users: number) =>
  sql`
    insert into users (id, email, username, password_hash, first_name, last_name, tier, email_verified, created_at)
    select gen_random_uuid(), name || '@example.test', name || '@example.test', 'none',
      (array['Ada', 'Grace', 'Mary', 'Alan', 'Katherine', 'Barbara', 'Donald', 'Frances'])[1 + n % 8], 'Number ' || n,
      (array['free', 'free', 'free', 'free', 'pro', 'api_basic', 'api_pro', 'enterprise'])[1 + n % 8], n % 20 <> 0,
      now() - make_interval(secs => n * (730 * 86400.0 / ${users}::int))
    from generate_series(1, ${users}::int) n, lateral (select md5(n::text) as name) named`.execute(db);

const insertJobs = (db: Db, { users, jobs, templateId }: { users: number; jobs: number; templateId: string }) =>
  sql`
    with owners as (select id, row_number() over (order by id) as number from users),
    numbers as (
      select n, 1 + floor(${users}::int * power(random(), 3))::int as owner,
        date_trunc('month', now(), 'UTC') + random() * (now() - date_trunc('month', now(), 'UTC')) as ended
      from generate_series(1, ${jobs}::int) n
    )
    insert into jobs (id, account_id, status, surface, recipe, plan, filename, source_bytes, attempt, progress, version, receipt,
      created_at, updated_at, started_at, finished_at, expires_at)
    select gen_random_uuid(), owners.id, 'expired', case when n % 4 = 0 then 'api' else 'web' end, recipe, template.plan,
      'photo ' || n || '.png', source_bytes, 1, 100, 5, ${JSON.stringify(makeReceipt())}::jsonb,
      ended - interval '9 seconds', ended, ended - interval '4 seconds', ended, ended + interval '1 day'
    from numbers join owners on owners.number = numbers.owner, jobs template where template.id = ${templateId}
    order by ended`.execute(db);
