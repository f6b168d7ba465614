import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { insertEvent } from '@uprez/db/queries/webhooks/events';
import { hasFeed } from '@uprez/domain/events/record-event';
import { deleteOldEvents, releaseEvents } from '@uprez/domain/feed/release-events';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { cancelJob, deleteJob } from '@uprez/domain/jobs/delete-job';
import { testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeJob } from '@uprez/testing/make-job';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { outcome, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { failForGood } from '../support/batches.ts';
import { claimJob, finishJob } from '../support/finish-job.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { json, openV1Caller } from '../support/v1-calls.ts';
import { readFeed } from '../support/webhooks.ts';

const gateway = shareTestGateway();
const caller = testFixture(() => openV1Caller(gateway));

const actor = () => ({ accountId: caller.owner.user.id, plan: currentPlans.api_basic });
const make = async () => (await makeJob(gateway.ctx, actor())).job;
const typesOf = async (query = '') => (await readFeed(caller, query)).data.map(({ type }) => type);

describe('the event feed', () => {
  it('contains the outcome of every job as in the API, also on plans without webhooks', async () => {
    const { ctx } = gateway;
    const [done, failed, cancelled] = [await make(), await make(), await make()];
    await finishJob(ctx, done.id);
    const attempt = await claimJob(ctx, failed.id);
    await failJob(ctx, { jobId: failed.id, attempt, code: 'corrupt_image', retryBaseS: 0 });
    await ctx.db.transaction().execute((tx) => cancelJob(tx, cancelled));
    const { data } = await readFeed(caller);
    expect(data.map(({ type }) => type)).toEqual(['job.completed', 'job.failed', 'job.cancelled']);
    const job = await (await caller.call('GET', `/v1/jobs/${done.id}`)).json();
    const [first, second] = data;
    for (const [name, value] of Object.entries(first?.data ?? {}))
      if (name !== 'sequence' && name !== 'batch_id') expect(value, name).toEqual(job[name]);
    expect(first?.data).toMatchObject({ sequence: 3, batch_id: null });
    expect(second?.data).toMatchObject({
      error: { code: 'corrupt_image', documentation_url: 'http://images.example/documentation#corrupt_image' },
    });
    await deleteJob(ctx, { actor: actor(), id: done.id });
    await deleteJob(ctx, { actor: actor(), id: failed.id });
    expect((await typesOf()).slice(3)).toEqual(['job.expired']);
    const web = await caller.owner.client.listEvents({ query: { order: 'desc' } });
    expect(web.data.data.map(({ type }) => type)).toEqual((await typesOf()).toReversed());
  });

  it('continues after an event ID across pages, without gaps', async () => {
    for (let n = 0; n < 5; n++) await finishJob(gateway.ctx, (await make()).id);
    const all = (await readFeed(caller)).data.map(({ id }) => id);
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const page = await readFeed(caller, `?limit=2${after && `&after=${after}`}`);
      seen.push(...page.data.map(({ id }) => id));
      if (page.next_cursor === null) break;
      after = page.next_cursor;
    }
    expect(seen).toEqual(all);
    expect(await readFeed(caller, `?after=${all.at(-1)}`)).toEqual({ data: [], next_cursor: null });
    expect(await typesOf('?type=job.failed')).toEqual([]);
    expect(await typesOf(`?order=desc&limit=1&after=${all[1]}`)).toHaveLength(1);
  });

  it('includes an event whose transaction started earlier but committed later', async () => {
    const { accountId } = actor();
    const { db } = gateway.ctx;
    const write = (tx: typeof db, id: string) =>
      insertEvent(
        tx,
        {
          id,
          accountId,
          type: 'quota.warning',
          isSandbox: false,
          data: { meter: 'ai', share: 50, included: 2, left: 1, resets_at: '2026-12-01T00:00:00.000Z' },
        },
        hasFeed,
      );
    const [slow, quick] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];
    let known = '';
    await db.transaction().execute(async (tx) => {
      await write(tx, slow);
      await write(db, quick);
      const { data } = await readFeed(caller);
      expect(data.map(({ id }) => id)).toEqual([quick]);
      known = data[0]?.id ?? '';
    });
    expect((await readFeed(caller, `?after=${known}`)).data.map(({ id }) => id)).toEqual([slow]);
  });

  it('gives each event one position for concurrent reads', async () => {
    for (let n = 0; n < 3; n++) await finishJob(gateway.ctx, (await make()).id);
    const feeds = await Promise.all(Array.from({ length: 8 }, () => readFeed(caller)));
    for (const feed of feeds) expect(feed).toEqual(feeds[0]);
    expect(await releaseEvents(gateway.ctx, caller.owner.user.id)).toBe(0);
  });

  it('is deleted after 30 days, and returns 422 for the ID of a deleted event', async () => {
    await finishJob(gateway.ctx, (await make()).id);
    const [event] = (await readFeed(caller)).data;
    const days = limits.eventDays;
    const age = (byDays: number) =>
      gateway.ctx.db
        .updateTable('events')
        .set({ createdAt: sql<Date>`now() - make_interval(days => ${byDays})` })
        .where('id', '=', event?.id ?? '')
        .execute();
    await age(days - 1);
    expect(await deleteOldEvents(gateway.ctx)).toBe(0);
    await age(days + 1);
    expect(await deleteOldEvents(gateway.ctx)).toBe(1);
    const answer = await caller.call('GET', `/v1/events?after=${event?.id}`);
    expect(outcome(answer)).toBe('422 invalid_parameter');
    expect(await answer.json()).toMatchObject({ param: 'after' });
    for (const query of ['?after=1', '?limit=0', '?type=job.started', '?page=2'])
      expect(outcome(await caller.call('GET', `/v1/events${query}`)), query).toBe('422 invalid_parameter');
  });

  it('is written only for plans that include it', async () => {
    const owner = await signUpWithPlan(gateway, 'pro');
    const { job } = await makeJob(gateway.ctx, { accountId: owner.user.id, plan: currentPlans.pro });
    await finishJob(gateway.ctx, job.id);
    const rows = await gateway.ctx.db
      .selectFrom('events')
      .select('id')
      .where('accountId', '=', owner.user.id)
      .execute();
    expect(rows).toEqual([]);
    await expect(owner.client.listEvents({ query: {} })).rejects.toMatchObject({ code: 'plan_feature' });
  });
});

