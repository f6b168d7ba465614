import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { createClient } from '@uprez/client/create-client';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { rateClassOf, rateLimits } from '@uprez/contracts/policy/rate-limits';
import { afterSeconds } from '@uprez/db/times';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeCookieFetch, signUp } from '@uprez/testing/sign-up';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestGateway } from '../support/start-test-gateway.ts';

/** Scales the limits down so that a test can exceed them. */
const scale = 0.02;
const reads = rateLimits.reads.calls * scale;

const first = fileFixture(() => startTestGateway({ RATE_LIMIT_SCALE: String(scale) }));
/** Another instance behind the same load balancer: same database, Redis, and limits. */
const second = fileFixture(() =>
  startTestGateway({
    RATE_LIMIT_SCALE: String(scale),
    DATABASE_URL: first.ctx.databaseUrl,
    QUEUE_PREFIX: first.ctx.redis.prefix,
    DATA_DIR: first.ctx.dataDir,
  }),
);

/** An instance with other counters, where accounts sign up. */
const generous = fileFixture(() =>
  startTestGateway({
    DATABASE_URL: first.ctx.databaseUrl,
    QUEUE_PREFIX: `${first.ctx.redis.prefix}-other`,
    DATA_DIR: first.ctx.dataDir,
  }),
);
const account = () => signUp(generous.url);

describe('requests of one session', () => {
  it('are counted across gateways, reported in headers, and return 429 over the limit', async () => {
    const { fetch } = await account();
    const send = (at: number) => fetch(`${at % 2 ? first.url : second.url}/api/user`);
    const answers = await Promise.all(Array.from({ length: 3 * reads }, (_, at) => send(at)));
    const served = answers.filter((answer) => answer.status === 200);
    expect(served).toHaveLength(reads);
    expect(served.map((answer) => answer.headers.get('ratelimit-limit'))).toContain(String(reads));
    const left = served.map((answer) => Number(answer.headers.get('ratelimit-remaining')));
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: reads }, (_, at) => at));
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused).toHaveLength(2 * reads);
    for (const answer of refused) {
      expect(answer.headers.get('x-error-code')).toBe('rate_limited');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(answer.headers.get('ratelimit-remaining')).toBe('0');
    }
  });

  it('do not count for another session from the same IP address', async () => {
    const { fetch } = await account();
    expect((await fetch(`${first.url}/api/user`)).status).toBe(200);
  });

  it.each([
    ['permission_missing', 'viewer', false],
    ['read_only_view', 'support', true],
  ] as const)(
    'are counted when they are rejected with %s, so that rows of the audit log are limited',
    async (code, role, views) => {
      const [{ fetch, user }, other] = [await account(), await account()];
      const { db } = first.ctx;
      await db.updateTable('users').set({ role }).where('id', '=', user.id).execute();
      const view = { id: randomUUID(), userId: other.user.id, adminId: user.id, endsAt: afterSeconds(600) };
      await db.insertInto('accountViews').values(view).execute();
      if (views) await db.updateTable('sessions').set({ viewAsId: view.id }).where('userId', '=', user.id).execute();
      const writes = rateLimits.writes.calls * scale;
      const answers = [];
      for (let sent = 0; sent < 2 * writes; sent += 1)
        answers.push(await fetch(`${first.url}/api/admin/users/${other.user.id}`, { method: 'PATCH' }));
      const codes = answers.map((answer) => answer.headers.get('x-error-code'));
      expect(codes).toEqual([...Array(writes).fill(code), ...Array(writes).fill('rate_limited')]);
    },
  );

  it('are not limited while an administrator has disabled rate limits', async () => {
    const { fetch } = await account();
    const value = JSON.stringify({ rateLimitEnabled: false });
    await first.ctx.db.insertInto('settings').values({ name: 'security', value }).execute();
    first.ctx.settings.forget('security');
    await expect.poll(async () => (await fetch(`${first.url}/api/user`)).headers.get('ratelimit-limit')).toBeNull();
    for (let i = 0; i < 2 * reads; i++) expect((await fetch(`${first.url}/api/user`)).status).toBe(200);
    await first.ctx.db.deleteFrom('settings').execute();
    // The gateway keeps settings for a second.
    await expect.poll(async () => (await fetch(`${first.url}/api/user`)).headers.get('ratelimit-limit')).not.toBeNull();
  });
});

