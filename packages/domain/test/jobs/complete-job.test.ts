import { Readable } from 'node:stream';
import { freeNotes } from '@uprez/contracts/policy/free-jobs';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { findJob } from '@uprez/db/queries/jobs/jobs';
import { lockRepeatedJobs } from '@uprez/db/queries/jobs/repeats';
import { readVirtualTimes } from '@uprez/db/queries/jobs/virtual-times';
import { countLockWaiters } from '@uprez/testing/count-lock-waiters';
import { deliverJob, writeResult } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { backdateAttempt } from '@uprez/testing/use-seconds';
import { waitUntil } from '@uprez/testing/wait-until';
import { type KyselyPlugin, sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { createImagePreview } from '../../src/intake/make-preview.ts';
import { claimNextJob } from '../../src/jobs/attempts/claim-next-job.ts';
import { beginResult, completeJob } from '../../src/jobs/attempts/complete-job.ts';
import { failJob } from '../../src/jobs/attempts/fail-job.ts';
import { insertUpload } from '../../src/uploads/begin-upload.ts';
import { checkLedger } from '../../src/usage/check-ledger.ts';
import { freeJobReasons } from '../../src/usage/ledger-reasons.ts';

const ctx = fileFixture(openTestContext);
// Claims read all accounts, so each test deletes its jobs.
afterEach(async () => {
  expect((await checkLedger(ctx)).errors).toEqual([]);
  for (const table of ['jobs', 'users'] as const) await ctx.db.deleteFrom(table).execute();
});

const claim = async () => {
  const claimed = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  if (!claimed) throw new Error('no job is claimable');
  return claimed.job;
};
/** Claims the only job, and stores its files. */
async function startDelivery() {
  const job = await claim();
  const attempt = { jobId: job.id, attempt: job.attempt };
  const slots = await beginResult(ctx, attempt);
  if (!slots) throw new Error('the attempt has the job');
  return { job, slots, delivery: await writeResult(ctx, attempt, slots) };
}

it('records the event of a completed job with its version and times, and the fields of other events', async () => {
  const actor = await makeUser(ctx.db, 'api_pro');
  await makeJob(ctx, actor);
  const done = await deliverJob(ctx, await claim());
  await makeJob(ctx, actor);
  const { id: jobId, attempt } = await claim();
  await failJob(ctx, { jobId, attempt, code: 'corrupt_image', retryBaseS: 0 });
  const rows = ctx.db.selectFrom('events').select(['type', 'jobId', 'isSandbox', 'data']).orderBy('createdAt');
  const [completed, failed] = await rows.execute();
  expect(completed).toMatchObject({ type: 'job.completed', jobId: done?.id, isSandbox: false });
  expect(completed?.data).toMatchObject({
    id: done?.id,
    status: 'completed',
    sequence: done?.version,
    processing_time_ms: Number(done?.finishedAt) - Number(done?.startedAt),
    expires_at: done?.expiresAt?.toISOString(),
    processed_size: { width: 16, height: 16, file_size: 8 },
  });
  const { error: _, ...others } = failed?.data ?? {};
  expect(Object.keys(completed?.data ?? {})).toEqual(Object.keys(others));
});

it('corrects the time of the visitors after a preview, and records no event', async () => {
  const { job } = await makeJob(ctx, await makeUser(ctx.db));
  await ctx.db.deleteFrom('users').execute();
  const upload = await insertUpload(ctx, null);
  const stored = await ctx.storage.put(upload.key, Readable.from([Buffer.from('a patch')]));
  const source = { id: upload.id, ...stored, inspection: job.plan.source };
  await createImagePreview(ctx, { accountId: null, recipe: job.recipe, plan: job.plan, source });
  const before = (await readVirtualTimes(ctx.db)).visitors;
  const { delivery } = await startDelivery();
  await backdateAttempt(ctx.db, delivery.job.id, 60);
  expect(await completeJob(ctx, delivery)).toMatchObject({ kind: 'preview', accountId: null });
  const used = (await readVirtualTimes(ctx.db)).visitors - before;
  expect(used * currentPlans.free.queueWeight).toBeGreaterThanOrEqual(60);
  expect(used * currentPlans.free.queueWeight).toBeLessThan(90);
  expect(await ctx.db.selectFrom('events').select('id').execute()).toEqual([]);
});

it('changes nothing when a file was deleted before the job completed', async () => {
  await makeJob(ctx, await makeUser(ctx.db));
  const { job, slots, delivery } = await startDelivery();
  const setState = (state: 'writing' | 'deleting') =>
    ctx.db.updateTable('objects').set({ state }).where('id', '=', slots.thumbnail.id).execute();
  const states = () =>
    ctx.db.selectFrom('objects').select(['kind', 'state']).where('jobId', '=', job.id).orderBy('kind').execute();
  await setState('deleting');
  await expect(completeJob(ctx, delivery)).rejects.toThrow('deleted before');
  expect(await findJob(ctx.db, job.id)).toEqual(job);
  expect(await states()).toEqual([
    { kind: 'result', state: 'writing' },
    { kind: 'source', state: 'stored' },
    { kind: 'thumbnail', state: 'deleting' },
  ]);
  await setState('writing');
  expect(await completeJob(ctx, delivery)).toMatchObject({ id: job.id, status: 'completed' });
});

it('takes the lock of the account last', async () => {
  const { accountId } = await makeUser(ctx.db);
  await makeJob(ctx, { accountId, plan: currentPlans.free });
  const { delivery } = await startDelivery();
  const other = await ctx.db.startTransaction().execute();
  await sql`select from allowances where account_id = ${accountId} for update`.execute(other);
  const completing = completeJob(ctx, delivery);
  await waitUntil(async () => (await countLockWaiters(ctx.db)) > 0);
  await sql`select from users where id = ${accountId} for no key update nowait`.execute(other);
  await other.commit().execute();
  expect(await completing).toMatchObject({ status: 'completed' });
});

it('takes one statement each to claim a job and begin its result, and three to complete it', async () => {
  await makeJob(ctx, await makeUser(ctx.db));
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      statements += 1;
      return Promise.resolve(result);
    },
  };
  const counted = { ...ctx, db: ctx.db.withPlugin(counting) };
  const claimed = await claimNextJob(counted, { workerId: 'test', leaseS: 30 });
  if (!claimed) throw new Error('no job is claimable');
  expect(statements).toBe(1);
  const attempt = { jobId: claimed.job.id, attempt: 1 };
  const slots = await beginResult(counted, attempt);
  expect(statements).toBe(2);
  const delivery = slots && (await writeResult(ctx, attempt, slots));
  expect(delivery && (await completeJob(counted, delivery))).toMatchObject({ status: 'completed' });
  // The lock of equal images, the look for one, and the completion.
  expect(statements).toBe(5);
});

