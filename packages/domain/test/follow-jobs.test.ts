import type { JobChanged } from '@uprez/contracts/schemas/job-messages';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimNextJob } from '../src/jobs/attempts/claim-next-job.ts';
import type { JobWithFiles } from '../src/jobs/get-job.ts';
import { openJobFollower } from '../src/waiting/follow-jobs.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
});
afterAll(() => ctx.close());

/** Opens a follower whose queries are counted and whose messages come from the test. */
function openCounted() {
  let queries = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      queries += 1;
      return result;
    },
  };
  const listeners = new Set<(change: JobChanged) => void>();
  const follower = openJobFollower({
    db: ctx.db.withPlugin(plugin),
    queueOrder: { find: async () => 0 },
    subscriber: {
      subscribe: (_account, listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  });
  return {
    ...follower,
    queries: () => queries,
    subscriptions: () => listeners.size,
    announce: (jobId: string) => {
      for (const listener of listeners) listener({ jobId } as JobChanged);
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
