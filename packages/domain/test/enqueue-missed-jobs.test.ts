import { Readable } from 'node:stream';
import { openConsumer } from '@uprez/queue/open-queue';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { openRedisProbe, type RedisProbe } from '@uprez/testing/redis';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { cancelPreview, createImagePreview } from '../src/intake/make-preview.ts';
import { claimNextJob } from '../src/jobs/attempts/claim-next-job.ts';
import { failExpiredLeases, failJob } from '../src/jobs/attempts/fail-job.ts';
import { type JobWithFiles, listChangedJobs } from '../src/jobs/get-job.ts';
import { enqueueMissedJobs, wakeNextPreview } from '../src/jobs/wake-workers.ts';
import { insertUpload } from '../src/uploads/begin-upload.ts';

let ctx: TestContext;
let redis: RedisProbe;
beforeAll(async () => {
  ctx = await openTestContext();
  redis = openRedisProbe(ctx.redis);
  await ctx.queue.keepsEpoch();
});
afterEach(async () => {
  await ctx.db.deleteFrom('jobs').where('accountId', 'is', null).execute();
  await ctx.db.deleteFrom('users').execute();
  await redis.empty();
  await ctx.queue.keepsEpoch();
});
afterAll(async () => {
  redis.close();
  await ctx.close();
});

const messages = async () => [...(await redis.waiting()), ...(await redis.delayed())];
const age = (column: 'enqueuedAt' | 'updatedAt', seconds: number) =>
  ctx.db
    .updateTable('jobs')
    .set({ [column]: sql<Date>`now() - make_interval(secs => ${seconds})` })
    .execute();
const times = { freshS: 5, staleS: 60 };
const nobody = { ...times, freshS: 3_600 };
const down = { wake: () => Promise.reject(new Error('Redis cannot be reached.')) };

test('a new job is enqueued in Redis when it is created', async () => {
  const { job, woken } = await makeJob(ctx, await makeUser(ctx.db));
  expect(woken).toBe(true);
  expect(await messages()).toEqual([`${job.id}-1`]);
});

test('a job is created while Redis is unavailable, and enqueued later', async () => {
  const { job, woken } = await makeJob({ ...ctx, queue: down as never }, await makeUser(ctx.db));
  expect(woken).toBe(false);
  expect(await messages()).toEqual([]);
  expect(await enqueueMissedJobs(ctx, nobody)).toBe(0);
  await age('updatedAt', 6);
  expect(await enqueueMissedJobs(ctx, times)).toBe(1);
  expect(await messages()).toEqual([`${job.id}-1`]);
});

test('jobs of a gateway that crashed between commit and enqueue are enqueued', async () => {
  const users = await Promise.all(Array.from({ length: 20 }, () => makeUser(ctx.db)));
  let died = 0;
  const dying = {
    wake: () => {
      died += 1;
      return new Promise<never>(() => {});
    },
  };
  for (const user of users) void makeJob({ ...ctx, queue: dying as never }, user);
  await waitUntil(() => died === users.length);
  await age('updatedAt', 6);
  expect(await enqueueMissedJobs(ctx, times)).toBe(20);
  expect(await messages()).toHaveLength(20);
  expect(await enqueueMissedJobs(ctx, times)).toBe(0);
});

test('a job with an old message is enqueued again, which changes nothing if Redis still has it', async () => {
  const { job } = await makeJob(ctx, await makeUser(ctx.db));
  await age('enqueuedAt', 61);
  expect(await enqueueMissedJobs(ctx, times)).toBe(1);
  expect(await messages()).toEqual([`${job.id}-1`]);
  expect(await enqueueMissedJobs(ctx, times)).toBe(0);
});

test('all queued jobs are enqueued immediately after Redis lost its data', async () => {
  const actor = await makeUser(ctx.db);
  const created = await Promise.all(Array.from({ length: 10 }, () => makeJob(ctx, actor)));
  await redis.empty();
  expect(await enqueueMissedJobs(ctx, times)).toBe(10);
  expect((await messages()).toSorted()).toEqual(created.map(({ job }) => `${job.id}-1`).toSorted());
  expect(await enqueueMissedJobs(ctx, times)).toBe(0);
});

