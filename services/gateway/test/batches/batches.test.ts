import { randomUUID } from 'node:crypto';
import { ApiError } from '@uprez/client/api-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm, type SignedIn } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { describe, expect, it } from 'vitest';
import {
  cookieOf,
  itemsOf,
  leaveUnits,
  makeBatch,
  openBatchFixtures,
  putItem,
  readBatch,
  signUpOn,
  standard,
  unitsLeft,
} from '../support/batches.ts';
import { finishJob, finishWithSourceHash } from '../support/finish-job.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { countTraces } from '../support/traces.ts';

const { gateway, user } = openBatchFixtures();
const image = await makeImage({ width: 40, height: 30 });

type NewBatch = Parameters<SignedIn['client']['createBatch']>[0];
/** Returns the error of a call, and expects its code. */
async function refused(call: Promise<unknown>, code: ErrorCode): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).code).toBe(code);
  return error as ApiError;
}
const create = (body: NewBatch['body'], headers: Record<string, string> = {}, by = user) =>
  by.client.createBatch({ body, headers });

describe('creating a batch', () => {
  it('reserves a unit for each file and returns the items as waiting', async () => {
    const items = itemsOf('a.jpg', 'b.jpg');
    const answer = await create({ recipe: { ...standard, format: 'webp' }, items });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/api/batches/${answer.data.id}`);
    expect(answer.data).toMatchObject({ status: 'active', progress: 0, counts: { total: 2, waiting: 2 } });
    expect(answer.data.recipe).toMatchObject({ engine: 'standard', format: 'webp', scaleFactor: 2 });
    expect(answer.data.items.map(({ clientId, name }) => [clientId, name])).toEqual([
      ['c0', 'a.jpg'],
      ['c1', 'b.jpg'],
    ]);
    expect(await unitsLeft(gateway, user, 'standard')).toBe(98);
    expect(await readBatch(user, answer.data)).toEqual(answer.data);
  });

  it.each(['https://127.0.0.1/a.png', 'https://[fd00::1]/', 'https://169.254.169.254/latest/', 'https://localhost/'])(
    'returns url_not_allowed with the index of an item with the URL %s, and creates nothing',
    async (imageUrl) => {
      const items = [...itemsOf('a.jpg'), { clientId: 'b', imageUrl }];
      const before = await countTraces(gateway.ctx);
      const error = await refused(create({ recipe: standard, items }), 'url_not_allowed');
      expect(error.param).toBe('items.1.imageUrl');
      expect(error.message).toContain('The URL must be on the public internet.');
      expect(await countTraces(gateway.ctx)).toEqual(before);
    },
  );

  it('accepts files one by one, as a form or a raw body, and reports the status of each', async () => {
    const batch = await makeBatch(user, ['a.png', 'b.png', 'c.png']);
    const [a, b] = batch.items;
    const raw = await putItem(gateway, { user, batch }, { itemId: a?.id, data: image });
    expect(raw.status).toBe(200);
    expect(await raw.json()).toMatchObject({ id: a?.id, status: 'queued', jobId: a?.id, name: 'a.png' });
    const form = await user.client.putBatchItem({
      params: { id: batch.id, itemId: b?.id ?? '' },
      body: imageForm(image),
    });
    expect(form.data).toMatchObject({ status: 'queued', name: 'b.png' });
    await finishJob(gateway.ctx, a?.id ?? '');
    const read = await readBatch(user, batch);
    expect(read.counts).toMatchObject({ total: 3, completed: 1, queued: 1, waiting: 1, failed: 0 });
    expect(read).toMatchObject({ status: 'active', progress: 33 });
    const file = await user.fetch(gateway.url + (read.items[0]?.downloadUrl ?? ''));
    expect(await file.text()).toBe('the bytes of a result');
    expect(file.headers.get('content-disposition')).toContain('a-2x.png');
  });

  it('creates separate items for files of the same name', async () => {
    const batch = await makeBatch(user, ['a.png', 'a.png']);
    for (const { id } of batch.items) await putItem(gateway, { user, batch }, { itemId: id, data: image });
    const { items } = await readBatch(user, batch);
    expect(new Set(items.map(({ jobId }) => jobId)).size).toBe(2);
    expect(items.map(({ name }) => name)).toEqual(['a.png', 'a.png']);
  });
});

describe('creating an invalid batch', () => {
  const bad: Record<string, { body: object; code: ErrorCode }> = {
    'no files': { body: { items: [] }, code: 'invalid_parameter' },
    '101 files': { body: { items: itemsOf(...Array(101).fill('a.png')) }, code: 'invalid_parameter' },
    'a repeated clientId': { body: { items: [...itemsOf('a'), ...itemsOf('b')] }, code: 'invalid_parameter' },
    'a clientId that is a line break': { body: { items: [{ clientId: '\n', name: 'a' }] }, code: 'invalid_parameter' },
    'an unknown field': { body: { items: itemsOf('a'), units: 0 }, code: 'invalid_parameter' },
    'an unknown field of the recipe': {
      body: { recipe: { sharpen: 1 }, items: itemsOf('a') },
      code: 'invalid_parameter',
    },
    'two sizes': { body: { recipe: { scaleFactor: 2, longSide: 9 }, items: itemsOf('a') }, code: 'conflicting_params' },
    'more files than the plan allows': { body: { items: itemsOf('a', 'b', 'c', 'd') }, code: 'plan_feature' },
  };
  it.each(Object.entries(bad))('%s', async (_what, { body, code }) => {
    const error = await refused(create(body as NewBatch['body']), code);
    if (code === 'plan_feature') expect(error.meta).toEqual({ limit: 3, value: 4, unlockedBy: 'pro' });
    expect(
      await gateway.ctx.db.selectFrom('batches').select('id').where('accountId', '=', user.user.id).execute(),
    ).toEqual([]);
  });

  it('accepts 100 files when the plan allows them', async () => {
    const pro = await signUpOn(gateway, 'pro');
    const items = itemsOf(...Array(100).fill('名'.repeat(250)));
    const { data } = await create(
      { recipe: standard, items: items.map((item) => ({ ...item, relativePath: `${'d'.repeat(700)}/x` })) },
      {},
      pro,
    );
    expect(data.counts).toMatchObject({ total: 100, waiting: 100 });
  });

  it('fails only the file that is too large', async () => {
    const items = [{ clientId: 'large', name: 'large.png', size: 50 * 1024 * 1024 + 1 }, ...itemsOf('a.png')];
    const { data } = await create({ recipe: standard, items });
    expect(data.items.map(({ status, error }) => [status, error?.code])).toEqual([
      ['failed', 'file_too_large'],
      ['waiting', undefined],
    ]);
    expect(await unitsLeft(gateway, user, 'standard')).toBe(99);
  });
});

describe('a batch without enough units', () => {
  it('returns quota_exceeded with the required and available units', async () => {
    await leaveUnits(gateway, user, ['standard', 2]);
    const error = await refused(create({ recipe: standard, items: itemsOf('a', 'b', 'c') }), 'quota_exceeded');
    expect(error.meta).toMatchObject({ needs: 3, have: 2 });
    expect(await unitsLeft(gateway, user, 'standard')).toBe(2);
  });

  it('accepts the first files with acceptPartial, and fails the others', async () => {
    await leaveUnits(gateway, user, ['standard', 2]);
    const { data } = await create({ recipe: standard, items: itemsOf('a', 'b', 'c'), acceptPartial: true });
    expect(data.items.map(({ status, error }) => [status, error?.code])).toEqual([
      ['waiting', undefined],
      ['waiting', undefined],
      ['failed', 'quota_exceeded'],
    ]);
    expect(await unitsLeft(gateway, user, 'standard')).toBe(0);
    const none = await refused(
      create({ recipe: standard, items: itemsOf('a'), acceptPartial: true }),
      'quota_exceeded',
    );
    expect(none.meta).toMatchObject({ needs: 1, have: 0 });
  });

  it('never exceeds the balance when created 5 times at once', async () => {
    await leaveUnits(gateway, user, ['standard', 4]);
    const tries = Array.from({ length: 5 }, () => create({ recipe: standard, items: itemsOf('a', 'b') }));
    const made = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
    expect(made).toHaveLength(2);
    expect(await unitsLeft(gateway, user, 'standard')).toBe(0);
  });

  it('fails only the file whose meter changes when that meter is used up', async () => {
    await leaveUnits(gateway, user, ['standard', 1]);
    // Reserved as AI images before the upload; halving the size needs no AI.
    const batch = await makeBatch(user, ['a.png', 'b.png'], { longSide: 20 });
    const [a, b] = batch.items;
    const first = await putItem(gateway, { user, batch }, { itemId: a?.id, data: image });
    expect(await first.json()).toMatchObject({ status: 'queued' });
    const second = await putItem(gateway, { user, batch }, { itemId: b?.id, data: image });
    expect([second.status, second.headers.get('x-error-code')]).toEqual([402, 'quota_exceeded']);
    expect((await readBatch(user, batch)).items[1]).toMatchObject({
      status: 'failed',
      error: { code: 'quota_exceeded' },
    });
    expect(await unitsLeft(gateway, user, 'ai')).toBe(10);
    expect(await unitsLeft(gateway, user, 'standard')).toBe(0);
  });
});

describe('a batch with an idempotency key', () => {
  const body = { recipe: standard, items: itemsOf('a.png') };
  const key = () => ({ 'idempotency-key': randomUUID() });

  it('is created once by 10 concurrent requests', async () => {
    const headers = key();
    const made = await Promise.all(Array.from({ length: 10 }, () => create(body, headers)));
    expect(new Set(made.map(({ data }) => data.id)).size).toBe(1);
    expect(await unitsLeft(gateway, user, 'standard')).toBe(99);
  });

  it('returns idempotency_mismatch for another body or the key of an image, but not for another account', async () => {
    const headers = key();
    await create(body, headers);
    await refused(create({ ...body, items: itemsOf('b.png') }, headers), 'idempotency_mismatch');
    const ofJob = { ...key(), prefer: 'respond-async' };
    await user.client.processImage({ body: imageForm(image, { engine: 'standard' }), headers: ofJob });
    await refused(create(body, ofJob), 'idempotency_mismatch');
    const other = await gateway.signUp();
    expect((await create(body, headers, other)).status).toBe(201);
  });

  it('can be created after an error, and returns invalid_parameter for a key of 256 characters', async () => {
    const headers = key();
    await leaveUnits(gateway, user, ['standard', 0]);
    await refused(create(body, headers), 'quota_exceeded');
    await leaveUnits(gateway, user, ['standard', 1]);
    expect((await create(body, headers)).status).toBe(201);
    await refused(create(body, { 'idempotency-key': 'k'.repeat(256) }), 'invalid_parameter');
  });
});

describe('a file of a batch', () => {
  it('fails alone when it is not an image, with its error code, and costs nothing', async () => {
    const batch = await makeBatch(user, ['a.png', 'b.png', 'c.png']);
    const [a, b, c] = batch.items;
    const bad = await putItem(
      gateway,
      { user, batch },
      { itemId: a?.id, data: '%PDF-1.7 no image', type: 'image/png' },
    );
    expect([bad.status, bad.headers.get('x-error-code')]).toEqual([415, 'unsupported_format']);
    const empty = await putItem(gateway, { user, batch }, { itemId: b?.id, data: '' });
    expect(empty.headers.get('x-error-code')).toBe('empty_file');
    expect((await putItem(gateway, { user, batch }, { itemId: c?.id, data: image })).status).toBe(200);
    const read = await readBatch(user, batch);
    expect(read.counts).toMatchObject({ failed: 2, queued: 1 });
    expect(read.items[0]?.error).toMatchObject({
      code: 'unsupported_format',
      message: expect.stringContaining('PDF'),
    });
    expect(await unitsLeft(gateway, user, 'standard')).toBe(99);
    const again = await putItem(gateway, { user, batch }, { itemId: a?.id, data: image });
    expect(await again.json()).toMatchObject({ status: 'failed', error: { code: 'unsupported_format' } });
  });

  it('can be uploaded again after a malformed form', async () => {
    const batch = await makeBatch(user, ['a.png']);
    const itemId = batch.items[0]?.id;
    const broken = await putItem(
      gateway,
      { user, batch },
      { itemId, data: '--x\r\n', type: 'multipart/form-data; boundary=x' },
    );
    expect(broken.headers.get('x-error-code')).toBe('malformed_multipart');
    const foreign = imageForm(image, { scaleFactor: '4' });
    await refused(
      user.client.putBatchItem({ params: { id: batch.id, itemId: itemId ?? '' }, body: foreign }),
      'invalid_parameter',
    );
    expect((await readBatch(user, batch)).items[0]).toMatchObject({ status: 'waiting', error: null });
    expect((await putItem(gateway, { user, batch }, { itemId, data: image })).status).toBe(200);
  });

  it('can be uploaded again after the connection broke, and fails when declared too large', async () => {
    const batch = await makeBatch(user, ['a.png', 'b.png']);
    const [a, b] = batch.items.map(({ id }) => id);
    const cookie = await cookieOf(gateway, user);
    const put = (itemId: string | undefined, length: number) => ({
      url: gateway.url,
      head: [
        `PUT /api/batches/${batch.id}/items/${itemId} HTTP/1.1`,
        `Cookie: ${cookie}`,
        'Content-Type: image/png',
        `Content-Length: ${length}`,
      ],
    });
    const objects = () =>
      gateway.ctx.db.selectFrom('objects').select('id').where('accountId', '=', user.user.id).execute();
    async function* half() {
      yield image.subarray(0, 100);
      await waitUntil(async () => (await objects()).length > 0);
      const second = await putItem(gateway, { user, batch }, { itemId: a, data: image });
      expect([second.status, second.headers.get('x-error-code')]).toEqual([409, 'item_upload_running']);
      throw new Error('the line is cut');
    }
    await expect(sendRaw({ ...put(a, image.length), body: half() })).rejects.toThrow('the line is cut');
    await waitUntil(async () => (await objects()).length === 0);
    const large = await sendRaw(put(b, 50 * 1024 * 1024 + 1));
    expect([large.status, large.headers.get('x-error-code')]).toEqual([413, 'file_too_large']);
    const { items } = await readBatch(user, batch);
    expect(items.map(({ status, error }) => [status, error?.code])).toEqual([
      ['waiting', undefined],
      ['failed', 'file_too_large'],
    ]);
    await waitUntil(async () => (await putItem(gateway, { user, batch }, { itemId: a, data: image })).ok);
  });

  it('becomes one job when uploaded repeatedly or concurrently', async () => {
    const batch = await makeBatch(user, ['a.png']);
    const itemId = batch.items[0]?.id;
    const other = await makeImage({ width: 41, height: 30 });
    const sent = [image, other, image, other, image];
    const answers = await Promise.all(sent.map((data) => putItem(gateway, { user, batch }, { itemId, data })));
    // Whichever was first, the other file isn't accepted. The same one may be sent again when the first has arrived.
    const kept = sent[answers.findIndex(({ ok }) => ok)] ?? image;
    const refused = kept === image ? other : image;
    const codes = answers.map(({ headers }) => headers.get('x-error-code'));
    expect(codes).toContain(null);
    for (const [at, code] of codes.entries())
      expect(sent[at] === kept ? [null, 'item_upload_running'] : ['item_has_file', 'item_upload_running']).toContain(
        code,
      );
    const again = await putItem(gateway, { user, batch }, { itemId, data: kept });
    expect(await again.json()).toMatchObject({ status: 'queued', jobId: itemId });
    const { ctx } = gateway;
    const bytes = Buffer.from(kept);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    for (const finished of [false, true]) {
      if (finished) await finishWithSourceHash(ctx, itemId ?? '');
      for (const data of [refused, bytes]) {
        const late = await putItem(gateway, { user, batch }, { itemId, data });
        expect([late.status, late.headers.get('x-error-code')]).toEqual([409, 'item_has_file']);
      }
      expect((await putItem(gateway, { user, batch }, { itemId, data: kept })).status).toBe(200);
    }
    const jobs = await ctx.db.selectFrom('jobs').select('id').where('accountId', '=', user.user.id).execute();
    expect(jobs).toEqual([{ id: itemId }]);
    const objects = await ctx.db.selectFrom('objects').select('state').where('accountId', '=', user.user.id).execute();
    // The result and its thumbnail.
    expect(objects.filter(({ state }) => state === 'stored')).toHaveLength(2);
  });

  it("returns batch_not_found for another account's batch, another batch, or an unknown item", async () => {
    const [mine, other] = [await makeBatch(user, ['a.png']), await makeBatch(user, ['a.png'])];
    const stranger = await gateway.signUp();
    const tries = [
      putItem(gateway, { user: stranger, batch: mine }, { itemId: mine.items[0]?.id, data: image }),
      putItem(gateway, { user, batch: mine }, { itemId: other.items[0]?.id, data: image }),
      putItem(gateway, { user, batch: mine }, { itemId: 'x', data: image }),
    ];
    for (const answer of await Promise.all(tries))
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([404, 'batch_not_found']);
    expect((await readBatch(user, mine)).counts).toMatchObject({ waiting: 1 });
  });
});
