import { Readable } from 'node:stream';
import { currentPlans, tiers } from '@uprez/contracts/policy/plans/plans';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import { readQueue } from '@uprez/db/queries/jobs/queued-jobs';
import { afterSeconds } from '@uprez/db/times';
import type { Actor } from '@uprez/domain/actor';
import { deliverJob } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { type JobOptions, makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { backdateAttempt } from '@uprez/testing/use-seconds';
import pLimit from 'p-limit';
import { afterEach, describe, expect, test } from 'vitest';
import { cancelPreview, createImagePreview } from '../../src/intake/make-preview.ts';
import { claimNextJob } from '../../src/jobs/attempts/claim-next-job.ts';
import { failJob, returnJob } from '../../src/jobs/attempts/fail-job.ts';
import { orderQueue } from '../../src/jobs/estimate-waits.ts';
import { insertUpload } from '../../src/uploads/begin-upload.ts';

const ctx = fileFixture(openTestContext);
// Claims read all accounts, so each test deletes its jobs.
afterEach(async () => {
  await ctx.db.deleteFrom('users').execute();
  await ctx.db.deleteFrom('jobs').execute();
});

const claimer = { workerId: 'test', leaseS: 30 };

/** Fewer than the connections of the pool, because waiting for a connection fails after 5 s. */
const inTurn = pLimit(4);

async function makeJobs(actor: Actor, count: number, options: JobOptions = {}): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => inTurn(() => makeJob(ctx, actor, options))));
}

/** Returns account IDs in the order of their claims, at most `limit`. */
async function startOrder(limit = Number.POSITIVE_INFINITY): Promise<string[]> {
  const order: string[] = [];
  while (order.length < limit) {
    const claim = await claimNextJob(ctx, claimer);
    if (!claim) break;
    order.push(claim.job.accountId ?? '');
    // Previews of visitors start one after another.
    if (claim.job.accountId === null) await completeInTime(claim.job);
  }
  return order;
}

/** Completes a job after its estimated seconds. */
async function completeInTime({ id, attempt, plan }: JobRow): Promise<void> {
  await backdateAttempt(ctx.db, id, plan.estimate.seconds);
  await deliverJob(ctx, { id, attempt });
}

/** Returns the accounts with a waiting job that were skipped between two starts of another account. */
function findSkipped(order: readonly string[], accounts: readonly Actor[], each: number): string[] {
  const started = new Map<string, number[]>();
  order.forEach((id, at) => {
    started.set(id, [...(started.get(id) ?? []), at]);
  });
  return accounts.flatMap(({ accountId }) =>
    accounts
      .filter((other) => other.accountId !== accountId)
      .flatMap((other) => {
        const [mine = [], theirs = []] = [started.get(accountId), started.get(other.accountId)];
        return mine
          .slice(1)
          .filter((at, index) => {
            const before = mine[index] ?? 0;
            const stillWaiting = theirs.filter((start) => start < at).length < each;
            return stillWaiting && !theirs.some((start) => start > before && start < at);
          })
          .map((at) => `${other.accountId} at start ${at}`);
      }),
  );
}

test('claims the oldest job of an account first', async () => {
  const actor = await makeUser(ctx.db);
  const first = await makeJob(ctx, actor);
  const second = await makeJob(ctx, actor);
  const claims = [await claimNextJob(ctx, claimer), await claimNextJob(ctx, claimer)];
  expect(claims.map((claim) => claim?.job.id)).toEqual([first.job.id, second.job.id]);
});

test('claims the only job of an account before the second job of another one', async () => {
  const many = await makeUser(ctx.db);
  const one = await makeUser(ctx.db);
  await makeJobs(many, 10);
  await makeJobs(one, 1);
  expect((await startOrder(2)).sort()).toEqual([many.accountId, one.accountId].sort());
});

test('between two starts of an account, starts a job of every other waiting account with equal weight', async () => {
  const users = await Promise.all([1, 2, 3, 4].map(() => makeUser(ctx.db)));
  for (const user of users) await makeJobs(user, 5);
  const order = await startOrder();
  expect(order).toHaveLength(20);
  expect(findSkipped(order, users, 5)).toEqual([]);
});

