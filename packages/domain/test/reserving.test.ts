import { randomUUID } from 'node:crypto';
import type { Mail } from '@uprez/contracts/schemas/mails';
import { openDb } from '@uprez/db/open-db';
import { listAllowanceErrors } from '@uprez/db/queries/usage/ledger';
import type { Actor } from '@uprez/domain/actor';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { listLedger, readQuota } from '@uprez/domain/usage/read-quota';
import { releaseUnits } from '@uprez/domain/usage/release-units';
import { type ReservationRequest, reserveUnits } from '@uprez/domain/usage/reserve-units';
import { deliverJob } from '@uprez/testing/deliver-job';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { claimNextJob } from '../src/jobs/attempts/claim-next-job.ts';

let ctx: TestContext;
/** A pool of another process on the same database. */
let other: ReturnType<typeof openDb>;
beforeAll(async () => {
  ctx = await openTestContext();
  other = openDb({ url: ctx.databaseUrl, poolSize: 10, onError: () => {} });
});
afterAll(async () => {
  await other.close();
  await ctx.close();
});

type Meter = 'ai' | 'standard';
const request = (count: number, meter: Meter = 'ai') =>
  Array.from({ length: count }, () => ({ id: randomUUID(), meter, reason: 'Reserved for one image' }));
const reserve = ({ accountId }: Actor, jobs: ReservationRequest['jobs'], acceptPartial?: boolean) =>
  ctx.db.transaction().execute((tx) => reserveUnits(tx, { accountId, jobs, acceptPartial }));
const left = async (actor: Actor, meter: Meter = 'ai') =>
  (await readQuota(ctx, { actor })).meters.find((quota) => quota.meter === meter)?.left;
const codeOf = (error: unknown) => (error as { code?: string }).code;
const mails = async ({ accountId }: Actor) =>
  (await ctx.db.selectFrom('outbox').select('payload').where('userId', '=', accountId).orderBy('id').execute()).map(
    ({ payload }) => payload as Mail,
  );

describe('200 concurrent jobs in two processes', () => {
  it('take the remaining 10 units and no more', async () => {
    const actor = await makeUser(ctx.db);
    await reserve(actor, request(90, 'standard'));
    let lowest = 100;
    const watching = new AbortController();
    const watched = (async () => {
      while (!watching.signal.aborted) lowest = Math.min(lowest, (await left(actor, 'standard')) ?? 0);
    })();
    // As many at once as both pools have connections: on a busy machine, more would wait for one too long.
    const limit = pLimit(20);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, i) => limit(() => makeJob(i % 2 ? ctx : { ...ctx, db: other.db }, actor))),
    );
    watching.abort();
    await watched;
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => codeOf(reason));
    expect(refused).toEqual(Array(190).fill('quota_exceeded'));
    expect(lowest).toBe(0);
    expect(
      await ctx.db.selectFrom('jobs').select('id').where('accountId', '=', actor.accountId).execute(),
    ).toHaveLength(10);
    const errors = (await checkLedger(ctx)).errors.filter((error) => /^(job|allowance)/.test(error));
    expect(errors).toEqual([]);
  });

  it('open a period once', async () => {
    const actor = await makeUser(ctx.db);
    await Promise.all(Array.from({ length: 40 }, (_, i) => readQuota({ db: i % 2 ? ctx.db : other.db }, { actor })));
    const { rows } = await listLedger(ctx, { accountId: actor.accountId });
    expect(rows.map(({ kind, units }) => [kind, units]).toSorted()).toEqual([
      ['grant', 10],
      ['grant', 100],
    ]);
  });
});

