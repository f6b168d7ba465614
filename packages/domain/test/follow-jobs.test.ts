import type { JobChangedMessage } from '@uprez/contracts/schemas/jobs/job-messages';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimNextJob } from '../src/jobs/attempts/claim-next-job.ts';
import type { JobWithFiles } from '../src/jobs/get-job.ts';
import { openJobFollower } from '../src/waiting/follow-jobs.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
});
afterAll(() => ctx.close());

/** Opens a follower whose queries are counted or fail, and whose messages come from the test. */
function openCounted() {
  let queries = 0;
  let failures = 0;
  const warnings: string[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      queries += 1;
      if (failures === 0) return result;
      failures -= 1;
      throw new Error('connection lost');
    },
  };
  const listeners = new Set<(change: JobChangedMessage) => void>();
  let reportGap = (_sinceMs: number) => {};
  const follower = openJobFollower({
    db: ctx.db.withPlugin(plugin),
    queueOrder: { find: async () => ({ position: 0, waitSeconds: 0 }) },
    log: { ...ctx.log, warn: (_facts, message) => void warnings.push(message) },
    subscriber: {
      subscribe: (_account, listener, onGap) => {
        listeners.add(listener);
        reportGap = onGap ?? reportGap;
        return () => void listeners.delete(listener);
      },
    },
  });
  return {
    ...follower,
    queries: () => queries,
    warnings,
    failNextQuery: () => {
      failures = 1;
    },
    subscriptions: () => listeners.size,
    reportGap: () => reportGap(Date.now()),
    announce: (jobId: string) => {
      for (const listener of listeners) listener({ jobId } as JobChangedMessage);
    },
  };
}

async function countReads(followers: number): Promise<number> {
  const actor = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, actor);
  const feed = openCounted();
  const clients = Array.from({ length: followers }, () => new AbortController());
  const streams = await Promise.all(
    clients.map(({ signal }) => feed.follow({ actor, lastEventUs: undefined, signal })),
  );
  const next = async () => {
    const states = await Promise.all(streams.map((stream) => stream.next()));
    return new Set(states.map(({ value }) => (value as JobWithFiles).job.status));
  };
  expect(await next()).toEqual(new Set(['queued']));
  expect(feed.subscriptions()).toBe(1);
  const before = feed.queries();
  await claimNextJob(ctx, { workerId: 'test', leaseS: 60 });
  const changed = next();
  feed.announce(job.id);
  expect(await changed).toEqual(new Set(['processing']));
  const reads = feed.queries() - before;
  for (const client of clients) client.abort();
  await Promise.all(streams.map((stream) => stream.next()));
  expect(feed.subscriptions()).toBe(0);
  return reads;
}

it('reads a changed job once for all followers of its account', async () => {
  const alone = await countReads(1);
  expect(alone).toBeGreaterThan(0);
  expect(await countReads(50)).toBe(alone);
});

/** Adds ended jobs like the given one, each changed a millisecond after the one before. */
const addChangedJobs = (jobId: string, count: number) =>
  sql`insert into jobs select (jsonb_populate_record(job, jsonb_build_object(
      'id', gen_random_uuid(), 'status', 'cancelled', 'source_id', null,
      'updated_at', now() + n * interval '1 millisecond'))).*
    from jobs job, generate_series(1, ${count}) n where job.id = ${jobId}`.execute(ctx.db);

it('yields all changed jobs after a long absence, the oldest change first', async () => {
  const actor = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, actor);
  await addChangedJobs(job.id, 2_100);
  const client = new AbortController();
  const stream = await openCounted().follow({ actor, lastEventUs: undefined, signal: client.signal });
  const seenUs: number[] = [];
  for await (const found of stream) {
    seenUs.push(found.job.updatedUs);
    if (seenUs.length === 2_101) client.abort();
  }
  expect(seenUs).toHaveLength(2_101);
  expect(seenUs).toEqual(seenUs.toSorted((a, b) => a - b));
});

it('yields jobs that changed while messages were lost, also if the first read of them fails', async () => {
  const actor = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, actor);
  const feed = openCounted();
  const client = new AbortController();
  const stream = await feed.follow({ actor, lastEventUs: undefined, signal: client.signal });
  await stream.next();
  const changes = { status: 'cancelled' as const, updatedAt: sql<Date>`clock_timestamp()` };
  await ctx.db.updateTable('jobs').set(changes).where('id', '=', job.id).execute();
  const next = stream.next();
  feed.failNextQuery();
  feed.reportGap();
  expect((await next).value).toMatchObject({ job: { id: job.id, status: 'cancelled' } });
  expect(feed.warnings).toHaveLength(1);
  client.abort();
  expect((await stream.next()).done).toBe(true);
});

it('keeps the streams of an account open when reading a changed job fails, and reads it again', async () => {
  const actor = await makeUser(ctx.db);
  const [{ job }, { job: deleted }] = [await makeJob(ctx, actor), await makeJob(ctx, actor)];
  const feed = openCounted();
  const client = new AbortController();
  const stream = await feed.follow({ actor, lastEventUs: undefined, signal: client.signal });
  await Promise.all([stream.next(), stream.next()]);
  await ctx.db.deleteFrom('jobs').where('id', '=', deleted.id).execute();
  feed.announce(deleted.id);
  await ctx.db
    .updateTable('jobs')
    .set({ status: 'cancelled', updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', job.id)
    .execute();
  feed.failNextQuery();
  const next = stream.next();
  feed.announce(job.id);
  const { value } = await next;
  expect(value).toMatchObject({ job: { id: job.id, status: 'cancelled' } });
  expect(feed.warnings).toEqual(['reading a changed job failed, will retry']);
  client.abort();
  expect((await stream.next()).done).toBe(true);
});
