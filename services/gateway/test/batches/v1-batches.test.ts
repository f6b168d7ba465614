import { randomUUID } from 'node:crypto';
import { publicManifestSchema } from '@uprez/contracts/schemas/jobs/batch';
import { type V1Batch, v1Schemas } from '@uprez/contracts/v1/schemas';
import { toV1Schema } from '@uprez/contracts/v1/to-v1-schema';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcome } from '../support/accounts/api-keys.ts';
import { finishJob } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { expectV1Refused, json, openV1Caller, raw, type V1Caller } from '../support/v1-calls.ts';

let caller: V1Caller;
let images: Buffer[];
// Not shared: it checks the ledger of all accounts.
const gateway = fileFixture(() => startTestGateway());
beforeAll(async () => {
  images = await Promise.all([1, 2].map((seed) => makeImage({ width: 40, height: 30, seed })));
  images.push(await makeImage({ width: 40, height: 30, alpha: true }));
});
beforeEach(async () => {
  caller = await openV1Caller(gateway);
});
afterAll(async () => {
  expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
});

const items = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ client_id: `c${at}`, name: `p${at}.png` }));
const read = async (answer: Response) => (await answer.json()) as V1Batch;
const announce = async (body: object, headers: Record<string, string> = {}) => {
  const init = json(body);
  const answer = await caller.call('POST', '/v1/batches', {
    ...init,
    headers: { ...init.headers, ...headers } as HeadersInit,
  });
  return { answer, batch: await read(answer) };
};
const form = (fields: Record<string, string> = {}) => {
  const made = new FormData();
  for (const [at, image] of images.entries()) made.append('images', new Blob([new Uint8Array(image)]), `p${at}.png`);
  for (const [name, value] of Object.entries({ engine: 'standard', ...fields })) made.set(name, value);
  return made;
};
const unitsOf = async () => {
  const rows = await gateway.ctx.db
    .selectFrom('apiKeyDays')
    .select('units')
    .where('keyId', '=', caller.keyId)
    .execute();
  return rows.reduce((sum, { units }) => sum + units, 0);
};

const ignored = (...preferences: string[]) =>
  preferences.map((text) => `The preference "${text}" isn't supported and was ignored.`);

it.each([
  ['of files waits, and notes', 'respond-async, wait=5, wait=soon', ['wait=soon']],
  ['without files does not wait, and notes', 'respond-async, wait=5, return=minimal', ['wait=5', 'return=minimal']],
])('a batch %s the preferences that it ignores', async (kind, prefer, expected) => {
  const init = kind.startsWith('of files') ? { body: form() } : json({ items: items(1) });
  const headers = { ...('headers' in init && init.headers), prefer } as HeadersInit;
  const batch = await read(await caller.call('POST', '/v1/batches', { ...init, headers }));
  expect(batch.notes).toEqual(ignored(...expected));
  const again = await read(await caller.call('GET', `/v1/batches/${batch.id}`));
  expect(again.notes).toEqual([]);
});