test('enqueuing all jobs does not change the times that event streams are sorted by', async () => {
  const actor = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, actor);
  await redis.empty();
  await enqueueMissedJobs(ctx, times);
  const { value } = await listChangedJobs(ctx, { actor, lastEventUs: undefined }).next();
  const [seen] = (value ?? []) as JobWithFiles[];
  expect(seen?.job).toMatchObject({ id: job.id, version: job.version, updatedUs: job.updatedUs });
});

test('a retry delay is stored in Redis, also after it is enqueued again', async () => {
  const { job } = await makeJob(ctx, await makeUser(ctx.db));
  await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  await redis.empty();
  await ctx.queue.keepsEpoch();
  await failJob(ctx, { jobId: job.id, attempt: 1, code: 'processing_crashed', retryBaseS: 100 });
  expect(await redis.delayed()).toEqual([`${job.id}-2`]);
  await redis.empty();
  await enqueueMissedJobs(ctx, times);
  expect(await redis.delayed()).toEqual([`${job.id}-2`]);
});

test('a failed enqueue does not count, and the next sweep repeats it', async () => {
  await makeJob({ ...ctx, queue: down as never }, await makeUser(ctx.db));
  await age('updatedAt', 6);
  const away = { wake: down.wake, keepsEpoch: () => Promise.resolve(true) };
  expect(await enqueueMissedJobs({ ...ctx, queue: away }, times)).toBe(0);
  expect(await enqueueMissedJobs(ctx, times)).toBe(1);
});

test('jobs beyond the limit of a sweep are enqueued by the next ones', async () => {
  const actor = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, actor);
  await sql`insert into jobs (id, account_id, status, recipe, plan, filename, source_bytes, source_id)
    select gen_random_uuid(), account_id, 'queued', recipe, plan, filename, source_bytes, source_id
    from jobs, generate_series(1, 600) where id = ${job.id}`.execute(ctx.db);
  await age('updatedAt', 6);
  await age('enqueuedAt', 61);
  expect(await enqueueMissedJobs(ctx, times)).toBe(500);
  expect(await enqueueMissedJobs(ctx, times)).toBe(101);
  expect(await messages()).toHaveLength(601);
});

const makePreviews = async () => {
  const { job } = await makeJob(ctx, await makeUser(ctx.db));
  await ctx.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', job.id).execute();
  const preview = async () => {
    const upload = await insertUpload(ctx, null);
    const stored = await ctx.storage.put(upload.key, Readable.from([Buffer.from('a patch')]));
    const source = { id: upload.id, ...stored, inspection: job.plan.source };
    return createImagePreview(ctx, { accountId: null, recipe: job.recipe, plan: job.plan, source });
  };
  return [await preview(), await preview()] as const;
};

test('the next preview of a visitor is enqueued again when the one before it has ended', async () => {
  const [first, next] = await makePreviews();
  await cancelPreview(ctx, first.id);
  await redis.empty();
  await wakeNextPreview(ctx);
  expect(await messages()).toEqual([`${next.id}-1`]);
});

test.each([
  ['its client disconnects', (id: string) => cancelPreview(ctx, id)],
  ['its lease expires', () => failExpiredLeases(ctx, 60)],
])(
  'the next preview of a visitor is enqueued again when the worker of the one before it is lost and %s',
  async (_when, end) => {
    const [first, next] = await makePreviews();
    expect((await claimNextJob(ctx, { workerId: 'lost', leaseS: -1 }))?.job.id).toBe(first.id);
    await redis.empty();
    await end(first.id);
    expect(await messages()).toContain(`${next.id}-1`);
    expect((await claimNextJob(ctx, { workerId: 'other', leaseS: 30 }))?.job.id).toBe(next.id);
  },
);

test('duplicate messages start a job once', async () => {
  const { job } = await makeJob(ctx, await makeUser(ctx.db));
  const starts: string[] = [];
  let handled = 0;
  const consumer = openConsumer({
    ...ctx.redis,
    concurrency: 4,
    handle: async () => {
      const claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
      if (claim) starts.push(claim.job.id);
      handled += 1;
    },
  });
  await waitUntil(() => handled === 1);
  for (let duplicate = 2; duplicate <= 6; duplicate += 1)
    await ctx.queue.wake([{ jobId: job.id, nextAttempt: duplicate }]);
  await waitUntil(() => handled === 6);
  await consumer.close();
  expect(starts).toEqual([job.id]);
});
