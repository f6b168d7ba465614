import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import { readVirtualTimes } from '@uprez/db/queries/jobs/virtual-times';
import type { Actor } from '@uprez/domain/actor';
import { deliverJob } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { backdateAttempt } from '@uprez/testing/use-seconds';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { type Attempt, claimNextJob } from '../../src/jobs/attempts/claim-next-job.ts';
import { failExpiredLeases, failJob, returnJob } from '../../src/jobs/attempts/fail-job.ts';
import { deleteJob } from '../../src/jobs/delete-job.ts';

const ctx = fileFixture(openTestContext);
// Claims read all accounts, so each test deletes its jobs.
afterEach(async () => {
  await ctx.db.deleteFrom('users').execute();
  await ctx.db.deleteFrom('jobs').execute();
});

const claim = async () => (await claimNextJob(ctx, { workerId: 'test', leaseS: 30 }))?.job;

describe('heavy jobs of 10 free accounts', () => {
  const heavyS = 100;
  const lightS = 1;

  async function makeHeavyJobs() {
    for (let n = 0; n < 10; n += 1) {
      const actor = await makeUser(ctx.db);
      for (let job = 0; job < 3; job += 1) await makeJob(ctx, actor, { seconds: heavyS });
    }
  }

  /** Starts jobs one at a time for `seconds`; the seconds of each start, negative for those of the actor. */
  async function startFor(seconds: number, { accountId }: Actor): Promise<number[]> {
    const starts: number[] = [];
    for (let used = 0; used < seconds; ) {
      const job = await claim();
      if (!job) break;
      used += job.plan.estimate.seconds;
      starts.push(job.accountId === accountId ? -job.plan.estimate.seconds : job.plan.estimate.seconds);
    }
    return starts;
  }

  it.each(['pro', 'free'] as const)('start one at a time between light jobs of a %s account', async (tier: Tier) => {
    await makeHeavyJobs();
    const light = await makeUser(ctx.db, 'enterprise');
    for (let job = 0; job < 150; job += 1) await makeJob(ctx, light, { seconds: lightS });
    await ctx.db.updateTable('users').set({ tier }).where('id', '=', light.accountId).execute();
    const starts = await startFor(450, light);
    const runs = starts.map((seconds) => (seconds > 0 ? 'H' : 'l')).join('');
    expect(runs).not.toContain('HH');
    const used = -starts.filter((seconds) => seconds < 0).reduce((sum, seconds) => sum + seconds, 0);
    const share = currentPlans[tier].queueWeight / (10 + currentPlans[tier].queueWeight);
    // The last heavy job may have started just now, and the next light ones may have to wait.
    expect(used).toBeGreaterThan(share * (450 - 2 * heavyS));
  });

  it('start at most once before the first job of a new account', async () => {
    await makeHeavyJobs();
    const nobody = { accountId: '' } as Actor;
    await startFor(700, nobody);
    const light = await makeUser(ctx.db);
    await makeJob(ctx, light, { seconds: lightS });
    expect((await startFor(1, light)).map(Math.sign)).toEqual([-1]);
  });
});

/** Expects these seconds, and at most 5% more that the test itself took. */
function expectSeconds(value: number, seconds: number, message?: string): void {
  expect(value, message).toBeGreaterThan(seconds - 0.1);
  expect(value, message).toBeLessThan(1.05 * seconds);
}

it('charges the seconds that an attempt used, however it ends', async () => {
  const retry = { retryBaseS: 0 };
  const ways: Record<string, (attempt: Attempt, actor: Actor) => Promise<unknown>> = {
    completed: ({ jobId: id, attempt }) => deliverJob(ctx, { id, attempt }),
    refused: (attempt) => failJob(ctx, { ...attempt, ...retry, code: 'corrupt_image' }),
    requeued: (attempt) => failJob(ctx, { ...attempt, ...retry, code: 'processing_crashed' }),
    returned: (attempt) => returnJob(ctx, { ...attempt, delayS: 0 }),
    canceled: ({ jobId: id }, actor) => deleteJob(ctx, { actor, id }),
    'silent worker': async ({ jobId }) => {
      const leaseUntil = sql<Date>`now() - interval '1 ms'`;
      await ctx.db.updateTable('jobLeases').set({ leaseUntil }).where('jobId', '=', jobId).execute();
      await failExpiredLeases(ctx, 0);
    },
  };
  for (const [way, end] of Object.entries(ways)) {
    const actor = await makeUser(ctx.db, 'pro');
    const { virtualTime } = await ctx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', actor.accountId)
      .executeTakeFirstOrThrow();
    const { job } = await makeJob(ctx, actor, { seconds: 3 });
    const { system } = await readVirtualTimes(ctx.db);
    await claim();
    await backdateAttempt(ctx.db, job.id, 400);
    await end({ jobId: job.id, attempt: 1 }, actor);
    const user = await ctx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', actor.accountId)
      .executeTakeFirstOrThrow();
    const service = user.virtualTime - Math.max(virtualTime, system);
    expectSeconds(service, 400 / currentPlans.pro.queueWeight, way);
    const row = await ctx.db.selectFrom('jobs').selectAll().where('id', '=', job.id).executeTakeFirstOrThrow();
    expectSeconds(row.usedSeconds, 400, way);
    await ctx.db.deleteFrom('users').execute();
  }
});

it('adds up the seconds of all attempts of a job', async () => {
  const { job } = await makeJob(ctx, await makeUser(ctx.db));
  for (let attempt = 1; attempt <= limits.attempts; attempt += 1) {
    await claim();
    await backdateAttempt(ctx.db, job.id, 100);
    await failJob(ctx, { jobId: job.id, attempt, code: 'processing_crashed', retryBaseS: 0 });
  }
  const row = await ctx.db.selectFrom('jobs').selectAll().where('id', '=', job.id).executeTakeFirstOrThrow();
  expectSeconds(row.usedSeconds, 100 * limits.attempts);
});

it('charges concurrent ends of attempts of one account in full', async () => {
  const actor = await makeUser(ctx.db, 'pro');
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) ids.push((await makeJob(ctx, actor, { seconds: 1 })).job.id);
  const { virtualTime: before } = await ctx.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
  for (const id of ids) {
    await claim();
    await backdateAttempt(ctx.db, id, 400);
  }
  await Promise.all(ids.map((id) => returnJob(ctx, { jobId: id, attempt: 1, delayS: 3_600 })));
  const { virtualTime: after } = await ctx.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
  expectSeconds(after - before, (6 * 400) / currentPlans.pro.queueWeight);
});