it.each(['original', 'repeated'] as const)('releases the unit of a job that is free: %s', async (freeReason) => {
  const actor = await makeUser(ctx.db);
  await makeJob(ctx, actor);
  const { job, delivery } = await startDelivery();
  await completeJob(ctx, { ...delivery, receipt: { ...delivery.receipt, freeReason } });
  const ledger = ctx.db.selectFrom('ledger').select(['kind', 'units', 'reason']).where('jobId', '=', job.id);
  expect(await ledger.orderBy('id').execute()).toEqual([
    expect.objectContaining({ kind: 'reserve', units: -1 }),
    { kind: 'release', units: 1, reason: freeJobReasons[freeReason] },
  ]);
  expect((await findJob(ctx.db, job.id))?.status).toBe('completed');
});

it.each([
  ['web', null, true],
  ['api', null, false],
  ['api', true, true],
  ['web', false, false],
] as const)('lets a job of the %s that stores %s repeat another one: %s', async (surface, mayRepeat, expected) => {
  const { job } = await makeJob(ctx, await makeUser(ctx.db));
  await ctx.db.updateTable('jobs').set({ surface, mayRepeat }).execute();
  expect(await ctx.db.transaction().execute((tx) => lockRepeatedJobs(tx, job.id))).toBe(expected);
});

