import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { serviceRoutes } from '@uprez/contracts/endpoints/routes-v1';
import { limits } from '@uprez/contracts/policy/limits';
import { fileFixture } from '@uprez/testing/fixtures';
import { afterEach, describe, expect, it } from 'vitest';
import { ask } from '../support/accounts/access-table.ts';
import { signUpAdmin, site } from '../support/accounts/admin-calls.ts';
import { makeKey, outcome, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const checked = makeCheckedFetch(fetch);

const create = async (by = admin, name = 'Monitoring') =>
  (await by.client.adminCreateServiceKey({ body: { name } })).data;
const send = (name: RouteName, key: string) =>
  ask(gateway.url, checked, { name, headers: { authorization: `Bearer ${key}` } });
const readStats = (key: string) => send('v1AdminStats', key);
const call = async (key: string) => outcome(await readStats(key));
const rowOf = (id: string) =>
  gateway.ctx.db.selectFrom('apiKeys').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
afterEach(async () => {
  await gateway.ctx.db.deleteFrom('apiKeys').where('kind', '=', 'service').execute();
});

describe('POST /api/admin/api-keys', () => {
  it('creates a service key with its secret, which is stored as a hash', async () => {
    const { key, ...created } = await create();
    expect(key).toMatch(/^upz_service_[0-9A-Za-z]{36}$/);
    expect(created).toMatchObject({
      ...{ name: 'Monitoring', kind: 'service', scopes: ['admin:read'], isActive: true, owner: null },
      creator: { id: admin.user.id, email: admin.email },
    });
    expect(created.keyPreview).toBe(`${key.slice(0, 16)}...${key.slice(-4)}`);
    expect((await admin.client.adminListApiKeys({ query: { kind: 'service' } })).data).toEqual([created]);
    expect((await admin.client.listApiKeys()).data).toEqual([]);
    const trail = await gateway.ctx.db
      .selectFrom('audits')
      .selectAll()
      .where('subject', '=', `api_key:${created.id}`)
      .execute();
    const after = { apiKey: { id: created.id, name: 'Monitoring', preview: created.keyPreview, isActive: true } };
    expect(trail).toMatchObject([
      { action: 'api_key.create', actorId: admin.user.id, before: { apiKey: null }, after },
    ]);
    expect(JSON.stringify([trail, await rowOf(created.id)])).not.toContain(key);
  });

  it.each([{}, { name: '' }, { name: '  ' }, { name: null }])('returns "Name is required" for %j', async (body) => {
    const response = await admin.fetch(`${gateway.url}/api/admin/api-keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
      body: JSON.stringify(body),
    });
    const expected = { status: 422, code: 'invalid_parameter', param: 'name', detail: 'Name is required' };
    expect(await response.json()).toMatchObject(expected);
  });

  it('returns api_key_limit at the limit, also for concurrent requests', async () => {
    for (let made = 0; made < limits.serviceKeys - 2; made += 1) await create();
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => create()));
    const failed = results.filter(({ status }) => status === 'rejected');
    expect(failed).toHaveLength(2);
    for (const one of failed) expect(one).toMatchObject({ reason: { status: 409, code: 'api_key_limit' } });
    const [{ id = '' } = {}] = (await admin.client.adminListApiKeys({ query: { kind: 'service' } })).data;
    await admin.client.adminDeleteApiKey({ params: { id } });
    await create();
  });
});

describe('GET /v1/admin/stats', () => {
  it('returns the numbers of the dashboard, with amounts, and counts the call', async () => {
    const { id, key } = await create();
    const response = await readStats(key);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { data } = await admin.client.adminStats();
    expect(await response.json()).toEqual({
      total_users: data.totalUsers,
      active_subscriptions: data.activeSubscriptions,
      total_revenue: data.totalRevenue,
      monthly_revenue: data.monthlyRevenue,
      mrr: data.mrr,
    });
    expect(await rowOf(id)).toMatchObject({ usageCount: 1, lastAddress: '127.0.0.1', lastUsedAt: expect.any(Date) });
  });

  it('returns 401 at once for a deactivated and for a deleted key', async () => {
    const { id, key } = await create();
    const setActive = (isActive: boolean) => admin.client.adminToggleApiKey({ params: { id }, body: { isActive } });
    expect(await call(key)).toBe('200');
    await setActive(false);
    expect(await call(key)).toBe('401 bad_api_key');
    await setActive(true);
    expect(await call(key)).toBe('200');
    await admin.client.adminDeleteApiKey({ params: { id } });
    expect(await call(key)).toBe('401 bad_api_key');
  });

  it('returns 401 without a key and with a session, and 403 for keys of accounts, even of administrators', async () => {
    expect(outcome(await ask(gateway.url, checked, { name: 'v1AdminStats' }))).toBe('401 bad_api_key');
    expect(outcome(await ask(gateway.url, admin.fetch, { name: 'v1AdminStats' }))).toBe('401 bad_api_key');
    const owner = await signUpWithPlan(gateway);
    await gateway.ctx.db.updateTable('users').set({ role: 'owner' }).where('id', '=', owner.user.id).execute();
    for (const kind of ['live', 'test'])
      expect(await call((await makeKey(owner, { kind, scopes: ['process', 'read', 'webhooks'] })).key)).toBe(
        '403 wrong_scope',
      );
    const asked = { name: 'x', scopes: ['admin:read'] };
    const response = await owner.fetch(`${gateway.url}/api/api-keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    });
    expect(response.status).toBe(422);
  });

  it('stays available after the account of the creator was deleted', async () => {
    const creator = await signUpAdmin(gateway, 'admin');
    const { id, key } = await create(creator);
    await gateway.ctx.db.deleteFrom('users').where('id', '=', creator.user.id).execute();
    expect(await call(key)).toBe('200');
    const { data } = await admin.client.adminListApiKeys({ query: { kind: 'service' } });
    expect(data).toEqual([expect.objectContaining({ id, creator: null, owner: null })]);
  });

  it('stays available during maintenance', async () => {
    const { key } = await create();
    await admin.client.putSiteSettings({ body: { ...site, maintenanceMode: true } });
    expect(await call(key)).toBe('200');
    await admin.client.putSiteSettings({ body: site });
  });

  it('is in no public document', async () => {
    for (const path of ['/v1/openapi.json', '/v1/postman.json', '/llms.txt'])
      expect(await (await fetch(gateway.url + path)).text()).not.toMatch(/admin/);
    expect(Object.keys(serviceRoutes)).toEqual(['v1AdminStats']);
  });
});

const withKey = (Object.keys(routes) as RouteName[]).filter((name) => endpoints[name].auth === 'key');

describe('a service key', () => {
  it('returns wrong_scope for every endpoint of the public API', async () => {
    const { key } = await create();
    for (const name of withKey) expect(outcome(await send(name, key)), name).toBe('403 wrong_scope');
  });

  it('is not accepted where a session is required', async () => {
    const { key } = await create();
    for (const path of ['/api/admin/stats', '/api/admin/users', '/api/user']) {
      const headers = { authorization: `Bearer ${key}` };
      expect(outcome(await fetch(gateway.url + path, { headers }))).toBe('401 not_signed_in');
    }
  });
});
