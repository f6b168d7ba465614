import { limits } from '@uprez/contracts/policy/limits';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { changeKeyRow } from '../support/accounts/api-keys.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { openAccessGateway } from '../support/open-access-gateway.ts';
import { countTraces } from '../support/traces.ts';
import { openV1Caller, type V1Caller } from '../support/v1-calls.ts';

const gateway = fileFixture(() => openAccessGateway());
const caller = fileFixture<V1Caller>(() => openV1Caller(gateway, { tier: 'api_pro' }));

const checked = makeCheckedFetch(fetch);
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const callTool = (name: string, args: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: args },
});
type Sent = { body?: unknown; headers?: Record<string, string>; method?: string; path?: string };
const send = ({ body = list, headers = {}, method = 'POST', path = '/mcp' }: Sent = {}) =>
  checked(gateway.url + path, {
    method,
    headers: {
      ...{ authorization: `Bearer ${caller.key}`, accept: 'application/json, text/event-stream' },
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const outcome = async (response: Response) => [response.status, response.headers.get('x-error-code')];
/** The messages of a stream. */
const readEvents = async (response: Response) =>
  (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));

it('answers with a stream of events that no proxy keeps, and without a session', async () => {
  const response = await send();
  expect(Object.fromEntries(response.headers)).toMatchObject({
    ...{ 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' },
  });
  expect(response.headers.get('mcp-session-id')).toBeNull();
  const [{ id, result }] = await readEvents(response);
  expect([id, result.tools.length]).toEqual([1, 6]);
  const notified = await send({ body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  expect([notified.status, await notified.text()]).toEqual([202, '']);
});

it('answers several messages of one request', async () => {
  const body = [1, 2].map((id) => ({ ...callTool('get_account', {}), id }));
  const messages = await readEvents(await send({ body }));
  expect(messages.map(({ id }) => id).sort()).toEqual([1, 2]);
});

it('calls no tool of a request with too many messages', async () => {
  const calls = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ ...callTool('get_account', {}), id: id + 1 }));
  const refused = await send({ body: calls(limits.mcpMessages + 1) });
  expect([refused.status, refused.headers.get('content-type')]).toEqual([400, expect.stringContaining('json')]);
  expect(await refused.json()).toEqual({
    jsonrpc: '2.0',
    error: { code: -32_600, message: 'A request can contain up to 5 messages. Send the others in further requests.' },
    id: null,
  });
  const accepted = await readEvents(await send({ body: calls(limits.mcpMessages) }));
  expect(accepted).toHaveLength(limits.mcpMessages);
});

describe('a request that is not accepted', () => {
  it('returns 401 without a valid key, before its body is read', async () => {
    for (const authorization of ['', 'Basic abc', 'Bearer upz_live_wrong', `Bearer ${caller.key.slice(0, -1)}`]) {
      const refused = await send({ headers: { authorization }, body: '{' });
      expect(await outcome(refused), authorization).toEqual([401, 'bad_api_key']);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect(await outcome(await send({ path: `/mcp?api_key=${caller.key}` }))).toEqual([401, 'bad_api_key']);
    const revoked = await openV1Caller(gateway, { owner: caller.owner });
    await changeKeyRow(gateway, revoked.keyId, { isActive: false });
    const headers = { authorization: `Bearer ${revoked.key}` };
    expect(await outcome(await send({ headers }))).toEqual([401, 'bad_api_key']);
  });

  it('returns 405 for other methods, and 404 below its URL', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const refused = await fetch(`${gateway.url}/mcp`, { method, headers: { accept: 'text/event-stream' } });
      expect([refused.status, refused.headers.get('allow')], method).toEqual([405, 'POST']);
      expect(await refused.json()).toMatchObject({ status: 405, hint: 'Use POST.' });
    }
    expect((await send({ path: '/mcp/other' })).status).toBe(404);
  });

  it.each(['https://evil.example', 'null', 'http://127.0.0.1'])('returns 403 for a page of %s', async (origin) => {
    // A page whose host name points here sends it as the host, too.
    const headers = { origin, host: origin.replace(/^https?:\/\//, '') };
    expect(await outcome(await send({ headers }))).toEqual([403, 'bad_origin']);
  });

  it('serves pages of its own origin, and of origins that administrators allow', async () => {
    expect((await send({ headers: { origin: 'http://images.example' } })).status).toBe(200);
    const origin = 'https://assistant.example';
    const admin = await signUpAdmin(gateway);
    const path = `${gateway.url}/api/admin/security/settings`;
    const settings = await (await admin.fetch(path)).json();
    const changed = await admin.fetch(path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...settings, allowedOrigins: [origin] }),
    });
    expect(changed.status).toBe(200);
    const allowed = await send({ headers: { origin } });
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    const preflight = await fetch(`${gateway.url}/mcp`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('MCP-Protocol-Version'),
    ]);
  });

  it('serves pages of origins that the API key allows', async () => {
    const origin = 'https://editor.example';
    await changeKeyRow(gateway, caller.keyId, { allowedOrigins: [origin] });
    await expect.poll(async () => (await send({ headers: { origin } })).status, { timeout: 10_000 }).toBe(200);
    expect((await send({ headers: { origin } })).headers.get('access-control-allow-origin')).toBe(origin);
  });

  it('returns an error for bodies that are too large, malformed, encoded, or no messages', async () => {
    const before = await countTraces(gateway.ctx);
    const image = 'A'.repeat(limits.jsonImageBytes);
    const large = await send({ body: callTool('upscale_image', { image }) });
    expect(await outcome(large)).toEqual([413, 'file_too_large']);
    expect(await large.json()).toMatchObject({
      detail: expect.stringContaining('15 MB. Send larger images as "image_url"'),
      meta: { limit: limits.jsonImageBytes },
    });
    expect(await outcome(await send({ body: '{"jsonrpc":' }))).toEqual([400, 'malformed_body']);
    expect(await outcome(await send({ body: '{"id":1,"id":2}' }))).toEqual([400, 'malformed_body']);
    expect(await outcome(await send({ headers: { 'content-encoding': 'gzip' } }))).toEqual([
      415,
      'unsupported_encoding',
    ]);
    const crowd = JSON.stringify(Array.from({ length: limits.jsonValues + 2 }, () => 1));
    expect(await outcome(await send({ body: crowd }))).toEqual([400, 'malformed_body']);
    const statuses = [
      await send({ body: { any: 1 } }),
      await send({ body: Array.from({ length: limits.mcpMessages + 1 }, (_, id) => ({ ...list, id })) }),
      await send({ headers: { 'mcp-protocol-version': '1999-01-01' } }),
      await send({ headers: { accept: 'application/json' } }),
      await send({ headers: { 'content-type': 'text/plain' } }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 400, 400, 406, 415]);
    expect(await countTraces(gateway.ctx)).toEqual(before);
  });
});