describe('a batch with separate uploads', () => {
  it('reserves its units, accepts each file, and returns its results as one archive', async () => {
    const { answer, batch } = await announce({ recipe: { engine: 'standard', scale: 2 }, items: items(3) });
    expect([answer.status, answer.headers.get('x-credits-charged'), await unitsOf()]).toEqual([201, '3', 3]);
    expect(answer.headers.get('location')).toBe(`/v1/batches/${batch.id}`);
    expect(batch).toMatchObject({ batch_id: batch.id, status: 'active', recipe: { scale_factor: 2, format: 'jpeg' } });
    for (const [at, item] of batch.items.entries()) {
      const { pathname } = new URL(item.upload_url ?? '');
      const put = await caller.call('PUT', pathname, raw(images[at] ?? Buffer.alloc(0)));
      const taken = await put.json();
      expect(taken).toMatchObject({ id: item.id, status: 'queued', upload_url: null, job_id: item.id });
      await finishJob(gateway.ctx, taken.job_id);
    }
    const done = await read(await caller.call('GET', `/v1/batches/${batch.id}`));
    expect(done).toMatchObject({ status: 'finished', progress: 100, counts: { total: 3, completed: 3 } });
    expect(done.items.map(({ notes }) => notes.length)).toEqual([0, 0, 1]);
    expect(await unitsOf()).toBe(3);
    const zip = await caller.call('GET', `/v1/batches/${batch.id}/zip`);
    expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(Buffer.from(await zip.arrayBuffer()).toString('latin1')).toContain('p2-2x.png');
    const { data } = toV1Schema(publicManifestSchema).parse(
      await (await caller.call('GET', `/v1/batches/${batch.id}/manifest.json`)).json(),
    );
    expect(data.map(({ item_id, path, status, units }) => [item_id, path, status, units])).toEqual(
      batch.items.map(({ id }, at) => [id, `p${at}-2x.${at === 2 ? 'png' : 'jpg'}`, 'completed', 1]),
    );
    const csv = await caller.call('GET', `/v1/batches/${batch.id}/manifest.csv?name={index}`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [names, first] = (await csv.text()).split('\r\n');
    expect(names?.replace('\ufeff', '').split(',')).toEqual(Object.keys(data[0] ?? {}));
    expect(first).toContain('1.jpg');
    const rows = await gateway.ctx.db
      .selectFrom('jobs')
      .select(['surface', 'apiKeyId'])
      .where('id', '=', batch.items[0]?.job_id ?? batch.items[0]?.id ?? '')
      .execute();
    expect(rows).toEqual([{ surface: 'api', apiKeyId: caller.keyId }]);
  });

  it('refunds missing files to the account and the key when it is canceled', async () => {
    const { batch } = await announce({ recipe: { engine: 'standard' }, items: items(3) });
    const cancelled = await read(await caller.call('POST', `/v1/batches/${batch.id}/cancel`));
    expect(cancelled).toMatchObject({ status: 'cancelled', counts: { cancelled: 3 } });
    expect(await unitsOf()).toBe(0);
  });

  it('is created once when its idempotency key is sent again', async () => {
    const body = { items: items(2) };
    const [first, second] = [
      await announce(body, { 'idempotency-key': 'b' }),
      await announce(body, { 'idempotency-key': 'b' }),
    ];
    expect(second.batch.id).toBe(first.batch.id);
    expect(second.answer.headers.get('x-credits-charged')).toBe('0');
  });

  it('accepts as many files as the monthly cap of the key allows with accept_partial', async () => {
    caller = await openV1Caller(gateway, { monthlyCap: 2 });
    await expectV1Refused(gateway, () => caller.call('POST', '/v1/batches', json({ items: items(3) })), {
      status: 402,
      code: 'key_cap_exceeded',
    });
    const { batch, answer } = await announce({ items: items(3), accept_partial: true });
    expect(answer.headers.get('x-credits-charged')).toBe('2');
    expect(batch.items.map(({ status }) => status)).toEqual(['waiting', 'waiting', 'failed']);
  });

  it('retries its failed items', async () => {
    const { batch } = await announce({ recipe: { engine: 'standard' }, items: items(1) });
    const put = `/v1/batches/${batch.id}/items/${batch.items[0]?.id}`;
    expect(outcome(await caller.call('PUT', put, raw(Buffer.from('no image'))))).toBe('415 unsupported_format');
    expect(await unitsOf()).toBe(0);
    const again = await caller.call('POST', `/v1/batches/${batch.id}/retry`, json({}));
    expect([again.status, again.headers.get('x-credits-charged'), await unitsOf()]).toEqual([200, '1', 1]);
    expect((await read(again)).items[0]?.status).toBe('waiting');
    const { batch_id } = batch;
    await caller.call('POST', `/v1/batches/${batch_id}/cancel`);
  });
});

describe('a batch of one form', () => {
  it.each(['/v1/bulk', '/v1/batches'])('%s creates a job for each image and returns the batch', async (path) => {
    const answer = await caller.call('POST', path, { body: form({ async: 'true' }) });
    expect([answer.status, answer.headers.get('x-credits-charged')]).toEqual([202, '3']);
    const batch = await read(answer);
    expect(batch.items.map(({ status }) => status)).toEqual(['queued', 'queued', 'queued']);
    for (const { job_id } of batch.items) await finishJob(gateway.ctx, job_id ?? '');
    const done = await read(await caller.call('GET', `/v1/batches/${batch.id}`));
    expect(done.items.map(({ download_url }) => download_url?.split('?')[0]?.split('/').at(-1))).toEqual([
      'p0-2x.jpg',
      'p1-2x.jpg',
      'p2-2x.png',
    ]);
  });

  it('returns 422 for conflicting parameters', async () => {
    const { owner } = caller;
    await expectV1Refused(gateway, () => caller.call('POST', '/v1/bulk', { body: form({ scale: '2', factor: '3' }) }), {
      status: 422,
      code: 'conflicting_params',
      param: 'factor',
    });
    expect(owner).toBeTruthy();
  });
});

describe('GET /v1/batches', () => {
  const list = async (query = '', who = caller) => {
    const answer = await who.call('GET', `/v1/batches${query}`);
    return v1Schemas.BatchList.parse(await answer.json());
  };

  it('returns the batches of the account without items, newest first, in pages', async () => {
    const made = [];
    for (const count of [1, 2, 3]) made.unshift((await announce({ items: items(count) })).batch);
    const { data: first, next_cursor } = await list('?limit=2');
    const { data: rest, next_cursor: end } = await list(`?limit=2&cursor=${next_cursor}`);
    expect([next_cursor, end]).toEqual([made[1]?.id, null]);
    expect([...first, ...rest]).toEqual(made.map(({ items: _, notes: __, ...batch }) => batch));
    await caller.call('POST', `/v1/batches/${made[0]?.id}/cancel`);
    expect((await list('?limit=1')).data).toMatchObject([
      { status: 'cancelled', progress: 100, counts: { total: 3, cancelled: 3 } },
    ]);
  });

  it('reports the status and progress of running and finished items', async () => {
    const batch = await read(await caller.call('POST', '/v1/bulk', { body: form({ async: 'true' }) }));
    await finishJob(gateway.ctx, batch.items[0]?.job_id ?? '');
    const { items: _, notes: __, ...now } = await read(await caller.call('GET', `/v1/batches/${batch.id}`));
    expect(now).toMatchObject({ status: 'active', progress: 33, counts: { completed: 1, queued: 2 } });
    expect((await list()).data).toEqual([now]);
  });

  it('omits batches of other accounts and of the other environment', async () => {
    const { batch } = await announce({ items: items(1) });
    const inSandbox = await caller.call('POST', '/v1/sandbox/batches', json({ items: items(1) }));
    const { id } = await read(inSandbox);
    const idsOf = async (path: string, who = caller) =>
      v1Schemas.BatchList.parse(await (await who.call('GET', path)).json()).data.map((row) => row.id);
    expect(await idsOf('/v1/batches')).toEqual([batch.id]);
    expect(await idsOf('/v1/sandbox/batches')).toEqual([id]);
    expect(await idsOf('/v1/batches', await openV1Caller(gateway))).toEqual([]);
  });

  it('returns 422 for a limit, a cursor, or a parameter that is not valid', async () => {
    for (const [query, param] of [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['cursor=x', 'cursor'],
      ['page=2', 'page'],
    ])
      await expectV1Refused(gateway, () => caller.call('GET', `/v1/batches?${query}`), {
        status: 422,
        code: 'invalid_parameter',
        param: param ?? '',
      });
  });
});

it("every endpoint returns the same 404 for another account's batch and a missing one", async () => {
  const { batch } = await announce({ items: items(1) });
  const stranger = await openV1Caller(gateway);
  const visible = async (method: string, path: string) => {
    const answer = await stranger.call(method, path, method === 'PUT' ? raw(Buffer.from('x')) : {});
    const { request_id: _, ...problem } = await answer.json();
    return { status: answer.status, problem };
  };
  for (const [method, rest] of [
    ['GET', ''],
    ['POST', '/cancel'],
    ['POST', '/retry'],
    ['GET', '/zip'],
    ['PUT', `/items/${batch.items[0]?.id}`],
  ] as const) {
    const missing = await visible(method, `/v1/batches/${randomUUID()}${rest}`);
    expect(missing).toMatchObject({ status: 404, problem: { code: 'batch_not_found' } });
    expect(await visible(method, `/v1/batches/${batch.id}${rest}`)).toEqual(missing);
  }
});
