import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { broken, cutShort, file, json, openStub, type Stub } from '../test/support/open-stub.ts';
import { JobFailedError } from './errors.ts';
import { Uprez } from './uprez.ts';

let folder: string;
let stub: Stub;
let client: Uprez;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uprez-sdk-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  stub = await openStub();
  client = new Uprez({ apiKey: 'upz_live_x', baseUrl: `${stub.url}/some/path/` });
});
afterEach(() => stub.close());

const job = (more: object = {}) => ({ id: 'j1', status: 'queued', download_url: null, ...more });
const soon = { 'retry-after': '0' };

it('a file is streamed with its length; its name and the options go in the address', async () => {
  const path = join(folder, 'ä b.png');
  await writeFile(path, Buffer.alloc(300_000, 7));
  stub.answer(json(202, job(), { 'x-credits-charged': '1', 'x-cache': 'miss' }));
  const made = await client.process(path, { scale: 4, background: '#fff', format: 'png' });
  expect(made).toMatchObject({ id: 'j1', charged: 1, cached: false });
  const [call] = stub.heard;
  const { searchParams, pathname } = new URL(call?.url ?? '', stub.url);
  expect([call?.method, pathname]).toEqual(['POST', '/some/path/v1/process']);
  expect(Object.fromEntries(searchParams)).toEqual({
    filename: 'ä b.png',
    scale: '4',
    background: '#fff',
    format: 'png',
  });
  expect(call?.headers).toMatchObject({
    authorization: 'Bearer upz_live_x',
    'content-length': '300000',
    'content-type': 'application/octet-stream',
    prefer: 'respond-async',
  });
  expect(call?.body.equals(Buffer.alloc(300_000, 7))).toBe(true);
});

it('a large file is not kept in memory', async () => {
  const path = join(folder, 'large.png');
  await writeFile(path, '');
  await truncate(path, 300_000_000);
  stub.answer(json(202, job()));
  stub.forget();
  const before = process.resourceUsage().maxRSS;
  await client.process(path);
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(150_000);
});