describe('several units', () => {
  it('are reserved together or not at all', async () => {
    const actor = await makeUser(ctx.db);
    await expect(reserve(actor, request(50))).rejects.toMatchObject({
      code: 'quota_exceeded',
      meta: { meter: 'ai', have: 10, needs: 50, upgradeUrl: '/pricing' },
      message: expect.stringMatching(
        /^You have only 10 AI images left\. You need 50\. Your quota resets on [A-Z][a-z]{2} \d+, \d{4}\. /,
      ),
    });
    expect(await left(actor)).toBe(10);
    const jobs = request(10);
    expect(await reserve(actor, jobs)).toEqual({ reserved: jobs.map(({ id }) => id), refused: [] });
    expect(await left(actor)).toBe(0);
  });

  it('are reserved as far as available with acceptPartial', async () => {
    const actor = await makeUser(ctx.db);
    const jobs = request(50);
    const ids = jobs.map(({ id }) => id);
    expect(await reserve(actor, jobs, true)).toEqual({ reserved: ids.slice(0, 10), refused: ids.slice(10) });
    await expect(reserve(actor, request(2), true)).rejects.toMatchObject({ code: 'quota_exceeded', meta: { have: 0 } });
  });

  it('are reserved on two meters, of which one may run out', async () => {
    const actor = await makeUser(ctx.db);
    const [ai, standard] = [request(11), request(3, 'standard')];
    await expect(reserve(actor, [...standard, ...ai])).rejects.toMatchObject({
      meta: { meter: 'ai', have: 10, needs: 11 },
    });
    const partial = await reserve(actor, [...ai, ...standard], true);
    expect(partial.refused).toEqual([ai[10]?.id]);
    expect(partial.reserved).toHaveLength(13);
  });

  it('never exceed the available units in two processes', async () => {
    const actor = await makeUser(ctx.db);
    const batches = Array.from({ length: 8 }, (_, i) =>
      (i % 2 ? ctx.db : other.db)
        .transaction()
        .execute((tx) => reserveUnits(tx, { accountId: actor.accountId, jobs: request(4), acceptPartial: true })),
    );
    const taken = (await Promise.allSettled(batches)).flatMap((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value.reserved : [],
    );
    expect(taken).toHaveLength(10);
    expect(await left(actor)).toBe(0);
  });

  it('are released together once', async () => {
    const actor = await makeUser(ctx.db);
    const { reserved: ids } = await reserve(actor, request(6));
    const back = () =>
      ctx.db
        .transaction()
        .execute((tx) => releaseUnits(tx, { ...actor, ids, reason: 'Refunded: the job was canceled' }));
    await Promise.all([back(), back(), back()]);
    expect(await left(actor)).toBe(10);
  });
});

test('a released unit can be reserved again', async () => {
  const actor = await makeUser(ctx.db);
  await reserve(actor, request(99, 'standard'));
  const { job } = await makeJob(ctx, actor);
  await expect(makeJob(ctx, actor)).rejects.toMatchObject({ code: 'quota_exceeded' });
  await deleteJob(ctx, { actor, id: job.id });
  expect((await makeJob(ctx, actor)).job.status).toBe('queued');
});

test('a rejected job changes nothing', async () => {
  const actor = await makeUser(ctx.db);
  await reserve(actor, request(100, 'standard'));
  const before = await listLedger(ctx, { accountId: actor.accountId });
  await expect(makeJob(ctx, actor, { idempotencyKey: 'again' })).rejects.toMatchObject({ code: 'quota_exceeded' });
  expect(await listLedger(ctx, { accountId: actor.accountId })).toEqual(before);
  const jobs = await ctx.db.selectFrom('jobs').selectAll().where('accountId', '=', actor.accountId).execute();
  expect(jobs).toEqual([]);
});

test('every ledger row of a job has a reason', async () => {
  const actor = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, actor);
  for (let claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 }); claim?.job.id !== job.id; )
    claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  await deliverJob(ctx, { id: job.id, attempt: 1 });
  const { job: cancelled } = await makeJob(ctx, actor);
  await deleteJob(ctx, { actor, id: cancelled.id });
  const { rows } = await listLedger(ctx, { accountId: actor.accountId });
  expect(rows.map(({ units, reason }) => `${units} ${reason}`)).toEqual([
    '1 Refunded: the job was canceled',
    '-1 Reserved for one image of 16 x 16 pixels with standard',
    '0 Delivered',
    '-1 Reserved for one image of 16 x 16 pixels with standard',
    expect.stringMatching(/^100 Free plan, [A-Z][a-z]+ 20\d\d: 100 standard images$/),
    expect.stringMatching(/^10 Free plan, [A-Z][a-z]+ 20\d\d: 10 AI images$/),
  ]);
});

describe('quota warnings', () => {
  it('are sent once at 80% and once at 100%, even after releases', async () => {
    const actor = await makeUser(ctx.db);
    const { reserved: ids } = await reserve(actor, request(7));
    expect(await mails(actor)).toEqual([]);
    await reserve(actor, request(1));
    const told = { mail: 'quota_warning', meter: 'ai', included: 10, goesOn: false, resetsAt: expect.any(String) };
    expect(await mails(actor)).toEqual([{ ...told, share: 80, left: 2 }]);
    await ctx.db.transaction().execute((tx) => releaseUnits(tx, { ...actor, ids, reason: 'Refunded' }));
    await reserve(actor, request(8));
    expect(await mails(actor)).toHaveLength(1);
    await reserve(actor, request(1));
    await reserve(actor, request(3, 'standard'));
    expect(await mails(actor)).toEqual([
      { ...told, share: 80, left: 2 },
      { ...told, share: 100, left: 0 },
    ]);
  });

  it('are not sent to users who turned them off', async () => {
    const actor = await makeUser(ctx.db);
    await ctx.db.updateTable('users').set({ quotaEmails: false }).where('id', '=', actor.accountId).execute();
    await reserve(actor, request(10));
    expect(await mails(actor)).toEqual([]);
  });

  it('are sent only for 100% when one batch takes all units', async () => {
    const actor = await makeUser(ctx.db);
    await reserve(actor, request(10));
    expect((await mails(actor)).map((mail) => 'share' in mail && mail.share)).toEqual([100]);
  });

  it('are not sent after a rollback', async () => {
    const actor = await makeUser(ctx.db);
    const failing = ctx.db.transaction().execute(async (tx) => {
      await reserveUnits(tx, { accountId: actor.accountId, jobs: request(9) });
      throw new Error('the job could not be made');
    });
    await expect(failing).rejects.toThrow('could not be made');
    expect(await mails(actor)).toEqual([]);
    expect(await left(actor)).toBe(10);
  });
});

test('deleting an account deletes its ledger, which cannot be deleted otherwise', async () => {
  const actor = await makeUser(ctx.db);
  await reserve(actor, request(3));
  const own = () => ctx.db.selectFrom('ledger').select('id').where('accountId', '=', actor.accountId).execute();
  await expect(ctx.db.deleteFrom('ledger').where('accountId', '=', actor.accountId).execute()).rejects.toThrow(
    /only ever added/,
  );
  await expect(ctx.db.deleteFrom('allowances').where('accountId', '=', actor.accountId).execute()).rejects.toThrow(
    /only ever added/,
  );
  expect(await own()).toHaveLength(5);
  await ctx.db.deleteFrom('users').where('id', '=', actor.accountId).execute();
  expect(await own()).toEqual([]);
  expect((await listAllowanceErrors(ctx.db)).filter(({ subject }) => subject.startsWith('allowance'))).toEqual([]);
});
