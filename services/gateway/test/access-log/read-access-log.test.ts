import { randomUUID } from 'node:crypto';
import type { AccessEventView } from '@uprez/contracts/schemas/admin/logs';
import { makeAccessEvent } from '@uprez/testing/factories/make-access-event';
import { fileFixture } from '@uprez/testing/fixtures';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { makeKey, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it counts all events of the access log.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const user = fileFixture(() => gateway.signUp());

beforeEach(() => gateway.ctx.db.deleteFrom('accessEvents').execute());

const make = (ageS: number, values: Parameters<typeof makeAccessEvent>[2] = {}) =>
  makeAccessEvent(gateway.ctx.db, ageS, { path: '/made', ...values });
const own = '/api/admin/security/logs';
const list = async (query: Record<string, string> = {}) => {
  const response = await admin.fetch(`${gateway.url}${own}?${new URLSearchParams(query)}`);
  // The calls of this test and its sign-ups are recorded, too.
  return ((await response.json()) as AccessEventView[]).filter(({ path }) => !/^\/api\/(admin|register)/.test(path));
};
const idsOf = (rows: AccessEventView[]) => rows.map(({ id }) => Number(id));

describe('GET /api/admin/security/logs', () => {
  it('returns events with the people that they name, the newest first', async () => {
    const id = await make(60, { kind: 'admin_call', userId: user.user.id, staffId: admin.user.id, agent: 'Firefox' });
    const [row] = await list();
    expect(row).toMatchObject({
      id: String(id),
      kind: 'admin_call',
      count: 1,
      user: { id: user.user.id, email: user.email, name: 'Ada' },
      staff: { id: admin.user.id, email: admin.email },
      key: null,
      address: '192.0.2.1',
      network: '192.0.2.0/24',
      userAgent: 'Firefox',
      path: '/made',
      status: 200,
    });
    const older = await make(120);
    expect(idsOf(await list())).toEqual([id, older]);
    expect(idsOf(await list({ sort: 'at' }))).toEqual([older, id]);
  });

  it('filters by kind, status class, account, IP address, and time', async () => {
    const rejected = await make(10, { kind: 'rejected', status: 403, address: '2001:db8::1' });
    const failed = await make(20, { kind: 'sign_in_failed', status: 401, userId: user.user.id });
    const old = await make(7_200, { staffId: user.user.id });
    const find = async (query: Record<string, string>) => idsOf(await list(query));
    expect(await find({ kind: 'rejected' })).toEqual([rejected]);
    expect(await find({ status: '4xx' })).toEqual([rejected, failed]);
    expect(await find({ user: user.user.id })).toEqual([failed, old]);
    expect(await find({ address: '2001:db8::1' })).toEqual([rejected]);
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    expect(await find({ from: hourAgo })).toEqual([rejected, failed]);
    const before = await admin.client.adminListAccessLog({ query: { to: hourAgo } });
    expect(idsOf(before.data)).toEqual([old]);
    const [today, ago] = [0, 7_200].map((s) => new Date(Date.now() - s * 1_000).toISOString().slice(0, 10)) as [
      string,
      string,
    ];
    expect(await find({ from: ago, to: today })).toEqual([rejected, failed, old]);
    expect(await find({ to: '2026-01-01' })).toEqual([]);
  });

  it('leaves out what administrators only read, unless it is asked for', async () => {
    const call = { kind: 'admin_call', userId: user.user.id, staffId: admin.user.id } as const;
    const read = await make(10, { ...call, method: 'GET' });
    const changed = await make(20, { ...call, method: 'PATCH' });
    const signIn = await make(30, { userId: user.user.id });
    expect(idsOf(await list({ search: user.email }))).toEqual([changed, signIn]);
    expect(idsOf(await list({ kind: 'all', search: user.email }))).toEqual([read, changed, signIn]);
    expect(idsOf(await list({ kind: 'admin_call' }))).toEqual([read, changed]);
  });

  it('filters by API key, and names keys that were deleted since', async () => {
    const owner = await signUpWithPlan(gateway);
    const [kept, own, revoked] = [await makeKey(owner), await makeKey(owner), await makeKey(owner)];
    for (const [i, { id }] of [kept, own, revoked].entries())
      await make(10 * (i + 1), { kind: 'key_new_network', keyId: id });
    await owner.client.deleteApiKey({ params: { id: own.id } });
    await admin.client.adminDeleteApiKey({ params: { id: revoked.id } });
    const find = async ({ id }: { id: string }) => (await list({ key: id })).map(({ key }) => key);
    expect(await find(kept)).toEqual([{ id: kept.id, name: kept.name, isDeleted: false }]);
    for (const key of [own, revoked])
      expect(await find(key)).toEqual([{ id: key.id, name: key.name, isDeleted: true }]);
    const rows = gateway.ctx.db.selectFrom('apiKeys').select('id').where('secretHash', 'is not', null);
    expect(await rows.where('accountId', '=', owner.user.id).execute()).toEqual([{ id: kept.id }]);
  });

  it('searches people, paths, user agents, IP addresses, networks, and request IDs', async () => {
    const requestId = randomUUID();
    const one = await make(10, { userId: user.user.id, address: '198.51.100.9', network: '198.51.100.0/24' });
    const two = await make(20, { agent: '100% a <b>bot</b>', requestId, path: '/api/login' });
    const find = async (search: string) => idsOf(await list({ search, kind: 'sign_in' }));
    expect(await find(user.email)).toEqual([one]);
    expect(await find('198.51.100.9')).toEqual([one]);
    expect(await find('198.51.100.0/24')).toEqual([one]);
    expect(await find('/api/log')).toEqual([two]);
    expect(await find('100%')).toEqual([two]);
    expect(await find('<B>bot')).toEqual([two]);
    expect(await find(requestId)).toEqual([two]);
    expect(await find('nobody')).toEqual([]);
  });

  it('loses and repeats no event between pages, also of one moment, and exports the same rows', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 7; i += 1) ids.push(await make(60, { kind: 'sign_in_failed', agent: '=1+1' }));
    const at = sql<Date>`timestamptz '2026-11-24 03:00:00.123456+00'`;
    await gateway.ctx.db.updateTable('accessEvents').set({ at }).where('id', 'in', ids.slice(0, 4)).execute();
    const seen: number[] = [];
    for (let next: string | undefined = `${own}?limit=2&kind=sign_in_failed&sort=at`; next; ) {
      const response: Response = await admin.fetch(`${gateway.url}${next}`);
      expect(response.headers.get('x-total-count')).toBe('7');
      seen.push(...((await response.json()) as AccessEventView[]).map(({ id }) => Number(id)));
      next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
    const exported = (format: string) =>
      admin.fetch(`${gateway.url}${own}/export?kind=sign_in_failed&sort=at&format=${format}`);
    const rows = (await (await exported('json')).json()) as { event: string; user_agent: string }[];
    expect(rows.map(({ event }) => Number(event))).toEqual(seen);
    const [header, ...lines] = (await (await exported('csv')).text()).trimEnd().split('\r\n');
    expect(header).toMatch(/^event,kind,count,user_id,user_email,/);
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(seen);
    for (const line of lines) expect(line).toContain("'=1+1");
  });

  it.each([
    ['kind', 'kind=logins'],
    ['user', 'user=1'],
    ['key', 'key=1'],
    ['address', 'address=everywhere'],
    ['from', 'from=yesterday'],
    ['to', 'from=2026-11-24&to=2026-11-23'],
    ['cursor', `cursor=${Buffer.from('access-log -at 1 not-a-number').toString('base64url')}`],
  ])('returns 422 naming %s for ?%s', async (param, query) => {
    const headers = { accept: 'application/problem+json' };
    const response = await admin.fetch(`${gateway.url}${own}?${query}`, { headers });
    expect([response.status, await response.json()]).toMatchObject([422, { param }]);
  });

  it('is for owners and admins only', async () => {
    for (const role of ['editor', 'support', 'viewer'] as const) {
      const { client } = await signUpAdmin(gateway, role);
      await expect(client.adminListAccessLog({})).rejects.toMatchObject({ status: 403, code: 'permission_missing' });
      await expect(client.adminListAnomalies({})).rejects.toMatchObject({ status: 403, code: 'permission_missing' });
    }
  });
});
