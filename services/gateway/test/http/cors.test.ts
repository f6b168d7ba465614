import { fileFixture } from '@uprez/testing/fixtures';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { makeKey, outcome, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const friend = 'https://shop.example';
const stranger = 'https://evil.example';

let key: string;
const gateway = fileFixture(() => startTestGateway());
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
/** Write the setting, and wait until it holds. */
async function allow(...allowedOrigins: string[]): Promise<void> {
  const value = JSON.stringify({ allowedOrigins });
  await gateway.ctx.db
    .insertInto('settings')
    .values({ name: 'security', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  const expected = allowedOrigins.includes(friend) ? friend : null;
  await expect.poll(async () => allowed(await ask(friend)), { timeout: 2_000 }).toBe(expected);
}

it('pages of other origins are let in by name only, and follow the setting', async () => {
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

it('a preflight is answered with what may be sent, on any address of the public API', async () => {
  await allow(friend);
  for (const path of ['/v1/account', '/api/v1/account', '/v1/process']) {
    const { status, headers } = await preflight(friend, path);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(friend);
    expect(headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key/);
    expect(headers.get('access-control-allow-methods')).toContain('POST');
  }
});

it('errors can be read by those pages too', async () => {
  await allow(friend);
  const answer = await ask(friend, { headers: { authorization: 'Bearer none' } });
  expect([outcome(answer), allowed(answer)]).toEqual(['401 bad_api_key', friend]);
});

it('no answer allows cookies, and each says that it depends on the origin', async () => {
  await allow(friend);
  for (const answer of [await ask(friend), await ask(stranger), await ask(undefined), await preflight(friend)]) {
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('vary')).toMatch(/\bOrigin\b/i);
  }
});

it('the rest of the product stays closed to them', async () => {
  await allow(friend);
  for (const path of ['/api/user', '/api/engines', '/healthz']) {
    expect(allowed(await ask(friend, {}, path))).toBeNull();
    expect(allowed(await preflight(friend, path))).toBeNull();
  }
  expect(outcome(await ask(friend, { method: 'POST' }, '/api/logout'))).toBe('403 bad_origin');
});