describe('the event batch.completed', () => {
  it('is written after the last item finished or failed', async () => {
    const items = ['a.png', 'b.png'].map((name) => ({ client_id: name, name }));
    const made = await caller.call('POST', '/v1/batches', json({ items }));
    const batch = await made.json();
    const put = (item: { id: string }, body: BodyInit) =>
      caller.call('PUT', `/v1/batches/${batch.id}/items/${item.id}`, {
        body,
        headers: { 'content-type': 'image/png' },
      });
    const [first, second] = batch.items;
    const taken = await (await put(first, new Uint8Array(await makeImage({ width: 20, height: 20 })))).json();
    await finishJob(gateway.ctx, taken.job_id);
    expect(await typesOf()).toEqual(['job.completed']);
    expect((await readFeed(caller)).data[0]?.data).toMatchObject({ batch_id: batch.id });
    expect((await put(second, 'no image')).status).toBe(415);
    const { data } = await readFeed(caller);
    expect(data.map(({ type }) => type)).toEqual(['job.completed', 'batch.item_rejected', 'batch.completed']);
    expect(data[1]).toMatchObject({
      sandbox: false,
      data: {
        ...{ id: second.id, client_id: second.client_id, name: second.name, batch_id: batch.id },
        error: { code: 'unsupported_format', documentation_url: expect.stringContaining('#unsupported_format') },
        status_url: `http://images.example/v1/batches/${batch.id}`,
      },
    });
    expect(data[2]?.data).toMatchObject({
      batch_id: batch.id,
      status: 'finished',
      counts: { total: 2, completed: 1, failed: 1, waiting: 0 },
      status_url: `http://images.example/v1/batches/${batch.id}`,
    });
  });

  it('is written when all files of a form are rejected, and after the other ones otherwise', async () => {
    const send = async (...files: BlobPart[]) => {
      const body = new FormData();
      for (const [at, file] of files.entries()) body.append('images', new Blob([file]), `${at}.png`);
      const headers = { prefer: 'respond-async' };
      return (await caller.call('POST', '/v1/batches', { body, headers })).json();
    };
    const rejected = await send('no image', 'none either');
    const { data } = await readFeed(caller);
    const own = ['batch.item_rejected', 'batch.item_rejected', 'batch.completed'];
    expect(data).toMatchObject([
      { type: 'batch.item_rejected', data: { name: '0.png', batch_id: rejected.id } },
      { type: 'batch.item_rejected', data: { name: '1.png', batch_id: rejected.id } },
      { type: 'batch.completed', data: { batch_id: rejected.id, counts: { total: 2, failed: 2 } } },
    ]);
    const mixed = await send('no image', new Uint8Array(await makeImage({ width: 20, height: 20 })));
    expect(await typesOf()).toEqual([...own, 'batch.item_rejected']);
    await finishJob(gateway.ctx, mixed.items[1].job_id);
    expect(await typesOf()).toEqual([...own, 'batch.item_rejected', 'job.completed', 'batch.completed']);
  });

  it('is not written again when a retry rejects all images', async () => {
    const body = { items: [{ client_id: 'a', name: 'a.png' }], recipe: { engine: 'standard', scale_factor: 16 } };
    const { id, items } = await (await caller.call('POST', '/v1/batches', json(body))).json();
    const image = new Uint8Array(await makeImage({ width: 20, height: 20 }));
    const headers = { 'content-type': 'image/png' };
    await caller.call('PUT', `/v1/batches/${id}/items/${items[0].id}`, { body: image, headers });
    await failForGood(gateway.ctx, items[0].id);
    const ended = ['job.failed', 'batch.completed'];
    expect(await typesOf()).toEqual(ended);
    // The plan doesn't include this engine for the scale.
    await caller.call('POST', `/v1/batches/${id}/retry`, json({ engine: 'photo' }));
    expect(await typesOf()).toEqual([...ended, 'batch.item_rejected']);
  });

  it('is written when the batch is canceled', async () => {
    const { id } = await (
      await caller.call('POST', '/v1/batches', json({ items: [{ client_id: 'a', name: 'a.png' }] }))
    ).json();
    await caller.call('POST', `/v1/batches/${id}/cancel`);
    const { data } = await readFeed(caller);
    expect(data).toMatchObject([{ type: 'batch.completed', data: { status: 'cancelled', counts: { cancelled: 1 } } }]);
  });
});
