import fs from 'node:fs/promises';
import path from 'node:path';
import { limits } from '@uprez/contracts/policy/limits';
import { rateLimits } from '@uprez/contracts/policy/rate-limits';
import { publicReadinessSchema, readinessSchema } from '@uprez/contracts/schemas/health';
import { openWorkerRegistry } from '@uprez/queue/open-worker-registry';
import { fileFixture } from '@uprez/testing/fixtures';
import { signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { security, signUpAdmin, site } from '../support/accounts/admin-calls.ts';
import { checkSecurityHeaders, makeCheckedFetch } from '../support/checked-fetch.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { publicHost, startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it reads the metrics of the gateway.
const gateway = fileFixture(() => startTestGateway());
const anonymous = makeCheckedFetch(fetch);

const browserAccept = 'text/html,application/xhtml+xml';
const get = async (path: string, accept = browserAccept, method = 'GET') => {
  const response = await fetch(`${gateway.url}${path}`, { method, headers: { accept } });
  checkSecurityHeaders(response.headers);
  return { response, text: await response.text() };
};
const readyz = async (base: string) => {
  const response = await fetch(`${base}/readyz`);
  return { status: response.status, state: readinessSchema.parse(await response.json()) };
};
const publicReadyz = async (base: string) => {
  const response = await fetch(`${base}/readyz`);
  return { status: response.status, state: publicReadinessSchema.parse(await response.json()) };
};

describe('the web app', () => {
  describe.each([browserAccept, '*/*', 'text/*', ''])('for "Accept: %s"', (accept) => {
    it.each([
      ...['/', '/dashboard', '/dashboard/', '/pricing?plan=pro', '/documentation/reference'].map(
        (p) => [200, p] as const,
      ),
      ...['/anything/at/all', '/apiary', '/assets', '/dashboard/nothing', '//'].map((p) => [404, p] as const),
      // Paths that can't be decoded.
      ...['/blog/%zz', '/help-center/%E0%A4%A', '/%'].map((p) => [404, p] as const),
    ])('returns %d with its page at %s', async (status, path) => {
      const { response, text } = await get(path, accept);
      expect(response.status).toBe(status);
      expect(response.headers.get('x-error-code')).toBe(status === 404 ? 'not_found' : null);
      expect(response.headers.get('content-type')).toContain('text/html');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(text).toContain('<div id="root">');
    });
  });

  it('returns 200 at / to a request without an Accept header', async () => {
    const { status, body } = await sendRaw({ url: gateway.url, head: ['GET / HTTP/1.1'] });
    expect(status).toBe(200);
    expect(body).toContain('<div id="root">');
  });

  it('sends the prerendered page at / to visitors only', async () => {
    const user = await signUp(gateway.url);
    for (const path of ['/', '/?from=mail']) {
      const { response, text } = await get(path);
      expect(text).toContain(`<h1>Upscale</h1>http://${publicHost}/v1`);
      expect(response.headers.get('vary')).toContain('cookie');
      const app = await user.fetch(`${gateway.url}${path}`, { headers: { accept: browserAccept } });
      expect(await app.text()).toContain('<div id="root"><noscript>');
      expect(app.headers.get('vary')).toContain('cookie');
    }
    expect((await get('/landing.html')).response.status).toBe(404);
  });

  it('sends the page of the documentation with its title, and not by its file name', async () => {
    for (const path of ['/documentation', '/documentation?tab=reference', '/documentation/']) {
      const { response, text } = await get(path);
      expect(response.status).toBe(200);
      expect(text).toContain(`<noscript>http://${publicHost}/v1</noscript>`);
      expect(text).toContain('<title>Documentation');
    }
    expect((await get('/documentation.html')).response.status).toBe(404);
  });

  it.each(['/v2/process', '/v0', '/v2?a=b', '/api/v2/jobs'])(
    'says at %s that the API has only version 1',
    async (path) => {
      const { response, text } = await get(path);
      expect([response.status, response.headers.get('x-error-code')]).toEqual([404, 'not_found']);
      expect(text).toContain('The only version of the API is v1.');
      expect(text).not.toContain('<html');
    },
  );

  it.each(['//v1/account', '/V1/account', '/API/user'])('returns an error without HTML at %s', async (path) => {
    const { response, text } = await get(path);
    expect([response.status, response.headers.get('x-error-code')]).toEqual([404, 'not_found']);
    expect(text).not.toContain('<html');
  });

  it('leads from the API explorer to the documentation that is readable without JavaScript', async () => {
    const { text } = await get('/documentation/reference');
    const [, shown = ''] = /<div id="root"><noscript>(.*)<\/noscript><\/div>/s.exec(text) ?? [];
    expect(shown).toContain('<h1>API explorer</h1>');
    expect(shown).toContain('needs JavaScript');
    const links = [...shown.matchAll(/ href="([^"]+)"/g)].map(([, path]) => path);
    expect(links).toEqual([
      '/documentation',
      '/v1/openapi.json',
      '/v1/postman.json',
      '/llms.txt',
      '/',
      '/help-center',
      '/contact',
    ]);
  });

  it.each([
    ['/pricing', 'Pricing', 'This page needs JavaScript.'],
    ['/nothing', '404 Page Not Found', "This page doesn't exist or has moved."],
  ])('says without JavaScript what %s is, and where to go', async (path, title, next) => {
    const { text } = await get(path);
    const [, shown = ''] = /<div id="root"><noscript>(.*)<\/noscript><\/div>/s.exec(text) ?? [];
    expect(shown).toContain(`<h1>${title}</h1>`);
    expect(shown).toContain(next);
    expect(shown).toContain('<a href="/contact">Contact</a>');
  });

  it('sends its page with each 404, also for a matching ETag', async () => {
    const { response } = await get('/nothing');
    const headers = { accept: browserAccept, 'if-none-match': response.headers.get('etag') ?? '' };
    const again = await fetch(`${gateway.url}/nothing`, { headers });
    expect(again.status).toBe(404);
    expect(await again.text()).toContain('<div id="root">');
  });

  it('returns the same status for HEAD as for GET', async () => {
    expect((await get('/dashboard', 'text/html', 'HEAD')).response.status).toBe(200);
    expect((await get('/nothing', 'text/html', 'HEAD')).response.status).toBe(404);
  });

  it('serves assets with immutable caching for a year', async () => {
    const { response } = await get('/assets/app-1a2b.js', '*/*');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    ['/assets/app-gone.js', '*/*'],
    ['/assets/app-1a2b.js.map', '*/*'],
    ['/dashboard', 'application/json'],
    ['/nothing', 'image/png'],
    ['/api/dashboard', 'text/html'],
    ['/v1/dashboard', 'text/html'],
    ['/v1/dashboard', '*/*'],
    ['/api/nothing', '*/*'],
    ['/../package.json', '*/*'],
    ['/assets/..%2f..%2f..%2fetc/passwd', '*/*'],
    ['/.id', '*/*'],
  ])('returns 404 at %s for "Accept: %s"', async (path, accept) => {
    const { response } = await get(path, accept);
    expect(response.status).toBe(404);
    expect(response.headers.get('x-error-code')).toBe('not_found');
  });

  it.each(['/api/nothing', '/v1/nothing', '/assets/app-gone.js'])('sends no page at %s', async (path) => {
    const { response, text } = await get(path, '*/*');
    expect(response.headers.get('content-type')).not.toContain('text/html');
    expect(text).not.toContain('<div id="root">');
  });

  it('serves llms.txt with the public URL of the API', async () => {
    const { response, text } = await get('/llms.txt', '*/*');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toContain(`Base URL \`http://${publicHost}/v1\``);
    const again = await fetch(`${gateway.url}/llms.txt`, {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('allows only its own scripts', async () => {
    const policy = (await get('/')).response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    for (const rule of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
  });
});

describe('without a built web app', () => {
  it('serves only the API', async () => {
    const bare = await startTestGateway({ WEB_DIR: '/nonexistent' });
    const response = await fetch(`${bare.url}/`, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(404);
    expect((await fetch(`${bare.url}/healthz`)).status).toBe(200);
    await bare.close();
  });
});

describe('health', () => {
  it('is served at both ports', async () => {
    for (const base of [gateway.url, gateway.operatorUrl]) {
      const response = await fetch(`${base}/healthz`);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ status: 'ok' });
    }
  });

  it('is ready with its database, storage, and Redis', async () => {
    const checks = {
      database: 'ok',
      storage: 'ok',
      redis: 'ok',
      disk: 'ok',
      redisSettings: 'ok',
      inspection: 'ok',
      ...(process.platform === 'linux' && { descriptors: 'ok' }),
    };
    for (const base of [gateway.url, gateway.operatorUrl]) {
      const { status, state } = await readyz(base);
      expect(status).toBe(200);
      expect(state).toMatchObject({ ready: true, checks, workers: [] });
      expect(['full', 'user-namespace', 'none']).toContain(state.checks.jail);
    }
  });

  it('is not ready with the storage of another product, and returns the reason only to operators', async () => {
    const idFile = path.join(gateway.ctx.dataDir, 'objects/.id');
    const id = await fs.readFile(idFile, 'utf8');
    await fs.writeFile(idFile, 'another id\n');
    try {
      const inside = await readyz(gateway.operatorUrl);
      expect(inside).toMatchObject({ status: 503, state: { ready: false, checks: { database: 'ok' } } });
      expect(inside.state.checks.storage).toContain('is not the folder that setup prepared');
      const failed = { status: 503, state: { ready: false, checks: { storage: 'failed' } } };
      await expect.poll(() => publicReadyz(gateway.url), { timeout: 5_000 }).toMatchObject(failed);
    } finally {
      await fs.writeFile(idFile, id);
    }
    await expect.poll(async () => (await publicReadyz(gateway.url)).status, { timeout: 5_000 }).toBe(200);
  });

  it('is not ready without its database, and API calls return 503 with Retry-After', async () => {
    const lonely = await startTestGateway({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' });
    const inside = await readyz(lonely.operatorUrl);
    expect(inside).toMatchObject({ status: 503, state: { ready: false, checks: { storage: expect.any(String) } } });
    expect(inside.state.checks.database).toContain('ECONNREFUSED');
    expect(JSON.stringify((await publicReadyz(lonely.url)).state)).not.toMatch(/127\.0\.0\.1|secret|ECONN/);
    const response = await fetch(`${lonely.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@b.test', password: 'secret77' }),
    });
    expect(response.status).toBe(503);
    expect(response.headers.get('x-error-code')).toBe('service_unavailable');
    expect(response.headers.get('retry-after')).toBe('5');
    await lonely.close();
  });

  it('names workers only to operators', async () => {
    const { id, ...worker } = {
      id: 'host-7-ab12',
      engines: ['standard'],
      installing: [],
      device: 'cpu',
      networks: [],
      slots: 1,
      jail: 'full',
    } as const;
    const registry = openWorkerRegistry(gateway.ctx.redis);
    await waitUntil(async () => {
      const lists = { engines: [...worker.engines], installing: [], customModels: {}, networks: [], printProfiles: [] };
      await registry.announce({ id, pool: 'gold', ...worker, ...lists });
      return ((await readyz(gateway.operatorUrl)).state.workers ?? []).some((known) => known.id === id);
    });
    await expect.poll(async () => (await publicReadyz(gateway.url)).state.workers).toEqual([worker]);
    await registry.withdraw(id);
    await registry.close();
  });

  it('shares one check among public callers, and limits them by IP address without database or Redis', async () => {
    let checks = 0;
    const strict = await startTestGateway(
      {
        RATE_LIMIT_SCALE: '0.01',
        DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none',
        REDIS_URL: 'redis://127.0.0.1:1',
      },
      undefined,
      ({ registry }) => {
        const list = async () => {
          checks += 1;
          return [];
        };
        return { registry: { ...registry, list } };
      },
    );
    const calls = rateLimits.readiness.calls * 0.01;
    const answers = await Promise.all(Array.from({ length: calls + 3 }, () => fetch(`${strict.url}/readyz`)));
    const codes = answers.map(({ status }) => status);
    expect(codes.filter((status) => status === 503)).toHaveLength(calls);
    expect(codes.filter((status) => status === 429)).toHaveLength(3);
    // One for each second that the calls took.
    expect([1, 2]).toContain(checks);
    await strict.close();
  });

  it.each([
    ['descriptors', { open: 81 }],
    ['disk', { free: limits.freeDiskBytes - 1 }],
    ['inspection', { waiting: limits.inspectionBacklog + 1 }],
  ])('is not ready without room for %s', async (name, state) => {
    const { open, free, waiting } = {
      open: 80,
      free: limits.freeDiskBytes,
      waiting: limits.inspectionBacklog,
      ...state,
    };
    const full = await startTestGateway({}, undefined, ({ inspector }) => ({
      inspector: { ...inspector, waiting: () => waiting },
      resources: { readDescriptors: async () => ({ open, limit: 100 }), readFreeBytes: async () => free },
    }));
    const { status, state: inside } = await readyz(full.operatorUrl);
    const failed = Object.entries(inside.checks).filter(([key, value]) => key !== 'jail' && value !== 'ok');
    expect([status, failed.map(([key]) => key)]).toEqual([503, [name]]);
    expect((await publicReadyz(full.url)).state.checks[name]).toBe('failed');
    await full.close();
  });

  it('serves metrics only at the operator port', async () => {
    expect((await fetch(`${gateway.operatorUrl}/metrics`)).status).toBe(200);
    expect((await get('/metrics', '*/*')).response.status).toBe(404);
  });
});

describe('configuration', () => {
  const env = {
    DATABASE_URL: 'postgres://u@h/d',
    REDIS_URL: 'redis://h:1',
    STORAGE: 'disk',
    SESSION_SECRET: 's'.repeat(32),
    URL_SECRET: 'u'.repeat(32),
    VAULT_SECRET: 'v'.repeat(32),
    NODE_ENV: 'production',
  };

  it('L8: requires HTTPS in production except on localhost', () => {
    expect(() => readConfig({ ...env, PUBLIC_URL: 'http://images.example' })).toThrow('PUBLIC_URL');
    for (const url of ['https://images.example', 'http://localhost:3000', 'http://127.0.0.1:1', 'http://[::1]:1'])
      expect(readConfig({ ...env, PUBLIC_URL: url }).PUBLIC_URL).toBe(url);
  });

  it('L8: requires secrets and storage in production', () => {
    for (const name of ['SESSION_SECRET', 'URL_SECRET', 'VAULT_SECRET', 'STORAGE'])
      expect(() => readConfig({ ...env, [name]: '' })).toThrow(name);
    expect(() => readConfig({ ...env, SESSION_SECRET: 'short' })).toThrow('SESSION_SECRET');
  });

  it("L8: requires all of Stripe's settings or none", () => {
    const url = { ...env, PUBLIC_URL: 'https://images.example' };
    expect(readConfig(url).payments).toBeUndefined();
    const keys = {
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    };
    expect(readConfig({ ...url, ...keys }).payments).toMatchObject({ mode: 'live' });
    for (const name of Object.keys(keys))
      expect(() => readConfig({ ...url, ...keys, [name]: '' })).toThrow(`${name} is missing`);
    expect(() => readConfig({ ...url, ...keys, STRIPE_API_URL: 'http://127.0.0.1:3027' })).toThrow(
      'STRIPE_API_URL: must not be set in production',
    );
  });
});

const read = async () => (await anonymous(`${gateway.url}/api/site`)).json();

it('GET /api/site returns the current name, contacts, facts about the owner, and password length only', async () => {
  const admin = await signUpAdmin(gateway);
  const owner = { supportHours: '9 to 17', company: 'Ltd.', companyAddress: '1 Street', governingLaw: 'Oregon' };
  const legal = { liability: 'As the law says.', legalBasis: 'A contract.', processors: 'Host: servers' };
  const told = {
    siteName: 'Other',
    contactEmail: 'sales@example.test',
    supportEmail: 'help@example.test',
    ...owner,
    ...legal,
  };
  await admin.client.putSiteSettings({ body: { ...site, ...told } });
  await admin.client.putSecuritySettings({ body: { ...security, minPasswordLength: 12 } });
  await waitUntil(async () => (await read()).minPasswordLength === 12);
  expect(await read()).toEqual({ ...told, minPasswordLength: 12 });
});