/** Sends a request and resets the connection at once, so that the gateway can't read its IP address. */
const sendAndReset = () =>
  new Promise<void>((resolve) => {
    const { hostname, port } = new URL(first.url);
    const socket = net.connect(Number(port), hostname, () => {
      socket.write('GET /api/plans HTTP/1.1\r\nHost: a\r\n\r\n', () => socket.resetAndDestroy());
    });
    socket.once('close', () => resolve()).on('error', () => {});
  });

it('limits pages that read the database like reads of the API, and no other pages', async () => {
  const strict = await startTestGateway({ RATE_LIMIT_SCALE: String(scale) });
  onTestFinished(strict.close);
  const open = async (path: string) => (await fetch(strict.url + path, { headers: { accept: 'text/html' } })).status;
  for (let sent = 1; sent < reads; sent += 1) expect(await open('/help-center/?a=b&search=credits')).toBe(200);
  expect((await fetch(`${strict.url}/api/help/search?q=credits`)).status).toBe(200);
  const stored = ['/help-center?search=credits', '/help-center', '/status/', '/status/incidents/a', '/blog', '/blog/a'];
  for (const path of [...stored, '/about', '/careers/a', '/terms-of-service', '/privacy-policy?a=b', '/api/status'])
    expect([path, await open(path)]).toEqual([path, 429]);
  for (const path of ['/', '/pricing', '/documentation']) expect([path, await open(path)]).toEqual([path, 200]);
});

describe('requests that reach Stripe', () => {
  it('are counted per account, over all sessions and endpoints, and below the other writes', async () => {
    const strict = await startTestGateway({ RATE_LIMIT_SCALE: '0.2' });
    onTestFinished(strict.close);
    const allowed = rateLimits.billing.calls * 0.2;
    const user = await strict.signUp();
    const second = await signUp(strict.url);
    const otherSession = createClient(apiRoutes, { baseUrl: strict.url, fetch: makeCookieFetch() });
    await otherSession.login({ body: { email: user.email, password: user.password } });
    const codeOf = (call: Promise<unknown>) =>
      call.then(
        () => 'ok',
        (error) => error.code as string,
      );
    const codes: string[] = [];
    for (let at = 0; at < allowed; at += 2) {
      codes.push(await codeOf(user.client.previewChange({ body: { priceId: 'pro' } })));
      codes.push(await codeOf(otherSession.refreshBilling({ body: {} })));
    }
    expect(new Set(codes)).toEqual(new Set(['billing_not_configured']));
    for (const { client } of [user, { client: otherSession }])
      expect(await codeOf(client.createSubscription({ body: { priceId: 'pro' } }))).toBe('rate_limited');
    expect(await codeOf(second.client.refreshBilling({ body: {} }))).toBe('billing_not_configured');
    expect(await codeOf(user.client.updateProfile({ body: { firstName: 'Ada' } }))).toBe('ok');
    expect((await user.client.billing()).data.tier).toBe('free');
  });

  it('are all those of users whose endpoints can return billing_unavailable', () => {
    const names = (Object.keys(routes) as RouteName[]).filter(
      (name) =>
        endpoints[name].auth === 'session' &&
        (endpoints[name].errors as readonly string[]).includes('billing_unavailable'),
    );
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => rateClassOf(name) !== 'billing')).toEqual([]);
  });
});

describe('requests whose connections are reset', () => {
  it('do not switch off the limits of other clients', async () => {
    const { fetch } = await account();
    const codes: number[] = [];
    const wanted = 3 * reads;
    const reset = async () => {
      while (codes.length < wanted) await sendAndReset();
    };
    const hammer = async () => {
      while (codes.length < wanted) codes.push((await fetch(`${first.url}/api/user`)).status);
    };
    await Promise.all([reset(), reset(), reset(), reset(), hammer()]);
    expect(codes.filter((status) => status === 429)).toHaveLength(wanted - reads);
  });
});

