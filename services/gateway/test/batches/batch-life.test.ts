import { randomUUID } from 'node:crypto';
import { lockBatch } from '@uprez/db/queries/jobs/batches';
import { afterSeconds } from '@uprez/db/times';
import { expireBatches } from '@uprez/domain/batches/cancel-batch';
import { countLockWaiters } from '@uprez/testing/count-lock-waiters';
import { makeImage } from '@uprez/testing/make-image';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  expectClean,
  failForGood,
  leaveUnits,
  makeBatch,
  openBatchFixtures,
  putItem,
  readBatch,
  signUpOn,
  unitsLeft,
} from '../support/batches.ts';
import { finishJob } from '../support/finish-job.ts';

const { gateway, user } = openBatchFixtures();
const image = await makeImage({ width: 40, height: 30 });

/** Creates a batch of these names and uploads the first `came` files. */
async function fill(names: string[], came: number, by = user) {
  const batch = await makeBatch(by, names);
  for (const { id } of batch.items.slice(0, came))
    await putItem(gateway, { user: by, batch }, { itemId: id, data: image });
  return { batch, ids: batch.items.map(({ id }) => id), params: { id: batch.id } };
}
const reasons = async () => {
  const rows = await gateway.ctx.db
    .selectFrom('ledger')
    .select('reason')
    .where('accountId', '=', user.user.id)
    .orderBy('id')
    .execute();
  return rows.map(({ reason }) => reason);
};
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: { code?: string }) => error.code,
  );

