import { randomUUID } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';
import type { AdminApiKey } from '@uprez/contracts/schemas/admin/security';
import { afterSeconds } from '@uprez/db/times';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { setStepUp, signUpAdmin } from '../support/accounts/admin-calls.ts';
import { askAccount, changeKeyRow, makeKey, outcome, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const admin = fileFixture(() => signUpAdmin(gateway));

const call = async (key: string) => outcome(await askAccount(gateway, key));
const setActive = (id: string, isActive: boolean, by: SignedIn = admin) =>
  by.client.adminToggleApiKey({ params: { id }, body: { isActive } });
/** Rows of what was changed, without rejected writes. */
const trailOf = (subject: string) =>
  gateway.ctx.db
    .selectFrom('audits')
    .selectAll()
    .where('subject', '=', subject)
    .where('rejected', 'is', null)
    .orderBy('createdAt')
    .execute();
const fails = (status: number, code: string) => expect.objectContaining({ status, code });
const list = async (query: object) => (await admin.client.adminListApiKeys({ query })).data;
const names = (keys: readonly { name: string }[]) => keys.map(({ name }) => name);
const day = 86_400;

describe('GET /api/admin/api-keys', () => {
  it('returns the keys of all accounts with their owner, and finds them by key and by owner', async () => {
    const [first, second] = [await signUpWithPlan(gateway), await signUpWithPlan(gateway)];
    const name = `100%_${randomUUID()}`;
    const own = await makeKey(first, { name });
    await makeKey(second, { name: `${name} too` });
    const expected: Partial<AdminApiKey> = {
      ...{ id: own.id, name, keyPreview: own.keyPreview, kind: 'live', isActive: true, lastUsed: null, usageCount: 0 },
      owner: { id: first.user.id, name: 'Ada', email: first.email },
      creator: null,
    };
    expect(await list({ search: name.toUpperCase(), sort: 'created' })).toEqual([
      expect.objectContaining(expected),
      expect.objectContaining({ owner: expect.objectContaining({ id: second.user.id }) }),
    ]);
    expect(names(await list({ search: first.email }))).toEqual([name]);
    expect(names(await list({ search: own.keyPreview }))).toEqual([name]);
    expect(await list({ search: name.replace('%', 'x') })).toEqual([]);
    expect(JSON.stringify(await list({}))).not.toContain(own.key);
  });

  it('filters by status and kind', async () => {
    const owner = await signUpWithPlan(gateway);
    const search = owner.email;
    const [active, inactive, expired, unused] = [
      await makeKey(owner, { name: 'active' }),
      await makeKey(owner, { name: 'inactive' }),
      await makeKey(owner, { name: 'expired', kind: 'test' }),
      await makeKey(owner, { name: 'unused' }),
    ];
    await changeKeyRow(gateway, inactive.id, { isActive: false });
    await changeKeyRow(gateway, expired.id, { expiresAt: new Date(0), createdAt: new Date(0) });
    const longAgo = afterSeconds(-limits.apiKeyUnusedDays * day - 60);
    await changeKeyRow(gateway, unused.id, { createdAt: longAgo });
    // Its last call was within the days, although it is older.
    await changeKeyRow(gateway, active.id, { createdAt: longAgo, lastUsedAt: afterSeconds(-day) });
    const found = async (query: object) => names(await list({ search, sort: 'created', ...query })).sort();
    expect(await found({ status: 'active' })).toEqual(['active', 'unused']);
    expect(await found({ status: 'inactive' })).toEqual(['inactive']);
    expect(await found({ status: 'expired' })).toEqual(['expired']);
    expect(await found({ status: 'unused' })).toEqual(['unused']);
    expect(await found({ kind: 'test' })).toEqual(['expired']);
    expect(await found({ kind: 'service' })).toEqual([]);
  });

  it.each(['created', '-created', 'usage', '-usage', 'used', '-used'] as const)(
    'loses and repeats no key between pages sorted by %s, and exports the same',
    async (sort) => {
      const owner = await signUpWithPlan(gateway);
      const values = new Map<string, number>();
      for (const [at, value] of [0, 2, 1, 0, 1].entries()) {
        const { id } = await makeKey(owner, { name: `=key ${at}` });
        const lastUsedAt = value === 0 ? null : afterSeconds(value);
        await changeKeyRow(gateway, id, { usageCount: value, lastUsedAt });
        values.set(id, sort.endsWith('created') ? at : value);
      }
      const seen: string[] = [];
      const query = `search=${encodeURIComponent(owner.email)}&sort=${sort}`;
      for (let next: string | undefined = `/api/admin/api-keys?limit=2&${query}`; next; ) {
        const response: Response = await admin.fetch(`${gateway.url}${next}`);
        expect(response.headers.get('x-total-count')).toBe('5');
        seen.push(...((await response.json()) as AdminApiKey[]).map(({ id }) => id));
        next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      }
      expect(seen.toSorted()).toEqual([...values.keys()].toSorted());
      const sorted = [...values.values()].toSorted((a, b) => (sort.startsWith('-') ? b - a : a - b));
      expect(seen.map((id) => values.get(id))).toEqual(sorted);
      const exported = `${gateway.url}/api/admin/api-keys/export?${query}`;
      const rows = await (await admin.fetch(`${exported}&format=json`)).json();
      expect((rows as { id: string }[]).map(({ id }) => id)).toEqual(seen);
      const csv = (await (await admin.fetch(`${exported}&columns=owner`)).text()).trimEnd().split('\r\n');
      expect(csv[0]).toBe('id,name,kind,owner,owner_email,created_by');
      expect(csv).toHaveLength(6);
      for (const line of csv.slice(1)) expect(line).toMatch(new RegExp(`^[^,]+,'=key \\d,live,[^,]+,${owner.email},$`));
    },
  );
});

describe('PATCH /api/admin/api-keys/:id', () => {
  it('deactivates and activates a key with its next request, and records it', async () => {
    const owner = await signUpWithPlan(gateway);
    const { id, key, keyPreview: preview, name } = await makeKey(owner);
    expect(await call(key)).toBe('200');
    expect((await setActive(id, false)).data).toMatchObject({ id, isActive: false });
    expect(await call(key)).toBe('401 bad_api_key');
    expect((await owner.client.listApiKeys()).data).toMatchObject([{ id, isActive: false }]);
    await setActive(id, false);
    await setActive(id, true);
    expect(await call(key)).toBe('200');
    const [off, on] = [false, true].map((isActive) => ({ apiKey: { id, name, preview, isActive } }));
    const by = { actorId: admin.user.id, address: '127.0.0.1' };
    expect(await trailOf(`user:${owner.user.id}`)).toMatchObject([
      { ...by, action: 'api_key.deactivate', before: on, after: off },
      { ...by, action: 'api_key.activate', before: off, after: on },
    ]);
  });

  it('returns role_above_own for a key of an owner, and changes nothing', async () => {
    const [owner, lower] = [await signUpWithPlan(gateway), await signUpAdmin(gateway, 'admin')];
    await gateway.ctx.db.updateTable('users').set({ role: 'owner' }).where('id', '=', owner.user.id).execute();
    const { id, key } = await makeKey(owner);
    await expect(setActive(id, false, lower)).rejects.toEqual(fails(403, 'role_above_own'));
    await expect(lower.client.adminDeleteApiKey({ params: { id } })).rejects.toEqual(fails(403, 'role_above_own'));
    expect(await call(key)).toBe('200');
    expect(await trailOf(`user:${owner.user.id}`)).toEqual([]);
  });

  it('requires the password or a code', async () => {
    const [owner, stale] = [await signUpWithPlan(gateway), await signUpAdmin(gateway)];
    await setStepUp(gateway.ctx.db, stale, limits.stepUpMinutes * 60 + 1);
    const { id } = await makeKey(owner);
    const required = fails(403, 'step_up_required');
    await expect(setActive(id, false, stale)).rejects.toEqual(required);
    await expect(stale.client.adminDeleteApiKey({ params: { id } })).rejects.toEqual(required);
    await expect(stale.client.adminCreateServiceKey({ body: { name: 'x' } })).rejects.toEqual(required);
  });
});

describe('DELETE /api/admin/api-keys/:id', () => {
  it('deletes a key with its next request, and records it', async () => {
    const owner = await signUpWithPlan(gateway);
    const { id, key, keyPreview: preview, name } = await makeKey(owner);
    expect(await call(key)).toBe('200');
    expect((await admin.client.adminDeleteApiKey({ params: { id } })).status).toBe(204);
    expect(await call(key)).toBe('401 bad_api_key');
    expect((await owner.client.listApiKeys()).data).toEqual([]);
    expect(await trailOf(`user:${owner.user.id}`)).toMatchObject([
      { action: 'api_key.delete', before: { apiKey: { id, name, preview } }, after: { apiKey: null } },
    ]);
    const missing = fails(404, 'api_key_not_found');
    for (const other of [id, randomUUID(), 'x']) {
      await expect(admin.client.adminDeleteApiKey({ params: { id: other } })).rejects.toEqual(missing);
      await expect(setActive(other, true)).rejects.toEqual(missing);
    }
  });

  it('changes nothing and records nothing when the audit row cannot be written', async () => {
    const { id } = await makeKey(await signUpWithPlan(gateway));
    await sql`alter table audits add constraint no_more check (false) not valid`.execute(gateway.ctx.db);
    await expect(admin.client.adminDeleteApiKey({ params: { id } }))
      .rejects.toMatchObject({ status: 500 })
      .finally(() => sql`alter table audits drop constraint no_more`.execute(gateway.ctx.db));
    expect(await list({ search: 'CI', sort: '-created' })).toContainEqual(expect.objectContaining({ id }));
  });
});
