import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { problemMediaType, v1ProblemSchema } from '@uprez/contracts/errors/problem';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { createKeySecret } from '@uprez/domain/api-keys/key-secret';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { isFullRun } from '@uprez/testing/config';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/accounts/access-table.ts';
import { openAccountCalls } from '../support/accounts/accounts.ts';
import {
  ageKey,
  askAccount,
  changeKeyRow,
  makeKey,
  outcome,
  setPlan,
  signUpWithPlan,
} from '../support/accounts/api-keys.ts';
import { cookieOf } from '../support/batches.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const withKey = (Object.keys(routes) as RouteName[]).filter((name) => endpoints[name].auth === 'key');
const refused = '401 bad_api_key';
const checked = makeCheckedFetch(fetch);

const gateway = shareTestGateway();
const owner = fileFixture(() => signUpWithPlan(gateway));
const session = fileFixture(async () => ({ cookie: await cookieOf(gateway, await gateway.signUp()) }));

const call = async (name: RouteName, headers: Record<string, string>) =>
  outcome(await ask(gateway.url, checked, { name, headers }));
const withSecret = (name: RouteName, key: string) => call(name, { authorization: `Bearer ${key}` });
const account = async (key: string, headers?: Record<string, string>) =>
  outcome(await askAccount(gateway, key, headers));

/** One read and one write: a hook checks the key of all endpoints. */
const oneOfEach = ['GET', 'POST'].flatMap((method) => withKey.find((name) => routes[name].method === method) ?? []);

describe('every endpoint of the public API', () => {
  const scopes = ['process', 'read', 'webhooks'];
  /** Keys without one of the scopes, in their order. */
  const limited = fileFixture(async () =>
    Promise.all(scopes.map((scope) => makeKey(owner, { scopes: scopes.filter((other) => other !== scope) }))),
  );
  const elsewhere = fileFixture(() => makeKey(owner, { addresses: ['192.0.2.0/24', '2001:db8::/32'] }));

  it.each(withKey)('%s: checks the key, its scopes, and its IP addresses', async (name) => {
    expect(await call(name, {})).toBe(refused);
    expect(await withSecret(name, createKeySecret('live'))).toBe(refused);
    const { scope } = endpoints[name] as { scope?: string };
    // Tools of `/mcp` make requests of endpoints with scopes.
    if (scope) expect(await withSecret(name, limited[scopes.indexOf(scope)]?.key ?? '')).toBe('403 wrong_scope');
    expect(await withSecret(name, elsewhere.key)).toBe('403 address_not_allowed');
  });
});