describe('a paused batch', () => {
  it('starts none of its queued images until it is resumed', async () => {
    const { ids, params } = await fill(['a.png', 'b.png', 'c.png'], 3);
    await finishJob(gateway.ctx, ids[0] ?? '');
    const jobs = gateway.ctx.db.selectFrom('jobs').innerJoin('batchItems', 'batchItems.jobId', 'jobs.id');
    const isDue = () =>
      jobs
        .select(sql<boolean>`jobs.not_before <= now()`.as('due'))
        .where('batchItems.batchId', '=', params.id)
        .where('jobs.status', '=', 'queued')
        .execute();
    const { data } = await user.client.pauseBatch({ params, body: { paused: true } });
    expect(data.items.map(({ status }) => status)).toEqual(['completed', 'queued', 'queued']);
    expect(await isDue()).toEqual([{ due: false }, { due: false }]);
    await user.client.pauseBatch({ params, body: { paused: false } });
    expect(await isDue()).toEqual([{ due: true }, { due: true }]);
    for (const id of ids.slice(1)) await finishJob(gateway.ctx, id);
    await expectClean(gateway.ctx);
  });

  it('keeps images that are uploaded or retried meanwhile until it is resumed, and says so', async () => {
    const { batch, ids, params } = await fill(['a.png', 'b.png', 'c.png'], 2);
    const [a = '', b = '', c = ''] = ids;
    for (const id of [a, b]) await failForGood(gateway.ctx, id);
    const { db } = gateway.ctx;
    const readJobs = () =>
      db
        .selectFrom('jobs')
        .innerJoin('batchItems', 'batchItems.jobId', 'jobs.id')
        .innerJoin('batches', 'batches.id', 'batchItems.batchId')
        .select([
          sql<boolean>`jobs.not_before <= now()`.as('isDue'),
          sql<boolean>`abs(extract(epoch from jobs.not_before - batches.expires_at)) < 1`.as('startsAtEnd'),
        ])
        .where('batches.id', '=', params.id)
        .where('jobs.status', '=', 'queued')
        .execute();
    const put = (itemId: string) => putItem(gateway, { user, batch }, { itemId, data: image });
    await user.client.pauseBatch({ params, body: { paused: true } });
    await put(c);
    // The file of `a` must be sent again, which gives the batch more time.
    await db.updateTable('objects').set({ state: 'deleting' }).where('jobId', '=', a).execute();
    await db
      .updateTable('batches')
      .set({ expiresAt: sql`expires_at - interval '1 hour'` })
      .where('id', '=', params.id)
      .execute();
    await db
      .updateTable('jobs')
      .set({ notBefore: sql`not_before - interval '1 hour'` })
      .where('status', '=', 'queued')
      .execute();
    await user.client.retryBatch({ params, body: {} });
    const waiting = { isDue: false, startsAtEnd: true };
    expect(await readJobs()).toEqual([waiting, waiting]);
    await put(a);
    expect(await readJobs()).toEqual([waiting, waiting, waiting]);
    expect((await readBatch(user, batch)).paused).toBe(true);
    const { data } = await user.client.pauseBatch({ params, body: { paused: false } });
    expect(data.paused).toBe(false);
    expect((await readJobs()).map(({ isDue }) => isDue)).toEqual([true, true, true]);
    await user.client.cancelBatch({ params });
  });

  it('that expires starts its images, and is no longer paused, also after a retry', async () => {
    const { batch, ids, params } = await fill(['a.png', 'b.png', 'c.png'], 2);
    await user.client.pauseBatch({ params, body: { paused: true } });
    const { db } = gateway.ctx;
    const jobs = db.selectFrom('batchItems').select('jobId').where('batchId', '=', params.id);
    await db
      .updateTable('batches')
      .set({ expiresAt: sql`expires_at - interval '25 hours'` })
      .where('id', '=', params.id)
      .execute();
    await db
      .updateTable('jobs')
      .set({ notBefore: sql`not_before - interval '25 hours'` })
      .where('id', 'in', jobs)
      .execute();
    expect((await readBatch(user, batch)).paused).toBe(false);
    await finishJob(gateway.ctx, ids[0] ?? '');
    await expireBatches(gateway.ctx);
    const { data } = await user.client.retryBatch({ params, body: {} });
    expect(data).toMatchObject({ paused: false, counts: { completed: 1, queued: 1, waiting: 1 } });
    await putItem(gateway, { user, batch }, { itemId: ids[2], data: image });
    for (const { jobId } of (await readBatch(user, batch)).items.slice(1)) await finishJob(gateway.ctx, jobId ?? '');
  });

  it.each(['before', 'after'])('is not missed by a file that arrives just %s the pause', async (order) => {
    const { batch, ids, params } = await fill(['a.png'], 0);
    const { db } = gateway.ctx;
    const send = () => putItem(gateway, { user, batch }, { itemId: ids[0] ?? '', data: image });
    const pause = () => user.client.pauseBatch({ params, body: { paused: true } });
    const [first, second] = order === 'before' ? [send, pause] : [pause, send];
    const calls: Promise<unknown>[] = [];
    await db.transaction().execute(async (tx) => {
      await lockBatch(tx, params.id);
      for (const call of [first, second]) {
        calls.push(call());
        await waitUntil(async () => (await countLockWaiters(db)) === calls.length);
      }
    });
    await Promise.all(calls);
    const [job] = await db
      .selectFrom('jobs')
      .innerJoin('batchItems', 'batchItems.jobId', 'jobs.id')
      .select(sql<boolean>`jobs.not_before <= now()`.as('isDue'))
      .where('batchItems.batchId', '=', params.id)
      .execute();
    expect(job).toEqual({ isDue: false });
    await user.client.cancelBatch({ params });
  });
});