describe('sign-in', () => {
  it('is limited by IP address even when rate limits are disabled', async () => {
    const fresh = await startTestGateway({ RATE_LIMIT_SCALE: '0.1' });
    const value = JSON.stringify({ rateLimitEnabled: false });
    await fresh.ctx.db.insertInto('settings').values({ name: 'security', value }).execute();
    const client = createClient(apiRoutes, { baseUrl: fresh.url });
    const codes = [];
    for (let i = 0; i < 8; i++) {
      const body = { email: `nobody-${i}@example.test`, password: 'a guess of mine' };
      codes.push(await client.login({ body }).then(String, (error) => error.code));
    }
    const checked = codes.filter((code) => code === 'bad_credentials');
    expect(checked).toHaveLength(rateLimits.auth.calls * 0.1);
    expect(codes.slice(-3)).toEqual(['rate_limited', 'rate_limited', 'rate_limited']);
    await fresh.close();
  });
});

describe('proofs by password', () => {
  it('are limited per account over all endpoints and sessions, also correct ones, and when rate limits are disabled', async () => {
    const fresh = await startTestGateway({ RATE_LIMIT_SCALE: '0.1' });
    onTestFinished(fresh.close);
    const value = JSON.stringify({ rateLimitEnabled: false });
    await fresh.ctx.db.insertInto('settings').values({ name: 'security', value }).execute();
    const [user, other] = [await fresh.signUp(), await signUp(fresh.url)];
    const second = createClient(apiRoutes, { baseUrl: fresh.url, fetch: makeCookieFetch() });
    const { email, password } = user;
    await second.login({ body: { email, password } });
    await user.client.stepUp({ body: { password } });
    await second.stepUp({ body: { password } });
    await user.client.requestExport({ body: { password } });
    const limited = expect.objectContaining({ code: 'rate_limited' });
    await expect(second.stepUp({ body: { password } })).rejects.toEqual(limited);
    await expect(user.client.setUpTwoFactor({ body: { password } })).rejects.toEqual(limited);
    expect((await other.client.stepUp({ body: { password: other.password } })).status).toBe(204);
  });
});

describe('while Redis is unavailable', () => {
  const lost = fileFixture(() =>
    startTestGateway({
      RATE_LIMIT_SCALE: String(scale),
      DATABASE_URL: first.ctx.databaseUrl,
      DATA_DIR: first.ctx.dataDir,
      REDIS_URL: 'redis://127.0.0.1:9',
    }),
  );

  it('sign-in returns service_unavailable', async () => {
    const refused = await createClient(apiRoutes, { baseUrl: lost.url })
      .login({ body: { email: 'a@example.test', password: 'a guess of mine' } })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'service_unavailable' });
  });

  it('other requests are counted in memory, and reported as fallbacks', async () => {
    const { fetch } = await account();
    const codes: number[] = [];
    for (let i = 0; i < 2 * reads; i++) codes.push((await fetch(`${lost.url}/api/user`)).status);
    expect(codes).toEqual([...Array(reads).fill(200), ...Array(reads).fill(429)]);
    const metrics = await (await fetch(`${lost.operatorUrl}/metrics`)).text();
    const counted = /^rate_limit_fallbacks_total\{class="reads"\} (\d+)$/m.exec(metrics)?.[1];
    expect(Number(counted)).toBe(2 * reads);
  });
});

describe('an error of the counter that is not about Redis', () => {
  it('fails its own request and leaves the limits of the others in place', async () => {
    const { fetch } = await account();
    let calls = 0;
    const redis = {
      rateLimit: (...args: unknown[]) => {
        const done = args.at(-1) as (error: Error | null, counted?: [number, number]) => void;
        calls += 1;
        if (calls === 1) done(new TypeError('no such property'));
        else done(null, [calls - 1, 60_000]);
      },
      rateLimitRead: () => {},
    };
    const broken = await startTestGateway(
      { RATE_LIMIT_SCALE: String(scale), DATABASE_URL: first.ctx.databaseUrl, DATA_DIR: first.ctx.dataDir },
      undefined,
      ({ counters }) => ({ counters: { ...counters, redis } }),
    );
    const codes: number[] = [];
    for (let i = 0; i < reads + 2; i++) codes.push((await fetch(`${broken.url}/api/user`)).status);
    expect(codes).toEqual([500, ...Array(reads).fill(200), 429]);
    await broken.close();
  });
});
