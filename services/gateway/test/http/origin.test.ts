import { randomUUID } from 'node:crypto';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeJob } from '@uprez/testing/make-job';
import { imageForm } from '@uprez/testing/sign-up';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeKey, outcome, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { finishJob } from '../support/finish-job.ts';
import { publicHost, startTestGateway } from '../support/start-test-gateway.ts';
import { countTraces } from '../support/traces.ts';

let jobId: string;
const asynchronous = { prefer: 'respond-async' };
// Not shared: it changes settings.
const gateway = fileFixture(() => startTestGateway());
const user = fileFixture(() => gateway.signUp());
const image = await makeImage({ width: 40, height: 30 });
beforeAll(async () => {
  const { data } = await user.client.processImage({ body: imageForm(image), headers: asynchronous });
  jobId = data.id;
});

const json = { 'content-type': 'application/json' };
const account = () => JSON.stringify({ email: `${randomUUID()}@example.test`, password: 'secret77' });
type Write = () => { method: string; path: string; body?: BodyInit; headers?: Record<string, string> };
const writes: [string, Write][] = [
  ['registration', () => ({ method: 'POST', path: '/api/register', body: account(), headers: json })],
  [
    'sign-in',
    () => ({
      method: 'POST',
      path: '/api/login',
      body: JSON.stringify({ email: user.email, password: user.password }),
      headers: json,
    }),
  ],
  ['upload', () => ({ method: 'POST', path: '/api/images/process', body: imageForm(image), headers: asynchronous })],
  ['deletion', () => ({ method: 'DELETE', path: `/api/jobs/${jobId}` })],
  ['sign-out', () => ({ method: 'POST', path: '/api/logout' })],
];
const hostile: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: `https://${publicHost}.evil.example` },
  { origin: `http://${publicHost}:81` },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
];

const send = (write: Write, headers: Record<string, string>) => {
  const { path, headers: own, ...init } = write();
  return user.fetch(`${gateway.url}${path}`, { ...init, headers: { ...own, ...headers } });
};
const everything = async () => {
  const { db } = gateway.ctx;
  const rows = await db.selectFrom('sessions').select('idHash').execute();
  const users = await db.selectFrom('users').select('id').execute();
  const jobs = await db.selectFrom('jobs').select(['id', 'status', 'version']).execute();
  return { traces: await countTraces(gateway.ctx), sessions: rows.length, users: users.length, jobs };
};

it.each(writes)('%s: returns 403 from each other site and changes nothing', async (_name, write) => {
  const before = await everything();
  for (const headers of hostile) {
    const response = await send(write, headers);
    expect([headers, response.status, response.headers.get('x-error-code')]).toEqual([headers, 403, 'bad_origin']);
    expect(response.headers.getSetCookie()).toEqual([]);
  }
  expect(await everything()).toEqual(before);
});

describe('a read', () => {
  it('returns 200 for any origin', async () => {
    for (const headers of hostile) expect((await user.fetch(`${gateway.url}/api/user`, { headers })).status).toBe(200);
  });
});

describe('a write from the same site', () => {
  it.each([
    ['the host of the request', () => ({ origin: gateway.url })],
    ['the public URL', () => ({ origin: `http://${publicHost}`, 'sec-fetch-site': 'same-origin' })],
    ['a client that is no browser', () => ({})],
    ['a browser that sends no Origin', () => ({ 'sec-fetch-site': 'same-origin' })],
  ])('is accepted from %s', async (_what, headers) => {
    for (const [, write] of writes.slice(0, 3)) expect((await send(write, headers())).status).toBeLessThan(300);
  });
});