describe('a canceled batch', () => {
  it('keeps finished results and refunds the rest once, also when canceled repeatedly', async () => {
    const { batch, ids, params } = await fill(['a.png', 'b.png', 'c.png'], 2);
    await finishJob(gateway.ctx, ids[0] ?? '');
    const answers = await Promise.all([user.client.cancelBatch({ params }), user.client.cancelBatch({ params })]);
    for (const { data } of answers) expect(data.status).toBe('cancelled');
    const read = await readBatch(user, batch);
    expect(read.items.map(({ status }) => status)).toEqual(['completed', 'cancelled', 'cancelled']);
    expect(read).toMatchObject({ status: 'cancelled', progress: 100 });
    expect(await unitsLeft(gateway, user, 'standard')).toBe(99);
    const late = await putItem(gateway, { user, batch }, { itemId: ids[2], data: image });
    expect(await late.json()).toMatchObject({ status: 'cancelled', jobId: null });
    expect(await codeOf(user.client.retryBatch({ params, body: {} }))).toBe('batch_cancelled');
    expect((await reasons()).filter((reason) => /^Refunded: the job was canceled/.test(reason))).toHaveLength(2);
  });

  it('has one final status per item when canceled while files arrive and finish', async () => {
    const pro = await signUpOn(gateway, 'pro');
    for (let round = 0; round < 8; round += 1) {
      const { batch, ids, params } = await fill(['a', 'b', 'c', 'd', 'e', 'f'], 3, pro);
      const racers = [
        finishJob(gateway.ctx, ids[0] ?? '').catch(() => {}),
        ...ids.slice(3).map((itemId) => putItem(gateway, { user: pro, batch }, { itemId, data: image })),
      ];
      // This many requests are done when the batch is canceled; the others are in progress.
      await Promise.all(racers.slice(0, round % 4));
      await Promise.all([...racers, pro.client.cancelBatch({ params }), pro.client.cancelBatch({ params })]);
      const { counts } = await readBatch(pro, batch);
      expect((counts.completed ?? 0) + (counts.cancelled ?? 0)).toBe(6);
      await expectClean(gateway.ctx);
    }
  });
});

