import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type { Recommendation, StaffMember } from '@uprez/contracts/schemas/admin/security';
import type { SecuritySettings } from '@uprez/contracts/schemas/admin/settings';
import { afterSeconds } from '@uprez/db/times';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { beforeEach, describe, expect, it } from 'vitest';
import { security, signUpAdmin } from '../support/accounts/admin-calls.ts';
import { changeKeyRow, makeKey, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings, and counts all administrators.
const gateway = fileFixture(() => startTestGateway());
const owner = fileFixture(() => signUpAdmin(gateway));
/** Administrators of earlier tests would be listed, too. */
beforeEach(async () => {
  const { db } = gateway.ctx;
  await db.updateTable('users').set({ role: null }).where('id', '!=', owner.user.id).execute();
  await db.updateTable('users').set({ twoFactorAt: null }).execute();
  await db.deleteFrom('apiKeys').execute();
});

const change = ({ user }: SignedIn, values: Record<string, unknown>) =>
  gateway.ctx.db.updateTable('users').set(values).where('id', '=', user.id).execute();
const signUpStaff = async (role: Role, secondsAgo: number) => {
  const one = await signUpAdmin(gateway, role);
  const { db } = gateway.ctx;
  for (const table of ['sessions', 'devices'] as const)
    await db
      .updateTable(table)
      .set({ lastSeenAt: afterSeconds(-secondsAgo) })
      .where('userId', '=', one.user.id)
      .execute();
  return one;
};

describe('GET /api/admin/staff', () => {
  it('returns administrators only, with role, last visit, and two-factor authentication', async () => {
    const support = await signUpStaff('support', 3_600);
    await change(support, { twoFactorAt: new Date(), lastName: '<b>Support</b>' });
    await gateway.signUp();
    const { data } = await owner.client.adminListStaff({ query: {} });
    expect(data.map(({ id }) => id)).toEqual([owner.user.id, support.user.id]);
    expect(data[1]).toMatchObject({
      ...{ email: support.email, lastName: '<b>Support</b>', role: 'support', twoFactorEnabled: true },
      suspendedAt: null,
    });
    expect(Date.parse(data[1]?.lastSeenAt ?? '')).toBeLessThan(Date.now() - 3_500_000);
    const findStaff = async (query: object) =>
      (await owner.client.adminListStaff({ query })).data.map(({ email }) => email);
    expect(await findStaff({ role: 'support' })).toEqual([support.email]);
    expect(await findStaff({ twoFactor: 'off' })).toEqual([owner.email]);
    expect(await findStaff({ search: '<B>support' })).toEqual([support.email]);
    expect(await findStaff({ search: support.email, twoFactor: 'off' })).toEqual([]);
  });

  it.each(['seen', '-seen', 'joined', '-joined'] as const)('pages and exports the same, sorted by %s', async (sort) => {
    const joined = [owner.user.id];
    const order = [500, 300, 400];
    for (const seconds of order) joined.push((await signUpStaff('viewer', seconds)).user.id);
    const [, first, second, third] = joined;
    const rising = sort.endsWith('seen') ? [first, third, second, owner.user.id] : joined;
    const expected = sort.startsWith('-') ? rising.toReversed() : rising;
    const seen: string[] = [];
    for (let next: string | undefined = `/api/admin/staff?limit=1&sort=${sort}`; next; ) {
      const response: Response = await owner.fetch(`${gateway.url}${next}`);
      seen.push(...((await response.json()) as StaffMember[]).map(({ id }) => id));
      next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(expected);
    const exported = await owner.fetch(`${gateway.url}/api/admin/staff/export?format=json&sort=${sort}&columns=role`);
    const rows = (await exported.json()) as { user: string }[];
    expect(rows.map(({ user }) => user)).toEqual(expected);
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'user',
      'email',
      'first_name',
      'last_name',
      'suspended',
      'suspended_at',
      'role',
    ]);
  });
});

describe('GET /api/admin/security/recommendations', () => {
  const put = (values: Partial<SecuritySettings> = {}) =>
    owner.client.putSecuritySettings({ body: { ...security, ...values } });
  const read = async () => (await owner.client.adminListRecommendations()).data;
  const findValue = (list: Recommendation[], code: Recommendation['code']) =>
    list.find((one) => one.code === code)?.value;

  it('returns nothing when everything is as recommended', async () => {
    const second = await signUpAdmin(gateway);
    for (const one of [owner, second]) await change(one, { twoFactorAt: new Date() });
    await put({ requireTwoFactor: true, minPasswordLength: 12, allowedOrigins: ['https://app.example'] });
    expect(await read()).toEqual([]);
    await put();
  });

  it('follows the settings', async () => {
    const risky = { rateLimitEnabled: false, maxLoginAttempts: 50, sessionTimeout: 10_000, minPasswordLength: 8 };
    const allowedOrigins = ['http://app.example', 'http://localhost:5173', 'https://other.example'];
    await put({ ...risky, allowedOrigins, requireTwoFactor: false });
    expect(await read()).toEqual([
      { code: 'two_factor_optional', value: 0 },
      { code: 'staff_without_two_factor', value: 1 },
      { code: 'single_owner', value: 1 },
      { code: 'rate_limits_off', value: 0 },
      { code: 'short_passwords', value: 8 },
      { code: 'many_login_attempts', value: 50 },
      { code: 'long_sessions', value: 10_000 },
      { code: 'insecure_origins', value: 1 },
    ]);
    await put();
    // No allowed origin is a safe default.
    expect((await read()).filter(({ code }) => code.includes('origins'))).toEqual([]);
    expect(findValue(await read(), 'rate_limits_off')).toBeUndefined();
  });

  it('counts administrators without two-factor authentication, and only owners who can sign in', async () => {
    const [second, viewer] = [await signUpAdmin(gateway), await signUpAdmin(gateway, 'viewer')];
    expect(findValue(await read(), 'staff_without_two_factor')).toBe(3);
    expect(findValue(await read(), 'single_owner')).toBeUndefined();
    await change(viewer, { twoFactorAt: new Date() });
    await change(second, { suspendedAt: new Date() });
    expect(findValue(await read(), 'staff_without_two_factor')).toBe(2);
    expect(findValue(await read(), 'single_owner')).toBe(1);
  });

  it('counts unused keys, and active service keys without an administrator', async () => {
    const [creator, customer] = [await signUpAdmin(gateway, 'admin'), await signUpWithPlan(gateway)];
    const { id } = await makeKey(customer);
    await creator.client.adminCreateServiceKey({ body: { name: 'Monitoring' } });
    const before = await read();
    expect(findValue(before, 'unused_keys')).toBeUndefined();
    expect(findValue(before, 'unattended_service_keys')).toBeUndefined();
    await changeKeyRow(gateway, id, { createdAt: afterSeconds(-100 * 86_400) });
    await change(creator, { role: 'editor' });
    expect(findValue(await read(), 'unused_keys')).toBe(1);
    expect(findValue(await read(), 'unattended_service_keys')).toBe(1);
    await gateway.ctx.db.deleteFrom('users').where('id', '=', creator.user.id).execute();
    expect(findValue(await read(), 'unattended_service_keys')).toBe(1);
    const [key] = (await owner.client.adminListApiKeys({ query: { kind: 'service' } })).data;
    await owner.client.adminToggleApiKey({ params: { id: key?.id ?? '' }, body: { isActive: false } });
    expect(findValue(await read(), 'unattended_service_keys')).toBeUndefined();
  });
});
