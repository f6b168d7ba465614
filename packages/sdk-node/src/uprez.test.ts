import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { dropped, file, interrupted, json, openStub, type Stub } from '../test/support/open-stub.ts';
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
const retryNow = { 'retry-after': '0' };

it('streams a file with its length, and sends its name and options in the query string', async () => {
  const path = join(folder, 'ä b.png');
  await writeFile(path, Buffer.alloc(300_000, 7));
  stub.reply(json(202, job(), { 'x-credits-charged': '1' }));
  const made = await client.process(path, { scale: 4, background: '#fff', format: 'png' });
  expect(made).toMatchObject({ id: 'j1', charged: 1 });
  const [call] = stub.requests;
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

it('leaves the length of bytes to fetch, because undici rejects a second one', async () => {
  const sent: RequestInit[] = [];
  const record: typeof fetch = async (url, init) => {
    sent.push(init ?? {});
    return fetch(url, init);
  };
  const recorded = new Uprez({ apiKey: 'upz_live_x', baseUrl: stub.url, fetch: record });
  stub.reply(json(202, job()));
  await recorded.process(new Uint8Array(300));
  expect(new Headers(sent[0]?.headers).has('content-length')).toBe(false);
  expect(stub.requests[0]?.headers).toMatchObject({ 'content-length': '300' });
});

it('does not buffer a large file in memory', async () => {
  const path = join(folder, 'large.png');
  await writeFile(path, '');
  await truncate(path, 300_000_000);
  stub.reply(json(202, job()));
  stub.discardBodies();
  const before = process.resourceUsage().maxRSS;
  await client.process(path);
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(150_000);
}, 60_000);

it('retries transient errors with the same idempotency key and the whole file', async () => {
  const path = join(folder, 'again.png');
  await writeFile(path, 'image');
  stub.reply(json(503, { code: 'maintenance' }, retryNow), dropped, json(202, job()));
  await client.process(path);
  expect(stub.requests.map(({ body }) => body.toString())).toEqual(['image', 'image', 'image']);
  const names = new Set(stub.requests.map(({ headers }) => headers['idempotency-key']));
  expect([...names]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

it('does not retry a stream', async () => {
  stub.reply(json(503, { code: 'maintenance', detail: 'Later.' }, retryNow));
  await expect(client.process(Readable.from([Buffer.from('image')]))).rejects.toMatchObject({ code: 'maintenance' });
  expect(stub.requests).toHaveLength(1);
});

it('retries an unread file stream, and throws if the file is missing', async () => {
  const path = join(folder, 'stream.png');
  await writeFile(path, 'image');
  stub.reply(json(503, { code: 'maintenance' }, retryNow), json(202, job()));
  await client.process(createReadStream(path), { filename: 'other.png' });
  expect(stub.requests.map(({ url, body }) => [url, String(body)])).toEqual(
    Array(2).fill(['/some/path/v1/process?filename=other.png', 'image']),
  );
  await expect(client.process(createReadStream(join(folder, 'none.png')))).rejects.toMatchObject({ code: 'ENOENT' });
});

it('sends an image with a mask as a form, and again after an error', async () => {
  const [path, maskPath] = [join(folder, 'a "b".png'), join(folder, 'mask.png')];
  await writeFile(path, Buffer.alloc(300_000, 7));
  await writeFile(maskPath, Buffer.alloc(50, 9));
  stub.reply(json(503, {}, retryNow), json(202, job()), json(202, job()));
  await client.process(path, { scale: 4, cache: false, mask: maskPath });
  await client.process(Readable.from([Buffer.alloc(10, 7)]), { mask: Buffer.alloc(50, 9) });
  const [first, second, streamed] = stub.requests;
  expect(first?.url).toBe('/some/path/v1/process');
  expect(first?.headers['content-length']).toBe(String(first?.body.length));
  expect(second?.body.equals(first?.body as Buffer)).toBe(true);
  const read = ({ headers, body }: Stub['requests'][number]) =>
    new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  const form = await read(first as Stub['requests'][number]);
  expect([form.get('scale'), form.get('cache'), form.get('filename')]).toEqual(['4', 'false', null]);
  const [image, mask] = [form.get('image') as File, form.get('mask') as File];
  expect([image.name, image.size, mask.size]).toEqual(['a "b".png', 300_000, 50]);
  const small = await read(streamed as Stub['requests'][number]);
  expect(Buffer.from(await (small.get('image') as File).arrayBuffer())).toEqual(Buffer.alloc(10, 7));
});

it('sends the mask of an image URL as base64', async () => {
  stub.reply(json(202, job()));
  await client.process('https://example.com/a.png', { mask: Buffer.from('png') });
  expect(JSON.parse(String(stub.requests[0]?.body))).toEqual({ image_url: 'https://example.com/a.png', mask: 'cG5n' });
});

it('sends an image URL as JSON, not in the query string', async () => {
  stub.reply(json(202, job()));
  await client.process('https://images.example/a.png?token=secret', { scale: 2 });
  expect(stub.requests[0]?.url).toBe('/some/path/v1/process');
  expect(JSON.parse(String(stub.requests[0]?.body))).toEqual({
    scale: 2,
    image_url: 'https://images.example/a.png?token=secret',
  });
});

it('throws ApiError with all fields of the response', async () => {
  const problem = { code: 'invalid_parameter', detail: 'Too much.', param: 'scale', max_scale: 128, hint: 'Less.' };
  stub.reply(json(422, { ...problem, status: 422, request_id: 'r1', documentation_url: 'https://d' }));
  const error = await client
    .process(Buffer.from('x'))
    .waitFor()
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: 'ApiError', code: 'invalid_parameter', status: 422, message: 'Too much.' });
  expect(error).toMatchObject({ param: 'scale', maxScale: 128, hint: 'Less.', requestId: 'r1' });
});

it('does not follow redirects with the API key', async () => {
  stub.reply((response) => response.writeHead(302, { location: '/elsewhere' }).end());
  await expect(client.account()).rejects.toMatchObject({
    code: 'unexpected_answer',
    message: expect.stringContaining('redirect'),
  });
  expect(stub.requests).toHaveLength(1);
});

it('retries an interrupted response, and throws if the response is not JSON', async () => {
  stub.reply(interrupted, json(200, { plan: { key: 'pro' } }), file('<html>'));
  expect(await client.account()).toMatchObject({ plan: { key: 'pro' } });
  await expect(client.account()).rejects.toMatchObject({ code: 'unexpected_answer' });
});

it('does not retry when Retry-After exceeds the limit', async () => {
  stub.reply(json(429, { code: 'rate_limited', detail: 'Slowly.' }, { 'retry-after': '3600' }));
  await expect(client.account()).rejects.toMatchObject({ code: 'rate_limited' });
});

it('does not retry an unsafe request after a connection error', async () => {
  stub.reply(dropped);
  await expect(client.webhooks.create({ url: 'https://x.example' })).rejects.toMatchObject({
    code: 'connection_failed',
  });
  expect(stub.requests).toHaveLength(1);
});

it('writes the complete result after an interruption, without sending the API key', async () => {
  const target = join(folder, 'result.png');
  const link = (name: string) => job({ status: 'completed', download_url: `${stub.url}/${name}?sig=1` });
  stub.reply(
    json(202, job()),
    json(200, job({ status: 'processing' })),
    json(200, link('a')),
    interrupted,
    file('whole'),
  );
  await client.process(Buffer.from('x'), { filename: 'x.png' }).toFile(target);
  expect(await readFile(target, 'utf8')).toBe('whole');
  const last = stub.requests.at(-1);
  expect([last?.url, last?.headers.authorization]).toEqual(['/a?sig=1', undefined]);
  expect((await readdir(folder)).filter((name) => name.includes('part'))).toEqual([]);
});

it('downloads the result by its ID when the download URL has expired', async () => {
  const old = job({ status: 'completed', download_url: `${stub.url}/old` });
  stub.reply(json(200, old), json(404, { code: 'job_not_found' }), file('bytes'));
  const found = await client.jobs.get('j1');
  expect(String(await client.jobs.download(found).toBuffer())).toBe('bytes');
  const last = stub.requests.at(-1);
  expect([last?.url, last?.headers.authorization]).toEqual(['/some/path/v1/jobs/j1/result', 'Bearer upz_live_x']);
  expect(last?.headers.accept).toBe('*/*');
});

it('throws when the job fails or the timeout passes', async () => {
  const failed = job({ status: 'failed', error: { code: 'processing_crashed', message: 'It broke.' } });
  stub.reply(json(200, failed), json(200, job()));
  const error = await client.jobs.waitFor('j1').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(JobFailedError);
  expect(error).toMatchObject({ code: 'processing_crashed', job: { id: 'j1' } });
  await expect(client.jobs.waitFor('j1', { timeoutMs: 0 })).rejects.toMatchObject({ code: 'wait_timeout' });
});

it('throws the reason of an aborted signal', async () => {
  stub.reply(json(200, job()));
  const controller = new AbortController();
  const onProgress = () => controller.abort(new Error('enough'));
  await expect(client.jobs.waitFor('j1', { signal: controller.signal, onProgress })).rejects.toThrow('enough');
});

it('iterates over all pages', async () => {
  stub.reply(
    json(200, { data: [{ id: 'a' }], next_cursor: 'c' }),
    json(200, { data: [{ id: 'b' }], next_cursor: null }),
  );
  const ids = [];
  for await (const { id } of client.jobs.all({ limit: 1 })) ids.push(id);
  expect(ids).toEqual(['a', 'b']);
  expect(stub.requests[1]?.url).toBe('/some/path/v1/jobs?limit=1&cursor=c');
});

it('uses the sandbox paths with the sandbox option', async () => {
  stub.reply(json(200, { data: [], next_cursor: null }));
  await new Uprez({ apiKey: 'k', baseUrl: stub.url, sandbox: true }).jobs.list();
  expect(stub.requests[0]?.url).toBe('/v1/sandbox/jobs');
});

it('throws without an API key or a URL', () => {
  expect(() => new Uprez({ baseUrl: stub.url, apiKey: '' })).toThrow('UPREZ_API_KEY');
  expect(() => new Uprez({ apiKey: 'k', baseUrl: 'nonsense' })).toThrow('UPREZ_URL');
});