describe('files that are not uploaded', () => {
  it('expire after the time limit, and their credits are released', async () => {
    const { batch } = await fill(['a.png', 'b.png'], 1);
    expect(await expireBatches(gateway.ctx)).toBe(0);
    await gateway.ctx.db
      .updateTable('batches')
      .set({ expiresAt: afterSeconds(-1) })
      .where('id', '=', batch.id)
      .execute();
    const swept = await Promise.all([expireBatches(gateway.ctx), expireBatches(gateway.ctx)]);
    expect(swept.toSorted()).toEqual([0, 1]);
    const read = await readBatch(user, batch);
    expect(read.items.map(({ status, error }) => [status, error?.code])).toEqual([
      ['queued', undefined],
      ['failed', 'file_never_came'],
    ]);
    expect(await unitsLeft(gateway, user, 'standard')).toBe(99);
    expect((await reasons()).at(-1)).toMatch(/^Refunded: the file wasn't uploaded within 24 hours/);
  });

  it('can be uploaded after a retry', async () => {
    const { batch, ids, params } = await fill(['a.png'], 0);
    await gateway.ctx.db
      .updateTable('batches')
      .set({ expiresAt: afterSeconds(-1) })
      .where('id', '=', batch.id)
      .execute();
    await expireBatches(gateway.ctx);
    const { data } = await user.client.retryBatch({ params, body: undefined });
    expect(data.counts).toMatchObject({ waiting: 1, failed: 0 });
    expect(await expireBatches(gateway.ctx)).toBe(0);
    const put = await putItem(gateway, { user, batch }, { itemId: ids[0], data: image });
    const item = (await put.json()) as { status: string; jobId: string };
    expect(item.status).toBe('queued');
    await finishJob(gateway.ctx, item.jobId);
    expect((await readBatch(user, batch)).counts).toMatchObject({ completed: 1 });
    expect(await unitsLeft(gateway, user, 'standard')).toBe(99);
  });
});

describe('retrying a batch', () => {
  it('queues only failed items, with the stored files and the new engine', async () => {
    const { batch, ids, params } = await fill(['a.png', 'b.png', 'c.png'], 2);
    const [a = '', b = '', c = ''] = ids;
    await finishJob(gateway.ctx, a);
    await failForGood(gateway.ctx, b);
    await putItem(gateway, { user, batch }, { itemId: c, data: 'no image' });
    expect((await readBatch(user, batch)).counts).toMatchObject({ completed: 1, failed: 2 });
    const { data } = await user.client.retryBatch({ params, body: { engine: 'photo' } });
    expect(data.items.map(({ status, error }) => [status, error])).toEqual([
      ['completed', null],
      ['queued', null],
      ['waiting', null],
    ]);
    const jobId = data.items[1]?.jobId ?? '';
    expect(jobId).not.toBe(b);
    expect((await user.client.getJob({ params: { id: jobId } })).data).toMatchObject({
      engine: 'photo',
      filename: 'b.png',
    });
    expect((await user.client.getJob({ params: { id: b } })).data).toMatchObject({ status: 'failed' });
    await finishJob(gateway.ctx, jobId);
    await putItem(gateway, { user, batch }, { itemId: c, data: image });
    const last = await readBatch(user, batch);
    expect(last.counts).toMatchObject({ completed: 2, queued: 1 });
    const { data: third } = await user.client.getJob({ params: { id: last.items[2]?.jobId ?? '' } });
    expect(third.engine).toBe('photo');
    expect(await unitsLeft(gateway, user, 'standard')).toBe(99);
    expect(await unitsLeft(gateway, user, 'ai')).toBe(8);
  });

  it('creates one job per item when requested twice at once', async () => {
    const { batch, ids, params } = await fill(['a.png'], 1);
    await failForGood(gateway.ctx, ids[0] ?? '');
    await Promise.all([user.client.retryBatch({ params, body: {} }), user.client.retryBatch({ params, body: {} })]);
    expect((await readBatch(user, batch)).counts).toMatchObject({ queued: 1 });
    expect(await unitsLeft(gateway, user, 'standard')).toBe(99);
    const jobs = await gateway.ctx.db.selectFrom('jobs').select('id').where('accountId', '=', user.user.id).execute();
    expect(jobs).toHaveLength(2);
  });

  it('returns quota_exceeded and retries no item when the credits are insufficient', async () => {
    const { batch, ids, params } = await fill(['a.png', 'b.png'], 2);
    for (const id of ids) await failForGood(gateway.ctx, id);
    await leaveUnits(gateway, user, ['standard', 1]);
    expect(await codeOf(user.client.retryBatch({ params, body: {} }))).toBe('quota_exceeded');
    expect((await readBatch(user, batch)).counts).toMatchObject({ failed: 2 });
    await leaveUnits(gateway, user, ['standard', 2]);
    expect((await user.client.retryBatch({ params, body: {} })).data.counts).toMatchObject({ queued: 2 });
  });

  it('returns plan_feature for an engine that the plan lacks, and keeps the file for another retry', async () => {
    const pro = await signUpOn(gateway, 'api_basic');
    const batch = await makeBatch(pro, ['a.png'], { engine: 'standard', scaleFactor: 16 });
    const params = { id: batch.id };
    const itemId = batch.items[0]?.id ?? '';
    await putItem(gateway, { user: pro, batch }, { itemId, data: image });
    await failForGood(gateway.ctx, itemId);
    const { data } = await pro.client.retryBatch({ params, body: { engine: 'photo' } });
    expect(data.items[0]).toMatchObject({ status: 'failed', error: { code: 'plan_feature' } });
    const { data: again } = await pro.client.retryBatch({ params, body: { engine: 'standard' } });
    expect(again.items[0]).toMatchObject({ status: 'queued', error: null });
  });

  it('changes nothing without failed items, and returns batch_not_found for a missing batch', async () => {
    const { batch, params } = await fill(['a.png', 'b.png'], 1);
    const before = await readBatch(user, batch);
    expect((await user.client.retryBatch({ params, body: { engine: 'photo' } })).data).toEqual(before);
    expect(await codeOf(user.client.retryBatch({ params: { id: randomUUID() }, body: undefined }))).toBe(
      'batch_not_found',
    );
  });
});
