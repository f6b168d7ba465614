import { limits } from '@uprez/contracts/policy/limits';
import { afterSeconds } from '@uprez/db/times';
import type { Actor } from '@uprez/domain/actor';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { deleteMarkedObjects } from '../src/uploads/delete-objects.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
});
afterEach(async () => {
  expect((await checkLedger(ctx)).errors).toEqual([]);
});
afterAll(() => ctx.close());

const jobsOf = (actor: Actor) =>
  ctx.db.selectFrom('jobs').selectAll().where('accountId', '=', actor.accountId).execute();
/** Returns the units taken by the jobs of an account, as a negative number. */
const balance = async (actor: Actor) => {
  const rows = await ctx.db
    .selectFrom('ledger')
    .select('units')
    .where('accountId', '=', actor.accountId)
    .where('jobId', 'is not', null)
    .execute();
  return rows.reduce((total, { units }) => total + units, 0);
};

test('20 concurrent calls with the same key create one job and return it', async () => {
  const actor = await makeUser(ctx.db);
  const created = await Promise.all(
    Array.from({ length: 20 }, () => makeJob(ctx, actor, { idempotencyKey: 'key', bytes: 'same' })),
  );
  expect(new Set(created.map(({ job }) => job.id)).size).toBe(1);
  expect(created.filter(({ joined }) => joined)).toHaveLength(19);
  expect(await jobsOf(actor)).toHaveLength(1);
  expect(await balance(actor)).toBe(-1);
});

test('the sweep deletes unused sources and keeps that of the job', async () => {
  const actor = await makeUser(ctx.db);
  for (let call = 0; call < 3; call += 1) await makeJob(ctx, actor, { idempotencyKey: 'key' });
  await ctx.db
    .updateTable('objects')
    .set({ createdAt: sql<Date>`now() - interval '2 hours'` })
    .where('accountId', '=', actor.accountId)
    .execute();
  await deleteMarkedObjects(ctx, 3_600);
  const left = await ctx.db.selectFrom('objects').selectAll().where('accountId', '=', actor.accountId).execute();
  expect(left.map(({ id }) => id)).toEqual((await jobsOf(actor)).map((job) => job.sourceId));
});

test('a later call returns the current state of the job', async () => {
  const actor = await makeUser(ctx.db);
  const first = await makeJob(ctx, actor, { idempotencyKey: 'key' });
  await deleteJob(ctx, { actor, id: first.job.id });
  const again = await makeJob(ctx, actor, { idempotencyKey: 'key' });
  expect(again).toMatchObject({ joined: true, job: { id: first.job.id, status: 'cancelled' } });
});

test.each([
  ['another image', { bytes: 'another' }],
  ['other options', { factor: 4 }],
])('a key used for %s returns idempotency_mismatch and changes nothing', async (_, change) => {
  const actor = await makeUser(ctx.db);
  await makeJob(ctx, actor, { idempotencyKey: 'key', bytes: 'an image' });
  const second = makeJob(ctx, actor, { idempotencyKey: 'key', bytes: 'an image', ...change });
  await expect(second).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  expect(await jobsOf(actor)).toHaveLength(1);
  expect(await balance(actor)).toBe(-1);
});

test('the same key of another account creates a separate job', async () => {
  const [one, other] = [await makeUser(ctx.db), await makeUser(ctx.db)];
  const first = await makeJob(ctx, one, { idempotencyKey: 'key' });
  const second = await makeJob(ctx, other, { idempotencyKey: 'key' });
  expect(second.joined).toBe(false);
  expect(second.job.id).not.toBe(first.job.id);
});

test('calls without a key create separate jobs', async () => {
  const actor = await makeUser(ctx.db);
  await Promise.all(Array.from({ length: 3 }, () => makeJob(ctx, actor)));
  expect(await jobsOf(actor)).toHaveLength(3);
});

test('a key expires after a day, and then creates one new job for concurrent calls', async () => {
  const actor = await makeUser(ctx.db);
  const first = await makeJob(ctx, actor, { idempotencyKey: 'key' });
  const keys = ctx.db.selectFrom('idempotencyKeys').where('accountId', '=', actor.accountId);
  const { life } = await keys
    .select(sql<number>`extract(epoch from expires_at - created_at)::double precision`.as('life'))
    .executeTakeFirstOrThrow();
  expect(life).toBe(limits.idempotencyHours * 3_600);
  await ctx.db
    .updateTable('idempotencyKeys')
    .set({ expiresAt: afterSeconds(-1) })
    .execute();
  const later = await Promise.all(
    Array.from({ length: 5 }, () => makeJob(ctx, actor, { idempotencyKey: 'key', bytes: 'other' })),
  );
  const ids = new Set(later.map(({ job }) => job.id));
  expect(ids.size).toBe(1);
  expect(ids).not.toContain(first.job.id);
  expect(await jobsOf(actor)).toHaveLength(2);
});

test('a job that failed to be created leaves its key unused', async () => {
  const actor = await makeUser(ctx.db);
  const crash = new Error('the connection broke');
  const failing = {
    ...ctx,
    db: ctx.db.withPlugin({
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes('Reserved for one image')) throw crash;
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  };
  await expect(makeJob(failing, actor, { idempotencyKey: 'key' })).rejects.toThrow(crash);
  expect(await jobsOf(actor)).toEqual([]);
  expect((await makeJob(ctx, actor, { idempotencyKey: 'key' })).joined).toBe(false);
});