test('keeps the turns when the account that started last has the oldest job', async () => {
  const [late, early] = [await makeUser(ctx.db), await makeUser(ctx.db)];
  await makeJobs(late, 1);
  await makeJobs(early, 5);
  await makeJobs(late, 4);
  const order = await startOrder();
  expect(findSkipped(order, [late, early], 5)).toEqual([]);
});

test('keeps the turns when 8 workers claim concurrently', async () => {
  const users = await Promise.all([1, 2, 3, 4].map(() => makeUser(ctx.db)));
  for (const user of users) await makeJobs(user, 5);
  await Promise.all(Array.from({ length: 8 }, () => startOrder()));
  // Claims are serialized, so the update times are in their order.
  const started = await ctx.db.selectFrom('jobs').select('accountId').orderBy('updatedAt').execute();
  expect(started).toHaveLength(20);
  expect(
    findSkipped(
      started.map((job) => job.accountId ?? ''),
      users,
      5,
    ),
  ).toEqual([]);
});

test('starts 4 jobs of a plan with weight 4 for each job of a plan with weight 1', async () => {
  const free = await makeUser(ctx.db, 'free');
  const pro = await makeUser(ctx.db, 'pro');
  await makeJobs(free, 12);
  await makeJobs(pro, 32);
  const order = await startOrder(40);
  expect(order.filter((id) => id === pro.accountId)).toHaveLength(32);
  for (let at = 0; at + 5 <= 40; at += 5)
    expect(
      order.slice(at, at + 5).filter((id) => id === free.accountId),
      `starts ${at} to ${at + 4}`,
    ).toHaveLength(1);
});

test('starts each plan after at most 20 other starts, with shares close to the weights', async () => {
  const accounts = await Promise.all(tiers.map(async (tier) => ({ tier, ...(await makeUser(ctx.db, tier)) })));
  await Promise.all(accounts.map((account) => makeJobs(account, account.tier === 'free' ? 8 : 80)));
  const order = await startOrder();
  const lasts = accounts.map(({ accountId }) => order.lastIndexOf(accountId));
  const shared = order.slice(0, Math.min(...lasts) + 1);
  const weights = tiers.reduce((sum, tier) => sum + currentPlans[tier].queueWeight, 0);
  for (const { accountId, tier } of accounts) {
    const starts = shared.flatMap((id, at) => (id === accountId ? [at] : []));
    const gaps = starts.map((at, index) => at - (starts[index - 1] ?? -1) - 1);
    expect(Math.max(...gaps), tier).toBeLessThanOrEqual(20);
    // Count from start to start, because the first start of each account is early.
    const share =
      (starts.length - 1) / ((starts.at(-1) ?? 0) - (starts[0] ?? 0)) / (currentPlans[tier].queueWeight / weights);
    expect(Math.abs(share - 1), tier).toBeLessThanOrEqual(0.25);
  }
});

test('lets a new account take turns with an old one without catching up', async () => {
  const old = await makeUser(ctx.db);
  await makeJobs(old, 15);
  await startOrder(10);
  const newcomer = await makeUser(ctx.db);
  await makeJobs(newcomer, 5);
  const order = await startOrder();
  expect(findSkipped(order, [old, newcomer], 5)).toEqual([]);
});

test('does not delay an old account behind one that joined while the queue was empty', async () => {
  const old = await makeUser(ctx.db);
  await makeJobs(old, 10);
  for (let claim = await claimNextJob(ctx, claimer); claim; claim = await claimNextJob(ctx, claimer))
    await deliverJob(ctx, claim.job);
  const newcomer = await makeUser(ctx.db);
  await makeJobs(newcomer, 8);
  await makeJobs(old, 2);
  const order = await startOrder(5);
  expect(order.filter((id) => id === old.accountId)).toHaveLength(2);
});

test('does not let an account catch up after one long job', async () => {
  const long = await makeUser(ctx.db);
  await makeJobs(long, 1);
  await startOrder(1);
  const steady = await makeUser(ctx.db);
  await makeJobs(steady, 16);
  await startOrder(10);
  await makeJobs(long, 6);
  const order = await startOrder();
  expect(findSkipped(order, [long, steady], 6)).toEqual([]);
});

