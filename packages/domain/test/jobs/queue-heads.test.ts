import { tiers } from '@uprez/contracts/policy/plans';
import { lockClaims } from '@uprez/db/locks';
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
import { useSeconds } from '@uprez/testing/use-seconds';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { returnJob } from '../../src/jobs/attempts/fail-job.ts';
import { deleteJob } from '../../src/jobs/delete-job.ts';

const ctx = fileFixture(openTestContext);
// Claims read all accounts, so each test deletes its jobs.
afterEach(async () => {
  await ctx.db.deleteFrom('users').execute();
  await ctx.db.deleteFrom('jobs').execute();
});

/** Claims a job from the stored heads. Also returns what reading the first job of every account would claim. */
const claimTwice = () =>
  ctx.db.transaction().execute(async (tx) => {
    await lockClaims(tx);
    const expected = await pickClaimableJob(tx);
    const { job } = await claimFirstJob(tx, { workerId: 'test', leaseS: 3_600 });
    const state = await tx.selectFrom('instance').select('value').where('name', '=', 'waiting_weights').execute();
    return { expected, job, weights: Number(state[0]?.value) };
  });

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
    await useSeconds(ctx.db, done.id, random(60));
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