it('processes an image in a body that is larger than those of other requests', async () => {
  const noise = await makeImage({ width: 480, height: 360, seed: 5 });
  const image = noise.toString('base64');
  expect(image.length).toBeGreaterThan(limits.bodyBytes);
  const [{ result }] = await readEvents(await send({ body: callTool('estimate', { image }) }));
  expect(result.structuredContent).toMatchObject({
    width: 960,
    height: 720,
    original_size: { file_size: noise.length },
  });
});

it('reads the images of several messages from their places, and names a large text that is no image', async () => {
  const widths = [500, 400];
  const images = await Promise.all(widths.map((width) => makeImage({ width, height: 300, seed: width })));
  const texts = [...images.map((image) => `data:image/png;base64,${image.toString('base64')}`), '!'.repeat(100_000)];
  const body = texts.map((image, id) => ({ ...callTool('estimate', { image, scale_factor: 1 }), id }));
  const answers = await readEvents(await send({ body }));
  const results = answers.toSorted((a, b) => a.id - b.id).map(({ result }) => result);
  expect(results.slice(0, 2).map(({ structuredContent }) => structuredContent.width)).toEqual(widths);
  expect(results[2]).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('must be base64') }] });
});

it('counts free work for the IP address of its caller', async () => {
  const { key } = await openV1Caller(gateway, { owner: caller.owner, kind: 'test' });
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' };
  const image = (await makeImage({ width: 40, height: 30 })).toString('base64');
  const body = callTool('upscale_image', { image, engine: 'standard', wait_seconds: 0 });
  const upscale = async (address: string) =>
    (await readEvents(await gateway.sendFrom(address, '/mcp', { body, headers })))[0].result;
  const most = limits.freeSeconds * 1_000;
  await gateway.deps.counters.spend('203.0.113.8', { cost: most, most, windowMs: 60_000 });
  const rejected = await upscale('203.0.113.8');
  expect(rejected.isError).toBe(true);
  expect(JSON.stringify(rejected.content)).toContain('Your network has used up its free processing time.');
  expect((await upscale('203.0.113.9')).isError).toBeFalsy();
});

it('makes requests of the API with the IP address and program of its caller', async () => {
  const { key, keyId } = await openV1Caller(gateway, { owner: caller.owner, scopes: ['read'] });
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' };
  const body = callTool('estimate', { width: 10, height: 10 });
  const answer = await gateway.sendFrom('203.0.113.7', '/mcp', { body, headers: { ...headers, 'x-country': 'FR' } });
  expect((await readEvents(answer))[0].result.isError).toBe(true);
  const [rejected] = await gateway.waitFor({ keyId, kind: 'rejected' });
  expect(rejected).toMatchObject({
    path: '/v1/estimate',
    status: 403,
    address: '203.0.113.7',
    country: 'FR',
    agent: 'tests',
  });
});