test('does not let an account catch up after a delayed retry', async () => {
  const retrying = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, retrying);
  await ctx.db
    .updateTable('jobs')
    .set({ notBefore: afterSeconds(3_600) })
    .where('id', '=', job.id)
    .execute();
  const steady = await makeUser(ctx.db);
  await makeJobs(steady, 16);
  await startOrder(10);
  await makeJobs(retrying, 6);
  const order = await startOrder();
  expect(findSkipped(order, [retrying, steady], 6)).toEqual([]);
});

describe('previews of visitors', () => {
  /** So long that the milliseconds in which a test completes a job don't count. */
  const long = { seconds: 60 };
  /** Creates waiting previews of visitors. */
  const makePreviews = async (count: number) => {
    const { job } = await makeJob(ctx, await makeUser(ctx.db), long);
    await ctx.db.deleteFrom('jobs').where('id', '=', job.id).execute();
    for (let n = 0; n < count; n++) {
      const upload = await insertUpload(ctx, null);
      const stored = await ctx.storage.put(upload.key, Readable.from([Buffer.from('a patch')]));
      const source = { id: upload.id, ...stored, inspection: job.plan.source };
      await createImagePreview(ctx, { accountId: null, recipe: job.recipe, plan: job.plan, source });
    }
  };
  const visitors: Actor = { accountId: '', plan: currentPlans.free };

  test('take turns with accounts like one account', async () => {
    const users = await Promise.all([1, 2, 3].map(() => makeUser(ctx.db)));
    for (const user of users) await makeJobs(user, 5, long);
    await makePreviews(5);
    const order = await startOrder();
    expect(order).toHaveLength(20);
    expect(findSkipped(order, [...users, visitors], 5)).toEqual([]);
  });

  test('neither catch up after a pause nor are delayed', async () => {
    const busy = await makeUser(ctx.db);
    await makeJobs(busy, 20, long);
    await makePreviews(1);
    await startOrder(13);
    await makePreviews(4);
    const order = await startOrder();
    expect(order).toHaveLength(12);
    expect(findSkipped(order, [busy, visitors], 4)).toEqual([]);
  });

  test.each([
    ['', {}],
    [' while an engine is paused', { pausedEngines: ['art' as const] }],
  ])('start one at a time, by 8 workers%s', async (_, settings) => {
    await upsertSettings(ctx.db, 'jobs', settings);
    await makePreviews(4);
    await makeJobs(await makeUser(ctx.db), 2, long);
    const claimAll = async () => {
      const claims = await Promise.all(Array.from({ length: 8 }, () => claimNextJob(ctx, claimer)));
      return claims.flatMap((claim) => claim?.job ?? []);
    };
    let running = await claimAll();
    expect(running.map(({ accountId }) => accountId === null).sort()).toEqual([false, false, true]);
    const ends: ((job: JobRow) => Promise<unknown>)[] = [
      completeInTime,
      ({ id, attempt: n }) => failJob(ctx, { jobId: id, attempt: n, code: 'corrupt_image', retryBaseS: 0 }),
      ({ id }) => cancelPreview(ctx, id),
      ({ id, attempt: n }) => returnJob(ctx, { jobId: id, attempt: n, delayS: 0 }),
    ];
    for (const end of ends) {
      for (const job of running) if (job.accountId === null) await end(job);
      running = await claimAll();
      expect(running.map(({ accountId }) => accountId)).toEqual([null]);
    }
    await ctx.db.deleteFrom('settings').execute();
  });
});

test('the predicted order equals the order of claims', async () => {
  const [first, second] = [await makeUser(ctx.db), await makeUser(ctx.db, 'pro')];
  await makeJobs(first, 9);
  await startOrder(2);
  await makeJobs(second, 12);
  const order = orderQueue(await readQueue(ctx.db, 1_000));
  const told = [...order].toSorted(([, a], [, b]) => a - b).map(([id]) => id);
  const started: string[] = [];
  for (let claim = await claimNextJob(ctx, claimer); claim; claim = await claimNextJob(ctx, claimer))
    started.push(claim.job.id);
  expect(told).toEqual(started);
});