describe('CORS of the public API', () => {
  const friend = 'https://shop.example';
  const stranger = 'https://evil.example';

  let key: string;
  const owner = fileFixture(() => signUpWithPlan(gateway));
  beforeAll(async () => {
    ({ key } = await makeKey(owner));
  });
  afterEach(async () => {
    await gateway.ctx.db.deleteFrom('settings').execute();
  });

  const ask = (origin: string | undefined, init: RequestInit = {}, path = '/v1/account') =>
    fetch(gateway.url + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...(origin && { origin }), ...init.headers },
    });
  const preflight = (origin: string, path?: string) =>
    ask(
      origin,
      {
        method: 'OPTIONS',
        headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      },
      path,
    );
  const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');
  /** Writes the setting and waits until it is in force. */
  async function allow(...allowedOrigins: string[]): Promise<void> {
    const value = JSON.stringify({ allowedOrigins });
    await gateway.ctx.db
      .insertInto('settings')
      .values({ name: 'security', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
    const expected = allowedOrigins.includes(friend) ? friend : null;
    await expect.poll(async () => allowed(await ask(friend)), { timeout: 10_000 }).toBe(expected);
  }

  it('allows only the origins in the settings, immediately after they change', async () => {
    expect([allowed(await ask(friend)), allowed(await preflight(friend))]).toEqual([null, null]);
    await allow(friend);
    expect([allowed(await ask(stranger)), allowed(await preflight(stranger)), allowed(await ask('null'))]).toEqual([
      null,
      null,
      null,
    ]);
    const answer = await ask(friend);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/RateLimit-Remaining.*X-Request-Id/);
    await allow();
  });

  it('answers preflight requests for every URL of the public API with the allowed headers and methods', async () => {
    await allow(friend);
    for (const path of ['/v1/account', '/api/v1/account', '/v1/process']) {
      const { status, headers } = await preflight(friend, path);
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(friend);
      expect(headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key/);
      expect(headers.get('access-control-allow-methods')).toContain('POST');
    }
  });

  it('includes results, by their signed URL and by their job, with the headers that a page reads', async () => {
    await allow(friend);
    const { job } = await makeJob(gateway.ctx, { accountId: owner.user.id, plan: currentPlans.api_basic });
    await finishJob(gateway.ctx, job.id, 'the bytes of a result');
    const path = `/v1/jobs/${job.id}`;
    const { download_url: link } = (await (await ask(friend, {}, path)).json()) as { download_url: string };
    const { pathname, search } = new URL(link);
    for (const url of [pathname + search, `${path}/result`]) {
      const [own, other] = [await ask(friend, {}, url), await ask(stranger, {}, url)];
      expect([own.status, await own.text(), allowed(own)]).toEqual([200, 'the bytes of a result', friend]);
      expect(own.headers.get('access-control-expose-headers')).toMatch(/Content-Disposition/);
      expect([other.status, allowed(other)]).toEqual([200, null]);
      expect(allowed(await preflight(friend, url))).toBe(friend);
    }
    const expired = await ask(friend, {}, `${pathname}?exp=1&sig=x`);
    expect([expired.status, allowed(expired)]).toEqual([404, friend]);
  });

  it('is sent with errors, too', async () => {
    await allow(friend);
    const answer = await ask(friend, { headers: { authorization: 'Bearer none' } });
    expect([outcome(answer), allowed(answer)]).toEqual(['401 bad_api_key', friend]);
  });

  it('never allows credentials, and always sends Vary: Origin', async () => {
    await allow(friend);
    for (const answer of [await ask(friend), await ask(stranger), await ask(undefined), await preflight(friend)]) {
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('vary')).toMatch(/\bOrigin\b/i);
    }
  });

  it('excludes endpoints outside the public API', async () => {
    await allow(friend);
    for (const path of ['/api/user', '/api/engines', '/healthz']) {
      expect(allowed(await ask(friend, {}, path))).toBeNull();
      expect(allowed(await preflight(friend, path))).toBeNull();
    }
    expect(outcome(await ask(friend, { method: 'POST' }, '/api/logout'))).toBe('403 bad_origin');
  });
});

it.each(['/api/login', '/mcp'])('lets rejected writes to %s wait for the turns of their network', async (path) => {
  const limited = await startTestGateway({ RATE_LIMIT_SCALE: '0.02' });
  onTestFinished(limited.close);
  const write = () => fetch(limited.url + path, { method: 'POST', headers: { origin: 'https://other.example' } });
  const responses = await Promise.all(Array.from({ length: 40 }, write));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([403, 429]));
});
