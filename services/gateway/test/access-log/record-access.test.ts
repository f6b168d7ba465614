import { randomUUID } from 'node:crypto';
import { createKeySecret } from '@uprez/domain/api-keys/key-secret';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openAccountCalls } from '../support/accounts/accounts.ts';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { askAccount, makeKey, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { openTwoFactor } from '../support/accounts/two-factor.ts';
import { openAccessGateway } from '../support/open-access-gateway.ts';

const gateway = fileFixture(() => openAccessGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const user = testFixture(() => gateway.signUp());
const calls = openAccountCalls(gateway);

const address = '203.0.113.7';
const logIn = (password: string, more: { code?: string } = {}, country?: string) =>
  gateway.sendFrom(address, '/api/login', {
    body: { email: user.email, password, ...more },
    headers: country ? { 'x-country': country } : {},
  });
const own = () => ({ userId: user.user.id, address });

describe('sign-ins', () => {
  it('are recorded with account, IP address, network, country, and device', async () => {
    const response = await logIn(user.password, {}, 'DE');
    const [event] = await gateway.waitFor({ ...own(), kind: 'sign_in' });
    expect(event).toMatchObject({
      address,
      network: '203.0.113.0/24',
      country: 'DE',
      agent: 'tests',
      newDevice: true,
      staffId: null,
      keyId: null,
      method: 'POST',
      path: '/api/login',
      status: 200,
      count: 1,
      requestId: response.headers.get('x-request-id'),
    });
    expect(Math.abs(Date.now() - (event?.at.getTime() ?? 0))).toBeLessThan(60_000);
  });

  it('are recorded for new accounts', async () => {
    const [event] = await gateway.waitFor({ userId: user.user.id, kind: 'sign_in' });
    expect(event).toMatchObject({ path: '/api/register', status: 201, newDevice: true, country: null });
  });

  it('are recorded when they fail, with the account if there is one', async () => {
    await logIn('not the password');
    const body = { email: `${randomUUID()}@example.test`, password: 'anything' };
    await gateway.sendFrom('2001:db8:1:2::3', '/api/login', { body });
    const [known] = await gateway.waitFor({ ...own(), kind: 'sign_in_failed' });
    expect(known).toMatchObject({ status: 401, userId: user.user.id });
    const [unknown] = await gateway.waitFor({ address: '2001:db8:1:2::3', kind: 'sign_in_failed' });
    expect(unknown).toMatchObject({ userId: null, network: '2001:db8:1::/48' });
  });

  it('are recorded as a lock when they are the last one before the account is locked', async () => {
    const { maxLoginAttempts } = await gateway.deps.settings.read('security');
    for (let i = 0; i <= maxLoginAttempts; i += 1) await logIn('not the password');
    const events = await gateway.waitFor(own(), maxLoginAttempts + 1);
    const kinds = events.map(({ kind, status }) => [kind, status]);
    expect(kinds.slice(-2)).toEqual([
      ['account_locked', 401],
      ['sign_in_failed', 429],
    ]);
    expect(kinds.filter(([kind]) => kind === 'account_locked')).toHaveLength(1);
  });

  it('are recorded as failed when only a known device or an unknown login is refused', async () => {
    const { maxLoginAttempts } = await gateway.deps.settings.read('security');
    const unknown = { email: `${randomUUID()}@example.test`, password: 'anything' };
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const body = JSON.stringify({ email: user.email, password: 'not the password' });
    for (let i = 0; i <= maxLoginAttempts; i += 1) {
      await user.fetch(`${gateway.url}/api/login`, { method: 'POST', headers, body });
      await gateway.sendFrom('203.0.113.8', '/api/login', { body: unknown });
    }
    for (const choice of [own(), { address: '203.0.113.8' }]) {
      const events = await gateway.waitFor(choice, maxLoginAttempts + 1);
      expect(events.map(({ kind }) => kind)).toEqual(Array(maxLoginAttempts + 1).fill('sign_in_failed'));
      expect(events.at(-1)).toMatchObject({ status: 429 });
    }
  });

  it('are recorded as failed when a password is wrong that confirms a change', async () => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const body = JSON.stringify({ password: 'not the password' });
    await user.fetch(`${gateway.url}/api/user/step-up`, { method: 'POST', headers, body });
    const [failed] = await gateway.waitFor({ ...own(), kind: 'sign_in_failed' });
    expect(failed).toMatchObject({ path: '/api/user/step-up', status: 403, count: 1 });
  });

  it('are recorded without the country that a client names, unless a trusted proxy forwards it', async () => {
    const direct = await openAccessGateway({ TRUST_PROXY: '192.0.2.250' });
    onTestFinished(() => direct.close());
    const body = { email: `${randomUUID()}@example.test`, password: 'anything' };
    await direct.sendFrom(address, '/api/login', { body, headers: { 'x-country': 'DE' } });
    expect(await direct.waitFor({ kind: 'sign_in_failed' })).toMatchObject([{ country: null, address: '127.0.0.1' }]);
  });

  it('are recorded as two-factor failures when the code is wrong, and not at all when it is missing', async () => {
    await openTwoFactor(gateway).turnOn(user);
    await logIn(user.password);
    await logIn(user.password, { code: '000000' });
    const [failed] = await gateway.waitFor({ ...own(), kind: 'two_factor_failed' });
    expect(failed).toMatchObject({ path: '/api/login', status: 401 });
    expect(await gateway.list(own())).toHaveLength(1);
  });
});

describe('password resets', () => {
  it('are recorded when they are requested and when they are done, without the link', async () => {
    await gateway.sendFrom(address, '/api/forgot-password', { body: { email: user.email } });
    await gateway.waitFor({ address, kind: 'password_reset', path: '/api/forgot-password' });
    const token = await calls.linkTo(user, 'reset');
    await gateway.sendFrom(address, '/api/reset-password', { body: { token, newPassword: 'a longer battery staple' } });
    const [done] = await gateway.waitFor({ ...own(), kind: 'password_reset' });
    expect(done).toMatchObject({ path: '/api/reset-password', status: 200 });
    expect(JSON.stringify(await gateway.list({}))).not.toContain(token);
  });
});

describe('API keys', () => {
  const use = (key: string, from: string) => askAccount(gateway, key, { 'x-forwarded-for': from });

  it('are recorded once for each network that they are used from, and counted by hour', async () => {
    const { id, key } = await makeKey(await signUpWithPlan(gateway));
    for (const from of ['198.51.100.1', '198.51.100.2', '198.51.101.1']) await use(key, from);
    const events = await gateway.waitFor({ keyId: id }, 2);
    await use(key, '198.51.100.3');
    await gateway.waitFor({ keyId: id }, 2);
    expect(events.map(({ kind, network }) => [kind, network]).toSorted()).toEqual([
      ['key_new_network', '198.51.100.0/24'],
      ['key_new_network', '198.51.101.0/24'],
    ]);
    await gateway.deps.accessLog.flush();
    const hours = gateway.ctx.db.selectFrom('apiKeyHours').select('calls').where('keyId', '=', id);
    await expect.poll(async () => (await hours.execute()).reduce((sum, { calls: n }) => sum + n, 0)).toBe(4);
    expect(await gateway.list({ keyId: id })).toHaveLength(2);
    expect(JSON.stringify(await gateway.list({}))).not.toContain(key);
  });
});

describe('rejected requests', () => {
  const countOf = async (filter: Parameters<typeof gateway.list>[0]) =>
    (await gateway.list(filter)).reduce((sum, { count }) => sum + count, 0);

  it('include those with unknown API keys, which share a row per minute, too', async () => {
    const from = '198.51.100.77';
    for (let i = 0; i < 3; i += 1) await askAccount(gateway, createKeySecret('live'), { 'x-forwarded-for': from });
    await expect.poll(() => countOf({ address: from, kind: 'rejected' })).toBe(3);
    const events = await gateway.list({ address: from });
    expect(events.length).toBeLessThanOrEqual(2);
    expect(events[0]).toMatchObject({ status: 401, userId: null, keyId: null, path: '/v1/account' });
  });

  it('share a row per minute with their number, by caller, route, and status', async () => {
    const from = '192.0.2.1';
    for (let i = 0; i < 3; i += 1)
      await user.fetch(`${gateway.url}/api/admin/users?search=${i}`, { headers: { 'x-forwarded-for': from } });
    await user.fetch(`${gateway.url}/api/admin/stats`, { headers: { 'x-forwarded-for': from } });
    const counted = async () => {
      const events = await gateway.list({ userId: user.user.id, address: from, kind: 'rejected' });
      const paths = ['/api/admin/users', '/api/admin/stats'];
      return paths.map((path) =>
        events.filter((event) => event.path === path).reduce((sum, { count }) => sum + count, 0),
      );
    };
    await expect.poll(counted).toEqual([3, 1]);
    const events = await gateway.list({ address: from });
    expect(events.length).toBeLessThanOrEqual(4);
    for (const event of events) expect(event).toMatchObject({ status: 403, staffId: null, method: 'GET' });
  });
});

describe('calls of administrators', () => {
  it('are all recorded, with the account that they are about, and without queries', async () => {
    const { id } = user.user;
    await admin.client.adminListUsers({ query: { search: 'secret-query' } });
    // Open pages read these every few seconds.
    await admin.client.adminNotices();
    await admin.client.adminJobOverview();
    await admin.client.adminUpdateUser({ params: { id }, body: { suspended: true, expected: false, reason: 'spam' } });
    await admin.fetch(`${gateway.url}/api/admin/users/${randomUUID()}`);
    const events = await gateway.waitFor({ staffId: admin.user.id, kind: 'admin_call' }, 3);
    expect(events.map(({ method, path, status, userId }) => [method, path, status, userId])).toEqual([
      ['GET', '/api/admin/users', 200, null],
      ['PATCH', `/api/admin/users/${id}`, 200, id],
      ['GET', expect.stringMatching(/^\/api\/admin\/users\/[0-9a-f-]{36}$/), 404, null],
    ]);
    expect(JSON.stringify(await gateway.list({}))).not.toContain('secret-query');
  });

  it('are recorded when the role does not include them', async () => {
    const support = await signUpAdmin(gateway, 'support');
    await support.client.getSecuritySettings().catch(() => undefined);
    const [event] = await gateway.waitFor({ staffId: support.user.id });
    expect(event).toMatchObject({ kind: 'admin_call', status: 403, path: '/api/admin/security/settings' });
  });
});

it('records no other requests', async () => {
  await user.client.dashboardStats();
  await gateway.sendFrom('192.0.2.99', '/api/site');
  await gateway.sendFrom('192.0.2.99', '/nowhere');
  await user.client.login({ body: { email: user.email, password: user.password } });
  await gateway.waitFor({ userId: user.user.id, kind: 'sign_in' }, 2);
  expect(await gateway.list({ address: '192.0.2.99' })).toEqual([]);
  expect(await gateway.list({ path: '/api/dashboard/stats' })).toEqual([]);
});