describe('equal images of an account', () => {
  /** Claims the next job, and stores its files. Its receipt names its source, as that of a worker does. */
  async function startEqual() {
    const { job, delivery } = await startDelivery();
    const source = await ctx.db
      .selectFrom('objects')
      .select('sha256')
      .where('id', '=', job.sourceId)
      .executeTakeFirst();
    const { receipt } = delivery;
    return { ...delivery, receipt: { ...receipt, source: { ...receipt.source, sha256: source?.sha256 ?? '' } } };
  }
  const listClosings = () =>
    ctx.db
      .selectFrom('ledger')
      .select(['kind', 'reason'])
      .where('kind', 'in', ['settle', 'release'])
      .orderBy('id')
      .execute();

  it('that workers complete at once are charged once, and say why', async () => {
    const actor = await makeUser(ctx.db, 'pro');
    for (let n = 0; n < 3; n++) await makeJob(ctx, actor);
    const deliveries = [await startEqual(), await startEqual(), await startEqual()];
    // Stops the first one before its end, and so the others before their decision.
    const other = await ctx.db.startTransaction().execute();
    await sql`select from allowances where account_id = ${actor.accountId} for update`.execute(other);
    const completing = Promise.all(deliveries.map((delivery) => completeJob(ctx, delivery)));
    await waitUntil(async () => (await countLockWaiters(ctx.db)) === 3);
    await other.commit().execute();
    expect((await completing).map((done) => done?.status)).toEqual(['completed', 'completed', 'completed']);
    const repeated = { kind: 'release', reason: freeJobReasons.repeated };
    expect(await listClosings()).toEqual([{ kind: 'settle', reason: 'Delivered' }, repeated, repeated]);
    const receipts = await ctx.db.selectFrom('jobs').select('receipt').execute();
    const notes = receipts.map(({ receipt }) => receipt?.notes.join(' '));
    expect(notes.toSorted()).toEqual(['', freeNotes.repeated, freeNotes.repeated]);
  });

  it('are charged each with other options, for another account, and after the result was deleted', async () => {
    const [actor, stranger] = [await makeUser(ctx.db, 'pro'), await makeUser(ctx.db, 'pro')];
    await makeJob(ctx, actor);
    const first = await startEqual();
    await completeJob(ctx, first);
    for (const [by, factor] of [
      [actor, 3],
      [stranger, 2],
    ] as const) {
      await makeJob(ctx, by, { factor });
      await completeJob(ctx, await startEqual());
    }
    await ctx.db.updateTable('objects').set({ state: 'deleting' }).where('jobId', '=', first.job.id).execute();
    await makeJob(ctx, actor);
    await completeJob(ctx, await startEqual());
    expect((await listClosings()).map(({ kind }) => kind)).toEqual(['settle', 'settle', 'settle', 'settle']);
    await ctx.db
      .updateTable('objects')
      .set({ state: 'stored' })
      .where('jobId', '=', first.job.id)
      .where('kind', '<>', 'source')
      .execute();
  });
});

it('locks the files of a free job before its unit', async () => {
  const { accountId } = await makeUser(ctx.db);
  await makeJob(ctx, { accountId, plan: currentPlans.free });
  const { slots, delivery } = await startDelivery();
  const other = await ctx.db.startTransaction().execute();
  await sql`select from objects where id = ${slots.thumbnail.id} for update`.execute(other);
  const completing = completeJob(ctx, { ...delivery, receipt: { ...delivery.receipt, freeReason: 'original' } });
  await waitUntil(async () => (await countLockWaiters(ctx.db)) > 0);
  await sql`select from allowances where account_id = ${accountId} for update nowait`.execute(other);
  await other.commit().execute();
  expect(await completing).toMatchObject({ status: 'completed' });
});

it('releases nothing when another attempt has the job', async () => {
  await makeJob(ctx, await makeUser(ctx.db));
  const { job, delivery } = await startDelivery();
  const outdated = { ...delivery, job: { ...delivery.job, attempt: job.attempt - 1 } };
  const receipt = { ...delivery.receipt, freeReason: 'original' } as const;
  expect(await completeJob(ctx, { ...outdated, receipt })).toBeUndefined();
  expect(await ctx.db.selectFrom('ledger').select('id').where('kind', '=', 'release').execute()).toEqual([]);
  await completeJob(ctx, delivery);
});
