import { randomUUID } from 'node:crypto';
import { type AuditEntry, insertAudit } from '@uprez/db/queries/audit/audit-log';
import { fileFixture } from '@uprez/testing/fixtures';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it reads the audit log of everybody.
const gateway = fileFixture(() => startTestGateway());
const owner = fileFixture(() => signUpAdmin(gateway));
const other = fileFixture(() => signUpAdmin(gateway, 'admin'));
const user = fileFixture(() => gateway.signUp());

const path = '/api/admin/audit';
const get = (query: string) => owner.fetch(`${gateway.url}${path}${query}`);
type Row = { id: string; action: string; before: object; after: { n?: number } };
const list = async (query: string) => {
  const response = await get(query);
  const rows = (await response.json()) as Row[];
  return { ns: rows.map(({ after }) => after.n), total: response.headers.get('x-total-count'), rows };
};

/** Inserts a row that is this many days old. */
async function insert(n: number, { days = 0, ...entry }: Partial<AuditEntry> & { days?: number }) {
  const { db } = gateway.ctx;
  await db.transaction().execute(async (tx) => {
    await insertAudit(tx, {
      actorId: owner.user.id,
      action: 'user.tier',
      subject: 'user:x',
      before: {},
      after: { n },
      ...entry,
    });
    await sql`alter table audits disable trigger keep_audits`.execute(tx);
    await sql`update audits set created_at = now() - ${days} * interval '1 day' + ${n} * interval '1 microsecond'
      where after->>'n' = ${String(n)}`.execute(tx);
    await sql`alter table audits enable trigger keep_audits`.execute(tx);
  });
}
const requestId = randomUUID();
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  const subject = `user:${user.user.id}`;
  await insert(1, { days: 9, subject, reason: 'A gift <b>for you</b>' });
  await insert(2, { days: 5, actorId: other.user.id, action: 'settings.site', subject: 'settings:site' });
  await insert(3, { days: 3, subject, requestId, address: '192.0.2.7' });
  await insert(4, { action: 'user.role', subject, rejected: 'own_account', reason: '=1+1' });
});

describe('GET /api/admin/audit', () => {
  it('lists rows with who, what, and the names of users, newest first', async () => {
    const { ns, total, rows } = await list('');
    expect([ns, total]).toEqual([[4, 3, 2, 1], '4']);
    expect((await list('?sort=created')).ns).toEqual([1, 2, 3, 4]);
    expect(rows[3]).toMatchObject({
      action: 'user.tier',
      role: 'owner',
      actor: { kind: 'account', id: owner.user.id, email: owner.email },
      subject: { kind: 'user', id: user.user.id, email: user.email },
      reason: 'A gift <b>for you</b>',
      rejected: null,
    });
    expect(rows[2]).toMatchObject({ role: 'admin', subject: { kind: 'settings', id: 'site', email: null } });
  });

  it.each([
    ['subject', () => `subject=user:${user.user.id}`, [4, 3, 1]],
    ['actor', () => `actor=${other.user.id}`, [2]],
    ['group', () => 'group=settings', [2]],
    ['rejected', () => 'outcome=rejected', [4]],
    ['done', () => 'outcome=done', [3, 2, 1]],
    ['first day', () => `from=${day(3)}`, [4, 3]],
    ['last day', () => `to=${day(5)}`, [2, 1]],
    ['days', () => `from=${day(5)}&to=${day(3)}`, [3, 2]],
    ['reason', () => 'search=FOR YOU', [1]],
    ['request', () => `search=${requestId}`, [3]],
    ['IP address', () => 'search=192.0.2.7', [3]],
    ["actor's email address", () => `search=${other.email}`, [2]],
    ["user's email address", () => `search=${user.email}`, [4, 3, 1]],
    ['wildcards as text', () => 'search=%25', []],
    ['several', () => `subject=user:${user.user.id}&outcome=done&search=gift`, [1]],
  ])('filters by %s', async (_, query, expected) => {
    const { ns, total } = await list(`?${query()}`);
    expect([ns, total]).toEqual([expected, String(expected.length)]);
  });

  it.each([
    ['actor', 'actor=x'],
    ['group', 'group=x'],
    ['from', 'from=0000-01-01'],
    ['to', 'to=2026-02-30'],
    ['to', 'from=2026-02-02&to=2026-02-01'],
  ])('returns 422 naming %s for %s', async (param, query) => {
    const headers = { accept: 'application/problem+json' };
    const response = await owner.fetch(`${gateway.url}${path}?${query}`, { headers });
    expect([response.status, await response.json()]).toMatchObject([422, { code: 'invalid_parameter', param }]);
  });

  it('returns permission_missing to roles without logs.read', async () => {
    const viewer = await signUpAdmin(gateway, 'viewer');
    for (const part of ['', '/export']) {
      const response = await viewer.fetch(`${gateway.url}${path}${part}`);
      expect([response.status, response.headers.get('x-error-code')]).toEqual([403, 'permission_missing']);
    }
  });
});

describe('GET /api/admin/audit/export', () => {
  const filter = () => `subject=user:${user.user.id}`;

  it('contains exactly the rows of all pages, in their order', async () => {
    const paged: string[] = [];
    for (let next: string | undefined = `${path}?limit=1&${filter()}`; next; ) {
      const response: Response = await owner.fetch(`${gateway.url}${next}`);
      paged.push(...((await response.json()) as Row[]).map(({ id }) => id));
      next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(paged).toHaveLength(3);
    const exported = (await (await get(`/export?format=json&${filter()}`)).json()) as Row[];
    expect(exported.map(({ id }) => id)).toEqual(paged);
  });

  it('has the values before and after as objects in JSON', async () => {
    const rows = (await (await get(`?${filter()}`)).json()) as Row[];
    const exported = (await (await get(`/export?format=json&columns=changes&${filter()}`)).json()) as object[];
    expect(exported).toEqual(
      rows.map(({ before, after }) => expect.objectContaining({ before, after, action: expect.any(String) })),
    );
    const csv = await (await get(`/export?columns=changes&${filter()}`)).text();
    expect(csv).toContain('"{""n"":3}"');
  });

  it('has no formulas in CSV, and only the columns that are shown', async () => {
    const csv = await (await get(`/export?outcome=rejected&columns=reason`)).text();
    const [header, line] = csv.trimEnd().split('\r\n');
    expect(header).toContain('id,action,description,rejected,reason');
    expect(line).toMatch(/^[\w-]{36},user\.role,Change role,own_account,'=1\+1$/);
  });
});
