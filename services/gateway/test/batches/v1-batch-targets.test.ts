import { text } from 'node:stream/consumers';
import type { V1Batch } from '@uprez/contracts/v1/schemas';
import { makeDeliveryDue } from '@uprez/db/queries/jobs/result-deliveries';
import { claimResult, uploadResult } from '@uprez/domain/batches/deliver-result';
import { openVault } from '@uprez/domain/vault';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { finishJob } from '../support/finish-job.ts';
import { startTestGateway, vaultSecret } from '../support/start-test-gateway.ts';
import { expectV1Refused, json, openV1Caller } from '../support/v1-calls.ts';

const uploaded: { path: string; body: string }[] = [];
const site = fileFixture(() =>
  openTlsSite((request, response) => {
    if (request.method === 'GET') return response.end(image);
    return void text(request).then((body) => {
      uploaded.push({ path: request.url ?? '', body });
      response.writeHead(200).end();
    });
  }),
);
const gateway = fileFixture(() => startTestGateway({}, site.network));
const caller = testFixture(() => openV1Caller(gateway));
const image = await makeImage({ width: 40, height: 30 });

const target = 'https://bucket.images.example/large/a.png?X-Amz-Signature=very-secret';
const itemsWith = (target_url: string) => [
  { client_id: 'a', name: 'a.png', target_url },
  { client_id: 'b', name: 'b.png' },
];
const recipe = { engine: 'standard' };
const announce = (items: object[], headers = {}) => {
  const init = json({ recipe, items });
  return caller.call('POST', '/v1/batches', { ...init, headers: { ...init.headers, ...headers } });
};
const read = async (answer: Response) => {
  const text = await answer.text();
  expect(text).not.toContain('secret');
  return JSON.parse(text) as V1Batch;
};
const get = async (id: string) => read(await caller.call('GET', `/v1/batches/${id}`));

it('reports the delivery of each item with a target, and stores the URL encrypted', async () => {
  const created = await announce(itemsWith(target));
  expect(created.status).toBe(201);
  const { id, items } = await read(created);
  const waiting = {
    ...{ status: 'waiting', host: 'bucket.images.example', attempts: 0, error: null, status_code: null },
    ...{ next_attempt_at: null, delivered_at: null },
  };
  expect(items.map(({ delivery }) => delivery)).toEqual([waiting, null]);
  const { db } = gateway.ctx;
  const row = await db
    .selectFrom('resultDeliveries')
    .selectAll()
    .where('itemId', '=', items[0]?.id ?? '')
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain('secret');
  expect(row.target?.length).toBeGreaterThan(target.length);

  const put = await caller.call('PUT', new URL(items[0]?.upload_url ?? '').pathname, {
    body: new Uint8Array(image),
    headers: { 'content-type': 'image/png' },
  });
  expect(put.status).toBe(200);
  const taken = await get(id);
  expect(taken.items[0]).toMatchObject({ status: 'queued', delivery: waiting });
  await makeDeliveryDue(sql`${taken.items[0]?.job_id}`).execute(db);
  const due = (await get(id)).items[0]?.delivery;
  expect(due).toEqual({ ...waiting, status: 'pending', next_attempt_at: expect.any(String) });
  await db
    .updateTable('resultDeliveries')
    .set({ nextAt: null })
    .where('itemId', '=', items[0]?.id ?? '')
    .execute();
  await caller.call('POST', `/v1/batches/${id}/cancel`);
  expect((await get(id)).items[0]).toMatchObject({
    status: 'cancelled',
    delivery: { ...waiting, status: 'cancelled' },
  });
});

it('fetches an image from a signed URL, uploads its result to another one, and charges one credit', async () => {
  const items = [
    { client_id: 'a', image_url: 'https://in.images.example/a.png?X-Amz-Signature=in', target_url: target },
  ];
  const before = Number((await caller.call('GET', '/v1/account')).headers.get('x-credits-remaining'));
  const { id } = await read(await announce(items));
  const [item] = await waitUntil(
    async () => (await get(id)).items.every(({ status }) => status === 'queued') && (await get(id)).items,
    {
      what: 'the image',
    },
  );
  await finishJob(gateway.ctx, item?.job_id ?? '', 'the result');
  expect((await get(id)).items[0]).toMatchObject({ status: 'completed', delivery: { status: 'pending', attempts: 0 } });
  // The dispatcher has the secret of the gateway.
  const dispatcher = { ...gateway.ctx, network: site.network, vault: openVault(vaultSecret) };
  const claimed = await claimResult(dispatcher, { withFree: false });
  if (!claimed) throw new Error('no result is due');
  await uploadResult(dispatcher, claimed, new AbortController().signal);
  expect(uploaded).toEqual([{ path: '/large/a.png?X-Amz-Signature=very-secret', body: 'the result' }]);
  const [done] = (await get(id)).items;
  expect(done?.delivery).toMatchObject({ status: 'delivered', attempts: 1, status_code: 200, error: null });
  const { pathname, search } = new URL(done?.download_url ?? '');
  expect(await (await fetch(gateway.url + pathname + search)).text()).toBe('the result');
  const after = Number((await caller.call('GET', '/v1/account')).headers.get('x-credits-remaining'));
  expect(before - after).toBe(1);
});

it('joins a repeated request only with the same target', async () => {
  const headers = { 'idempotency-key': 'targets' };
  const first = await read(await announce(itemsWith(target), headers));
  expect((await read(await announce(itemsWith(target), headers))).id).toBe(first.id);
  expect((await announce(itemsWith(`${target}2`), headers)).status).toBe(422);
  const { count } = await gateway.ctx.db
    .selectFrom('resultDeliveries')
    .innerJoin('batchItems', 'batchItems.id', 'resultDeliveries.itemId')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('batchId', '=', first.id)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(1);
});

it.each([
  'http://bucket.images.example/a.png',
  'https://127.0.0.1/a.png',
  'https://169.254.169.254/',
  'https://storage.internal/a.png',
  'https://user:password@bucket.images.example/',
  'no URL',
])('returns 422 for the target %s, with the index of the item', async (target_url) => {
  const items = [
    { client_id: 'x', name: 'x.png' },
    { client_id: 'y', name: 'y.png', target_url },
  ];
  const expected = { status: 422, code: 'url_not_allowed', param: 'items.1.target_url' };
  await expectV1Refused(gateway, () => announce(items), expected);
});
