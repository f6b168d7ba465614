import { tiers } from '@uprez/contracts/policy/plans/plans';
import type { Db } from '@uprez/db/database';
import { withClaimLock } from '@uprez/db/locks';
import { openDb } from '@uprez/db/open-db';
import { claimFirstJob } from '@uprez/db/queries/jobs/claim-first-job';
import { pickClaimableJob } from '@uprez/db/queries/jobs/claims';
import { afterSeconds } from '@uprez/db/times';
import type { Actor } from '@uprez/domain/actor';
import { deliverJob } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { makeRandom, testSeed } from '@uprez/testing/random';
import { backdateAttempt } from '@uprez/testing/use-seconds';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { returnJob } from '../../src/jobs/attempts/fail-job.ts';
import { deleteJob } from '../../src/jobs/delete-job.ts';

const ctx = fileFixture(openTestContext);
// Claims read all accounts, so each test deletes its jobs.
afterEach(async () => {
  await ctx.db.deleteFrom('users').execute();
  await ctx.db.deleteFrom('jobs').execute();
});

const claim = async (db: Db) =>
  (await claimFirstJob(db, { workerId: 'test', workerName: 'test', leaseS: 3_600 })).claimed?.job;

/** Claims a job from the stored heads. Also returns what reading the first job of every account would claim. */
async function claimTwice() {
  const expected = await withClaimLock(ctx.db, (tx) => pickClaimableJob(tx));
  const job = await claim(ctx.db);
  const state = await ctx.db.selectFrom('instance').select('value').where('name', '=', 'waiting_weights').execute();
  return { expected, job, weights: Number(state[0]?.value) };
}

type Attempts = { id: string; attempt: number }[];

/** Adds a visitor's job, a copy of another one. */
const addVisitorsJob = (jobId: string) =>
  sql`insert into jobs (id, kind, status, recipe, plan, filename, source_bytes, estimated_seconds)
    select gen_random_uuid(), 'preview', 'queued', recipe, plan, filename, source_bytes, estimated_seconds
    from jobs where id = ${jobId}`.execute(ctx.db);

/** Changes that move an account in the order of claims, or its first job. */
const steps: ((actor: Actor, running: Attempts, random: (limit: number) => number) => Promise<unknown>)[] = [
  (actor, _, random) => makeJob(ctx, actor, { seconds: 1 + random(30) }),
  (actor, _, random) => makeJob(ctx, actor, { seconds: 1 + random(30) }),
  async (actor) => addVisitorsJob((await makeJob(ctx, actor)).job.id),
  async (_, running, random) => {
    const done = running.pop();
    if (!done) return;
    await backdateAttempt(ctx.db, done.id, random(60));
    await deliverJob(ctx, done);
  },
  async (_, running, random) => {
    const done = running.shift();
    if (done) await returnJob(ctx, { jobId: done.id, attempt: done.attempt, delayS: 3_600 * random(2) });
  },
  // A delay is over.
  () =>
    ctx.db
      .updateTable('jobs')
      .set({ notBefore: afterSeconds(-1) })
      .where('notBefore', '>', sql<Date>`now()`)
      .execute(),
  async (actor) => {
    const job = await ctx.db
      .selectFrom('jobs')
      .select('id')
      .where('accountId', '=', actor.accountId)
      .where('status', '=', 'queued')
      .executeTakeFirst();
    if (job) await deleteJob(ctx, { actor, id: job.id });
  },
  ({ accountId }, _, random) =>
    ctx.db
      .updateTable('users')
      .set({ tier: tiers[random(tiers.length)] ?? 'free' })
      .where('id', '=', accountId)
      .execute(),
];

it('finds the job that reading the first job of every account finds, after any changes', async () => {
  const random = makeRandom(testSeed);
  const actors = await Promise.all(Array.from({ length: 6 }, () => makeUser(ctx.db, 'enterprise')));
  const running: Attempts = [];
  const found: unknown[] = [];
  for (let n = 0; n < 200; n += 1) {
    const actor = actors[random(actors.length)];
    const step = steps[random(steps.length)];
    if (actor) await step?.(actor, running, random);
    if (random(2) === 0) continue;
    const { expected, job, weights } = await claimTwice();
    expect({ id: job?.id, weights: job && weights }, `step ${n}`).toEqual({
      id: expected?.id,
      weights: expected?.weights,
    });
    if (job) running.push(job);
    found.push(job?.id);
  }
  expect(found.filter((id) => id !== undefined).length).toBeGreaterThan(30);
});

describe('a claim', () => {
  /** Adds accounts with two copies of a job each. */
  const addAccounts = (count: number, jobId: string) =>
    sql`
      with accounts as (
        insert into users (id, email, username, password_hash)
        select id, id, id, 'none' from (select gen_random_uuid() as id from generate_series(1, ${count}::integer)) ids
        returning id
      )
      insert into jobs (id, account_id, kind, status, recipe, plan, filename, source_bytes, estimated_seconds)
      select gen_random_uuid(), accounts.id, kind, 'queued', recipe, plan, filename, source_bytes, 1
      from accounts, generate_series(1, 2), jobs template where template.id = ${jobId}`.execute(ctx.db);
  const tables = ['jobs', 'users', 'queue_heads', 'queue_changes'];
  const analyze = (db: Db, names: string[]) =>
    sql`vacuum (analyze) ${sql.join(names.map((name) => sql.table(name)))}`.execute(db);

  it.each([
    ['', { isCounted: false }],
    [' when the planner expects many changes', { isCounted: true }],
  ])('reads about as many rows with 1,000 waiting accounts as with 10%s', async (_name, { isCounted }) => {
    const { db, close } = openDb({ url: ctx.databaseUrl, poolSize: 1, onError: () => {} });
    const readRows = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db);
      const { rows } = await sql<{ n: number }>`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as n
        from pg_stat_user_tables where relname = any(${tables})`.execute(db);
      return rows[0]?.n ?? Number.NaN;
    };
    const { job } = await makeJob(ctx, await makeUser(ctx.db));
    const reads: number[] = [];
    for (const count of [10, 990]) {
      await addAccounts(count, job.id);
      if (isCounted) await analyze(db, ['queue_changes']);
      await claim(db);
      await analyze(db, isCounted ? ['jobs', 'users', 'queue_heads'] : tables);
      const before = await readRows();
      for (let n = 0; n < 10; n += 1) expect(await claim(db)).toBeDefined();
      reads.push((await readRows()) - before);
    }
    await close();
    expect(reads[1]).toBeLessThan(2 * (reads[0] ?? 0));
  });

  it('is each of another job for 50 workers at a time, in the order of the accounts', async () => {
    const { job } = await makeJob(ctx, await makeUser(ctx.db));
    await addAccounts(99, job.id);
    const claims = await Promise.all(Array.from({ length: 50 }, () => claim(ctx.db)));
    expect(new Set(claims.map((job) => job?.id)).size).toBe(50);
    expect(new Set(claims.map((job) => job?.accountId)).size).toBe(50);
  });
});