it('what may pass is tried again with the same key and the whole file', async () => {
  const path = join(folder, 'again.png');
  await writeFile(path, 'image');
  stub.answer(json(503, { code: 'maintenance' }, soon), broken, json(202, job()));
  await client.process(path);
  expect(stub.heard.map(({ body }) => body.toString())).toEqual(['image', 'image', 'image']);
  const names = new Set(stub.heard.map(({ headers }) => headers['idempotency-key']));
  expect([...names]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

it('a stream is sent once', async () => {
  stub.answer(json(503, { code: 'maintenance', detail: 'Later.' }, soon));
  await expect(client.process(Readable.from([Buffer.from('image')]))).rejects.toMatchObject({ code: 'maintenance' });
  expect(stub.heard).toHaveLength(1);
});

it('a stream of a file is sent again, and a missing file is an error of the call', async () => {
  const path = join(folder, 'stream.png');
  await writeFile(path, 'image');
  stub.answer(json(503, { code: 'maintenance' }, soon), json(202, job()));
  await client.process(createReadStream(path), { filename: 'other.png' });
  expect(stub.heard.map(({ url, body }) => [url, String(body)])).toEqual(
    Array(2).fill(['/some/path/v1/process?filename=other.png', 'image']),
  );
  await expect(client.process(createReadStream(join(folder, 'none.png')))).rejects.toMatchObject({ code: 'ENOENT' });
});

it('an address is sent as JSON, never in the address of the call', async () => {
  stub.answer(json(202, job()));
  await client.process('https://images.example/a.png?token=secret', { scale: 2 });
  expect(stub.heard[0]?.url).toBe('/some/path/v1/process');
  expect(JSON.parse(String(stub.heard[0]?.body))).toEqual({
    scale: 2,
    image_url: 'https://images.example/a.png?token=secret',
  });
});

it('a refusal is told with all that the service says', async () => {
  const problem = { code: 'invalid_parameter', detail: 'Too much.', param: 'scale', max_scale: 128, hint: 'Less.' };
  stub.answer(json(422, { ...problem, status: 422, request_id: 'r1', documentation_url: 'https://d' }));
  const error = await client
    .process(Buffer.from('x'))
    .waitFor()
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: 'ApiError', code: 'invalid_parameter', status: 422, message: 'Too much.' });
  expect(error).toMatchObject({ param: 'scale', maxScale: 128, hint: 'Less.', requestId: 'r1' });
});

it('a redirect is not followed, so the key stays here', async () => {
  stub.answer((response) => response.writeHead(302, { location: '/elsewhere' }).end());
  await expect(client.account()).rejects.toMatchObject({
    code: 'unexpected_answer',
    message: expect.stringContaining('redirect'),
  });
  expect(stub.heard).toHaveLength(1);
});

it('an answer that breaks off is asked for again; one that is no JSON is no answer', async () => {
  stub.answer(cutShort, json(200, { plan: { key: 'pro' } }), file('<html>'));
  expect(await client.account()).toMatchObject({ plan: { key: 'pro' } });
  await expect(client.account()).rejects.toMatchObject({ code: 'unexpected_answer' });
});

it('nobody waits as long as the service asks for when that is too long', async () => {
  stub.answer(json(429, { code: 'rate_limited', detail: 'Slowly.' }, { 'retry-after': '3600' }));
  await expect(client.account()).rejects.toMatchObject({ code: 'rate_limited' });
});

it('what might have been heard is not said twice, where that would do something twice', async () => {
  stub.answer(broken);
  await expect(client.webhooks.create({ url: 'https://x.example' })).rejects.toMatchObject({
    code: 'connection_failed',
  });
  expect(stub.heard).toHaveLength(1);
});

it('a result is written whole, without the key, though it broke off once', async () => {
  const target = join(folder, 'result.png');
  const link = (name: string) => job({ status: 'completed', download_url: `${stub.url}/${name}?sig=1` });
  stub.answer(
    json(202, job()),
    json(200, job({ status: 'processing' })),
    json(200, link('a')),
    cutShort,
    file('whole'),
  );
  await client.process(Buffer.from('x'), { filename: 'x.png' }).toFile(target);
  expect(await readFile(target, 'utf8')).toBe('whole');
  const last = stub.heard.at(-1);
  expect([last?.url, last?.headers.authorization]).toEqual(['/a?sig=1', undefined]);
  expect((await readdir(folder)).filter((name) => name.includes('part'))).toEqual([]);
});

it('a link that has gone is asked for anew', async () => {
  const links = ['old', 'new'].map((name) => job({ status: 'completed', download_url: `${stub.url}/${name}` }));
  stub.answer(json(200, links[0]), json(404, { code: 'job_not_found' }), json(200, links[1]), file('bytes'));
  const found = await client.jobs.get('j1');
  expect(String(await client.jobs.download(found).toBuffer())).toBe('bytes');
});

it('a job that fails, or takes too long, ends the wait', async () => {
  const failed = job({ status: 'failed', error: { code: 'processing_crashed', message: 'It broke.' } });
  stub.answer(json(200, failed), json(200, job()));
  const error = await client.jobs.waitFor('j1').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(JobFailedError);
  expect(error).toMatchObject({ code: 'processing_crashed', job: { id: 'j1' } });
  await expect(client.jobs.waitFor('j1', { timeoutMs: 0 })).rejects.toMatchObject({ code: 'wait_timeout' });
});

it('an abort ends a wait with its reason', async () => {
  stub.answer(json(200, job()));
  const controller = new AbortController();
  const onProgress = () => controller.abort(new Error('enough'));
  await expect(client.jobs.waitFor('j1', { signal: controller.signal, onProgress })).rejects.toThrow('enough');
});

it('pages follow each other', async () => {
  stub.answer(
    json(200, { data: [{ id: 'a' }], next_cursor: 'c' }),
    json(200, { data: [{ id: 'b' }], next_cursor: null }),
  );
  const ids = [];
  for await (const { id } of client.jobs.all({ limit: 1 })) ids.push(id);
  expect(ids).toEqual(['a', 'b']);
  expect(stub.heard[1]?.url).toBe('/some/path/v1/jobs?limit=1&cursor=c');
});

it('the sandbox has addresses of its own', async () => {
  stub.answer(json(200, { data: [], next_cursor: null }));
  await new Uprez({ apiKey: 'k', baseUrl: stub.url, sandbox: true }).jobs.list();
  expect(stub.heard[0]?.url).toBe('/v1/sandbox/jobs');
});

it('without a key or an address it says so', () => {
  expect(() => new Uprez({ baseUrl: stub.url, apiKey: '' })).toThrow('UPREZ_API_KEY');
  expect(() => new Uprez({ apiKey: 'k', baseUrl: 'nonsense' })).toThrow('UPREZ_URL');
});