describe.each(oneOfEach)('%s', (name) => {
  const owner = fileFixture(() => signUpWithPlan(gateway));

  it('returns 401 without a key, whatever is sent instead', async () => {
    const { key } = await makeKey(owner);
    const { cookie } = session;
    const instead: Record<string, string>[] = [
      {},
      { cookie },
      { authorization: key },
      { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
      { authorization: `Bearer ${key} x` },
      { authorization: 'Bearer' },
      { 'x-api-key': key },
    ];
    for (const headers of instead) expect(await call(name, headers)).toBe(refused);
  });

  it('returns 401 for an unknown, disabled, expired, or deleted key', async () => {
    expect(await withSecret(name, createKeySecret('live'))).toBe(refused);
    const { key, id } = await makeKey(owner, { scopes: ['process', 'read', 'webhooks'] });
    expect(await withSecret(name, key)).not.toBe(refused);
    await changeKeyRow(gateway, id, { isActive: false });
    expect(await withSecret(name, key)).toBe(refused);
    await changeKeyRow(gateway, id, { isActive: true, expiresAt: new Date(0) });
    expect(await withSecret(name, key)).toBe(refused);
    await owner.client.deleteApiKey({ params: { id } });
    expect(await withSecret(name, key)).toBe(refused);
  });

  it('returns an error when the plan lacks API access or the account is suspended or deleted', async () => {
    const user = await signUpWithPlan(gateway);
    const { key } = await makeKey(user, { scopes: ['process', 'read', 'webhooks'] });
    for (const tier of ['pro', 'free'] as const) {
      await setPlan(gateway, user, tier);
      expect(await withSecret(name, key)).toBe('403 plan_feature');
    }
    const sandbox = await makeKey(user, { kind: 'test', scopes: ['process', 'read'] });
    expect(outcome(await askAccount(gateway, sandbox.key))).toBe('200');
    await setPlan(gateway, user, 'enterprise');
    const { change } = openAccountCalls(gateway);
    await change(user, { suspendedAt: new Date() });
    expect(await withSecret(name, key)).toBe(refused);
    await gateway.ctx.db.deleteFrom('users').where('id', '=', user.user.id).execute();
    expect(await withSecret(name, key)).toBe(refused);
  });
});

describe('an example whose key was not replaced', () => {
  it.each([
    ['Bearer YOUR_API_KEY', 'replace YOUR_API_KEY with your API key'],
    ['Bearer $UPREZ_API_KEY', 'replace $UPREZ_API_KEY with your API key'],
    ['Bearer upz_test_abcd...6789', 'this is the preview of an API key'],
    ['Bearer', 'the API key is empty'],
  ])('returns 401 for "%s" with a message that says what to do', async (authorization, words) => {
    const answer = await fetch(`${gateway.url}/v1/account`, { headers: { authorization } });
    expect(outcome(answer)).toBe(refused);
    const { detail, hint } = await answer.json();
    expect(detail).toContain(words);
    expect(hint).toContain('API Keys');
  });
});

describe('a key', () => {
  it('in the query returns 401, even beside a valid header', async () => {
    const { key } = await makeKey(owner);
    for (const parameter of ['api_key', 'apikey', 'API-KEY', 'access_token'])
      for (const headers of [{}, { authorization: `Bearer ${key}` }] as Record<string, string>[]) {
        const answer = await checked(`${gateway.url}/v1/account?x=1&${parameter}=${key}`, { headers });
        expect(outcome(answer)).toBe(refused);
      }
  });

  it('is not accepted where a session is required', async () => {
    const { key } = await makeKey(owner);
    for (const path of ['/api/user', '/api/api-keys', '/api/jobs'])
      expect(outcome(await fetch(gateway.url + path, { headers: { authorization: `Bearer ${key}` } }))).toBe(
        '401 not_signed_in',
      );
  });

  const guesses = isFullRun ? 10_000 : 200;

  it(`with a wrong checksum returns 401 ${guesses} times without a database`, async () => {
    const lost = await startTestGateway({ DATABASE_URL: 'postgres://nobody:none@127.0.0.1:9/nothing' });
    const send = (key: string) =>
      fetch(`${lost.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } }).then(async (answer) => {
        await answer.arrayBuffer();
        return outcome(answer);
      });
    // A key with a correct checksum is looked up, so the others were not.
    expect(await send(createKeySecret('live'))).toBe('503 service_unavailable');
    const outcomes = new Map<string, number>();
    for (let round = 0; round < guesses / 100; round++) {
      const keys = Array.from({ length: 100 }, () => spoil(createKeySecret('live')));
      for (const told of await Promise.all(keys.map(send))) outcomes.set(told, (outcomes.get(told) ?? 0) + 1);
    }
    expect([...outcomes]).toEqual([[refused, guesses]]);
    await lost.close();
  });
});

/** Returns the key with another last character. */
const spoil = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

describe('GET /v1/account', () => {
  it('returns the plan, the quota, and the key', async () => {
    const user = await signUpWithPlan(gateway, 'api_pro');
    const { key, id, expiresAt } = await makeKey(user, {
      kind: 'test',
      monthlyCap: 70,
      expiresAt: '2099-01-01T00:00:00Z',
    });
    const answer = await askAccount(gateway, key);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { shared } = currentPlans.api_pro.included;
    const body = await answer.json();
    expect(body).toMatchObject({
      plan: { key: 'api_pro', name: 'API Pro' },
      calls_per_minute: currentPlans.api_pro.callsPerMinute,
      hard_stop: true,
      quota: [{ meter: 'shared', included: shared, granted: 0, used: 0, left: shared }],
      key: {
        id,
        name: 'CI',
        kind: 'test',
        scopes: ['process', 'read'],
        expires_at: expiresAt,
        monthly_cap: 70,
        units_this_month: 0,
      },
    });
    expect(Date.parse(body.quota[0].resets_at)).toBeGreaterThan(Date.now());
  });

  it('returns the same under /api/v1', async () => {
    const { key } = await makeKey(owner);
    const askAt = (path: string) => fetch(gateway.url + path, { headers: { authorization: `Bearer ${key}` } });
    expect(await (await askAt('/api/v1/account')).json()).toEqual(await (await askAt('/v1/account')).json());
  });
});

describe('an error of the public API', () => {
  it.each(['/v1/account', '/api/v1/account', '/v1/nothing', '/v1', '/v1/%ZZ'])(
    '%s: is a problem document with request ID and documentation link for any Accept header',
    async (path) => {
      for (const accept of ['*/*', 'text/html', problemMediaType]) {
        const answer = await fetch(gateway.url + path, { headers: { accept } });
        expect(answer.headers.get('content-type')).toBe(problemMediaType);
        const problem = v1ProblemSchema.strict().parse(await answer.json());
        expect(problem).toMatchObject({
          status: answer.status,
          code: answer.headers.get('x-error-code'),
          request_id: answer.headers.get('x-request-id'),
          documentation_url: `http://images.example/documentation#${problem.code}`,
        });
        if (answer.status !== 401) continue;
        expect(problem.detail).toContain('Unauthorized');
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
    },
  );

  it('has meta fields in snake_case', async () => {
    const user = await signUpWithPlan(gateway);
    const { key } = await makeKey(user);
    await setPlan(gateway, user, 'pro');
    const { code, meta } = await (await askAccount(gateway, key)).json();
    expect({ code, meta }).toEqual({ code: 'plan_feature', meta: { unlocked_by: 'api_basic' } });
  });
});

