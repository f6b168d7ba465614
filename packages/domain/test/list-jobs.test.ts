import { listJobs } from '@uprez/domain/jobs/get-job';
import { deliverJob } from '@uprez/testing/deliver-job';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimNextJob } from '../src/jobs/attempts/claim-next-job.ts';
import { listChangedJobs } from '../src/jobs/get-job.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
});
afterAll(() => ctx.close());

async function makeJobs(count: number) {
  const actor = await makeUser(ctx.db);
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await makeJob(ctx, actor)).job.id);
  return { actor, newestFirst: ids.toReversed() };
}

test('pages contain each job once, newest first', async () => {
  const { actor, newestFirst } = await makeJobs(7);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listJobs(ctx, { actor, limit: 3, cursor });
    expect(page.total).toBe(7);
    seen.push(...page.jobs.map(({ job }) => job.id));
    cursor = page.nextCursor;
  } while (cursor);
  expect(seen).toEqual(newestFirst);
});

test('a full last page has no cursor', async () => {
  const { actor } = await makeJobs(3);
  expect((await listJobs(ctx, { actor, limit: 3 })).nextCursor).toBeUndefined();
});

test('a search matches part of the file name, ignoring case and without wildcards', async () => {
  const { actor, newestFirst } = await makeJobs(3);
  for (const [index, filename] of ['Harbor 100%.png', 'harbor_2.png', 'Cat.png'].entries())
    await ctx.db
      .updateTable('jobs')
      .set({ filename })
      .where('id', '=', newestFirst[index] ?? '')
      .execute();
  const find = async (search: string) => {
    const { jobs, total } = await listJobs(ctx, { actor, search });
    expect(total).toBe(jobs.length);
    return jobs.map(({ job }) => job.filename);
  };
  expect(await find('HARBOR')).toEqual(['Harbor 100%.png', 'harbor_2.png']);
  expect(await find('0%')).toEqual(['Harbor 100%.png']);
  expect(await find('r_2')).toEqual(['harbor_2.png']);
  expect(await find('dog')).toEqual([]);
});

test('a status filters the list and its total, without jobs of other accounts', async () => {
  const { actor } = await makeJobs(2);
  const done = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, done);
  await ctx.db
    .updateTable('jobs')
    .set({ notBefore: sql<Date>`now() + interval '1 hour'` })
    .where('id', '<>', job.id)
    .execute();
  await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  await deliverJob(ctx, { id: job.id, attempt: 1 });
  expect(await listJobs(ctx, { actor: done, status: 'queued' })).toMatchObject({ jobs: [], total: 0 });
  const [found] = (await listJobs(ctx, { actor: done, status: 'completed' })).jobs;
  expect(found).toMatchObject({ job: { id: job.id }, result: { kind: 'result' }, thumbnail: { kind: 'thumbnail' } });
  expect((await listJobs(ctx, { actor })).total).toBe(2);
});

test.each([{ limit: 0 }, { limit: 101 }, { cursor: 'x' }, { cursor: '-'.repeat(36) }, { cursor: `${'0'.repeat(36)}` }])(
  '%j returns invalid_parameter',
  async (filter) => {
    const actor = await makeUser(ctx.db);
    await expect(listJobs(ctx, { actor, ...filter })).rejects.toMatchObject({ code: 'invalid_parameter' });
  },
);

test('resuming a stream returns unfinished jobs and changes since the last event', async () => {
  const actor = await makeUser(ctx.db);
  const finish = async () => {
    const { job } = await makeJob(ctx, actor);
    for (let claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 }); claim?.job.id !== job.id; )
      claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
    await deliverJob(ctx, { id: job.id, attempt: 1 });
    return job.id;
  };
  const old = await finish();
  await ctx.db
    .updateTable('jobs')
    .set({ updatedAt: sql<Date>`now() - interval '1 hour'` })
    .where('id', '=', old)
    .execute();
  const recent = await finish();
  const { job: waiting } = await makeJob(ctx, actor);
  const idsSince = async (us: number | undefined) => {
    const ids: string[] = [];
    for await (const page of listChangedJobs(ctx, { actor, lastEventUs: us }))
      ids.push(...page.map(({ job }) => job.id));
    return ids;
  };
  expect(await idsSince(undefined)).toEqual([recent, waiting.id]);
  expect(await idsSince(waiting.updatedUs)).toEqual([recent, waiting.id]);
  expect(await idsSince(waiting.updatedUs + 60_000_000)).toEqual([waiting.id]);
  expect(await idsSince(waiting.updatedUs - 7_200_000_000)).toEqual([old, recent, waiting.id]);
});
