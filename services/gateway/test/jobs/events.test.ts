import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { renewLease } from '@uprez/domain/jobs/attempts/claim-next-job';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { countWatchers } from '@uprez/testing/redis';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimJob, finishJob } from '../support/finish-job.ts';
import { type OpenEvents, openEvents } from '../support/open-events.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

let opened: OpenEvents[];
// Not shared: it replaces the timers of the process.
const gateway = fileFixture(() => startTestGateway());
const user = testFixture(() => gateway.signUp());
beforeEach(async () => {
  opened = [];
});
afterEach(() => {
  for (const stream of opened) stream.close();
  vi.useRealTimers();
});

const open = async (headers: Record<string, string> = {}, by = user) => {
  const stream = await openEvents({ url: gateway.url, fetch: by.fetch }, headers);
  opened.push(stream);
  return stream;
};
const newJob = async (owner = user) =>
  (await makeJob(gateway.ctx, { accountId: owner.user.id, plan: currentPlans.free })).job.id;
const updatedUs = async (id: string) => {
  const row = await gateway.ctx.db
    .selectFrom('jobs')
    .select('updatedAt')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.updatedAt.getTime() * 1_000;
};
const watchers = () => countWatchers(gateway.ctx, user.user.id);

describe('an event stream', () => {
  it('has the content type of an event stream and is not cached or buffered', async () => {
    const { response } = await open();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toMatch(/no-cache|no-store/);
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  it('starts with unfinished and recently changed jobs', async () => {
    const [queued, done] = [await newJob(), await newJob()];
    await finishJob(gateway.ctx, done);
    const stream = await open();
    await waitUntil(() => stream.events.length === 2);
    const states = Object.fromEntries(stream.events.map(({ job }) => [job.id, job.status]));
    // Claiming until the second job is reached claims the first one, too.
    expect(states).toEqual({ [queued]: 'processing', [done]: 'completed' });
    expect(stream.events.map(({ event }) => event)).toEqual(['job', 'job']);
  });

  it('sends each change with its time in microseconds as the event ID', async () => {
    const stream = await open();
    const id = await newJob();
    const queued = await stream.find(({ job }) => job.id === id);
    expect(queued.id).toMatch(/^\d{16}$/);
    expect(Math.abs(Number(queued.id) - (await updatedUs(id)))).toBeLessThan(1_000);
    await finishJob(gateway.ctx, id);
    const done = await stream.find(({ job }) => job.status === 'completed');
    expect(Number(done.id)).toBeGreaterThan(Number(queued.id));
    expect(done.job).toMatchObject({ id, progress: 100, downloadUrl: expect.stringContaining(`/api/files/${id}/`) });
  });

  it('never sends an older state after a newer one', async () => {
    const stream = await open();
    const id = await newJob();
    const attempt = await claimJob(gateway.ctx, id);
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => renewLease(gateway.ctx, { jobId: id, attempt, leaseS: 60, progress: i })),
    );
    await renewLease(gateway.ctx, { jobId: id, attempt, leaseS: 60, progress: 99 });
    await stream.find(({ job }) => job.progress === 99);
    const ids = stream.events.map((event) => Number(event.id));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(stream.events.at(-1)?.job.progress).toBe(99);
  });

  it('resumes after the Last-Event-ID', async () => {
    const old = await newJob();
    await finishJob(gateway.ctx, old);
    await gateway.ctx.db
      .updateTable('jobs')
      .set({ updatedAt: new Date(Date.now() - 60_000) })
      .where('id', '=', old)
      .execute();
    const seen = Date.now() * 1_000;
    const missed = await newJob();
    await finishJob(gateway.ctx, missed);
    const stream = await open({ 'last-event-id': String(seen) });
    await stream.find(({ job }) => job.id === missed && job.status === 'completed');
    expect(stream.events.map(({ job }) => job.id)).toEqual([missed]);
    const more = await open({ 'last-event-id': String(seen - 120_000_000) });
    await waitUntil(() => more.events.length === 2);
    expect(more.events.map(({ job }) => job.id)).toEqual([old, missed]);
  });

  it.each(['', 'nonsense', '-1', '1e300', '9'.repeat(40), 'Infinity'])(
    'ignores the invalid Last-Event-ID %j',
    async (lastEventId) => {
      const id = await newJob();
      const stream = await open({ 'last-event-id': lastEventId });
      expect(stream.response.status).toBe(200);
      expect((await stream.find(({ job }) => job.id === id)).job.status).toBe('queued');
    },
  );

  it('omits jobs of other accounts', async () => {
    const other = await gateway.signUp();
    const foreign = await newJob(other);
    const stream = await open();
    const theirs = await open({}, other);
    await finishJob(gateway.ctx, foreign);
    await theirs.find(({ job }) => job.status === 'completed');
    const own = await newJob();
    await stream.find(({ job }) => job.id === own);
    expect(stream.events.map(({ job }) => job.id)).toEqual([own]);
  });

  it('serves two streams of one account', async () => {
    const [first, second] = [await open(), await open()];
    const id = await newJob();
    for (const stream of [first, second]) await stream.find(({ job }) => job.id === id);
    first.close();
    await finishJob(gateway.ctx, id);
    await second.find(({ job }) => job.status === 'completed');
  });

  it('returns 401 without a session', async () => {
    const response = await fetch(`${gateway.url}/api/events`, { headers: { accept: 'text/event-stream' } });
    expect(response.status).toBe(401);
    expect(await response.text()).toContain('Unauthorized');
  });

  it('ends without further events when its session ends', async () => {
    const stream = await open();
    await waitUntil(async () => (await watchers()) === 1);
    await user.client.logout();
    await newJob();
    await waitUntil(() => stream.ended());
    expect(stream.events).toEqual([]);
  });

  it('subscribes in Redis once per account while a stream is open', async () => {
    expect(await watchers()).toBe(0);
    const [first, second] = [await open(), await open()];
    await waitUntil(async () => (await watchers()) === 1);
    first.close();
    second.close();
    await waitUntil(async () => (await watchers()) === 0);
  });

  it('sends a heartbeat every 15 s', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const gone = new AbortController();
    const response = await user.fetch(`${gateway.url}/api/events`, { signal: gone.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    vi.advanceTimersByTime(15_000);
    expect((await reader?.read())?.value).toBe(': heartbeat\n\n');
    gone.abort();
  });
});

it('closing a gateway ends its event streams immediately', async () => {
  const closing = await startTestGateway();
  const account = await closing.signUp();
  const streams = await Promise.all([1, 2, 3].map(() => openEvents({ url: closing.url, fetch: account.fetch })));
  await closing.close();
  await waitUntil(() => streams.every((stream) => stream.ended()));
});