it('names the unpaid bill that ended the plan', async () => {
  const user = await signUpWithPlan(gateway);
  const { key } = await makeKey(user);
  const month = { from: new Date('2026-10-20'), until: new Date('2026-11-20') };
  const { db } = gateway.ctx;
  const bought = await makePaidPlan(db, { accountId: user.user.id, tier: 'api_pro', ...month, status: 'open' });
  await setPlan(gateway, user, 'free');
  const ended = { status: 'canceled', endedAt: new Date('2026-10-27'), latestInvoiceId: bought.invoiceId };
  await db.updateTable('subscriptions').set(ended).where('id', '=', bought.subscriptionId).execute();
  const { detail, code } = await (await askAccount(gateway, key)).json();
  expect({ detail, code }).toEqual({
    code: 'plan_feature',
    detail:
      "Your API Pro plan ended on Oct 27, 2026 because your bill of $49.00 wasn't paid. Choose a plan on the pricing page to continue.",
  });
  const paid = { status: 'paid' as const, number: 'A-1' };
  await db.updateTable('invoices').set({ status: 'void', number: 'A-1' }).where('id', '=', bought.invoiceId).execute();
  expect((await (await askAccount(gateway, key)).json()).detail).toContain('because your bill A-1 of $49.00');
  await db.updateTable('invoices').set(paid).where('id', '=', bought.invoiceId).execute();
  expect((await (await askAccount(gateway, key)).json()).detail).toContain("Your plan doesn't include the API.");
});

describe('API calls', () => {
  const row = (id: string) =>
    gateway.ctx.db.selectFrom('apiKeys').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  it('are counted when sent at once, and rejected ones count as errors', async () => {
    const { key, id } = await makeKey(owner);
    await Promise.all(Array.from({ length: 60 }, () => account(key)));
    await changeKeyRow(gateway, id, { addresses: ['192.0.2.1'] });
    await Promise.all(Array.from({ length: 20 }, () => account(key)));
    expect(await row(id)).toMatchObject({ usageCount: 80, lastAddress: '127.0.0.1' });
    const { data: days } = await owner.client.apiKeyUsage({ params: { id } });
    expect(days.at(-1)).toMatchObject({ calls: 80, errors: 20 });
  });

  it('of several gateways are added', async () => {
    const second = await startTestGateway({
      DATABASE_URL: gateway.ctx.databaseUrl,
      QUEUE_PREFIX: gateway.ctx.redis.prefix,
      DATA_DIR: gateway.ctx.dataDir,
    });
    const { key, id } = await makeKey(owner);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) => askAccount(at % 2 ? second : gateway, key)),
    );
    expect(new Set(answers.map(outcome))).toEqual(new Set(['200']));
    expect((await row(id)).usageCount).toBe(60);
    await second.close();
  });

  it('are limited per minute by the plan or the key, whichever is lower', async () => {
    const scale = 0.05;
    const strict = await startTestGateway({
      RATE_LIMIT_SCALE: String(scale),
      DATABASE_URL: gateway.ctx.databaseUrl,
      QUEUE_PREFIX: `${gateway.ctx.redis.prefix}-strict`,
      DATA_DIR: gateway.ctx.dataDir,
    });
    const [ofPlan, ofOwn, greedy] = [
      await makeKey(owner),
      await makeKey(owner, { callsPerMinute: 60 }),
      await makeKey(owner, { callsPerMinute: 9_999 }),
    ];
    const { callsPerMinute } = currentPlans.api_basic;
    for (const [{ key }, perMinute] of [
      [ofPlan, callsPerMinute],
      [ofOwn, 60],
      [greedy, callsPerMinute],
    ] as const) {
      const max = perMinute * scale;
      const answers: Response[] = [];
      for (let i = 0; i < max + 2; i++) answers.push(await askAccount(strict, key));
      expect(answers.map(outcome)).toEqual([...Array(max).fill('200'), '429 rate_limited', '429 rate_limited']);
      for (const family of ['ratelimit', 'x-ratelimit']) {
        const told = (name: string) => answers.map(({ headers }) => Number(headers.get(`${family}-${name}`)));
        expect(told('limit')).toEqual(Array(max + 2).fill(max));
        expect(told('remaining')).toEqual([...Array.from({ length: max }, (_, at) => max - 1 - at), 0, 0]);
        for (const seconds of told('reset')) expect(seconds).toBeLessThanOrEqual(60);
      }
      expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await strict.close();
  });

  it('are rejected after the key expires', async () => {
    const { key, id } = await makeKey(owner, { expiresAt: new Date(Date.now() + 7_200_000).toISOString() });
    await ageKey(gateway, id, 1);
    expect(await account(key)).toBe('200');
    await ageKey(gateway, id, 1);
    expect(await account(key)).toBe(refused);
  });
});
