import { randomUUID } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';
import { tiers } from '@uprez/contracts/policy/plans/plans';
import { hashKeySecret, isKeySecret } from '@uprez/domain/api-keys/key-secret';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
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
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const calls = openAccountCalls(gateway);
const owner = fileFixture(() => signUpWithPlan(gateway));

const create = (user: SignedIn, body: object) => calls.postAs(user, '/api/api-keys', body);
const list = async ({ client }: SignedIn) => (await client.listApiKeys()).data;
const works = async (key: string) => outcome(await askAccount(gateway, key));
const refused = '401 bad_api_key';

describe('POST /api/api-keys', () => {
  it('returns the key once, which works immediately and is shown shortened afterward', async () => {
    const user = await signUpWithPlan(gateway);
    const { key, ...view } = await makeKey(user, { name: '  My script ' });
    expect(key).toMatch(/^upz_live_[0-9A-Za-z]{36}$/);
    expect(isKeySecret(key)).toBe(true);
    expect(view).toMatchObject({
      name: 'My script',
      keyPreview: `${key.slice(0, 13)}...${key.slice(-4)}`,
      kind: 'live',
      scopes: ['process', 'read'],
      isActive: true,
      lastUsed: null,
      usageCount: 0,
      expiresAt: null,
      monthlyCap: null,
      unitsThisMonth: 0,
    });
    expect(await works(key)).toBe('200');
    const [listed] = await list(user);
    expect(listed).toMatchObject({ id: view.id, usageCount: 1, lastAddress: '127.0.0.1' });
    expect(JSON.stringify(listed)).not.toContain(key);
  });

  it('accepts a kind, scopes, and limits', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const body = { kind: 'test', scopes: ['read', 'webhooks', 'read'], expiresAt, monthlyCap: 50, callsPerMinute: 5 };
    const made = await makeKey(owner, { ...body, addresses: ['127.0.0.0/8', '2001:db8::/32'] });
    expect(made.key).toMatch(/^upz_test_/);
    expect(made).toMatchObject({
      ...body,
      scopes: ['read', 'webhooks'],
      addresses: ['127.0.0.0/8', '2001:db8::/32'],
    });
    expect(await works(made.key)).toBe('200');
  });

  it('stores only a hash of the key', async () => {
    const { key, id } = await makeKey(owner);
    await works(key);
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(gateway.ctx.db);
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(
        gateway.ctx.db,
      );
      // Binary columns are shown in hexadecimal.
      for (const { text } of rows)
        for (const form of [key, key.slice(13, 40), Buffer.from(key).toString('hex')])
          expect(text, name).not.toContain(form);
    }
    const row = await gateway.ctx.db.selectFrom('apiKeys').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row.secretHash).toEqual(hashKeySecret(key));
  });

  it('sends an email without the key', async () => {
    const user = await signUpWithPlan(gateway);
    const { key, keyPreview } = await makeKey(user);
    const mails = await calls.mails(user, 'api_key_created');
    expect(mails).toMatchObject([{ name: 'CI', preview: keyPreview }]);
    expect(JSON.stringify(mails)).not.toContain(key);
  });

  it.each([
    ['no name', {}, 'Name is required'],
    ['a name of blanks', { name: '   ' }, 'Name is required'],
    ['a name too long', { name: 'x'.repeat(limits.nameLength + 1) }, "Name can't be longer than"],
    ['an unknown scope', { name: 'a', scopes: ['admin'] }, 'scopes'],
    ['no scope', { name: 'a', scopes: [] }, 'scopes'],
    ['an unknown kind', { name: 'a', kind: 'root' }, 'kind'],
    ['an expiry in the past', { name: 'a', expiresAt: '2020-01-01T00:00:00Z' }, 'future'],
    ['an expiry that is not a time', { name: 'a', expiresAt: 'tomorrow' }, 'expiresAt'],
    ['a monthly cap of 0', { name: 'a', monthlyCap: 0 }, 'monthlyCap'],
    ['a fractional rate limit', { name: 'a', callsPerMinute: 1.5 }, 'callsPerMinute'],
    ['an invalid IP address', { name: 'a', addresses: ['example.com'] }, 'must be an IP address'],
    ['an invalid network', { name: 'a', addresses: ['10.0.0.0/33'] }, 'must be an IP address'],
    ['an unknown field', { name: 'a', usageCount: 5 }, 'usageCount'],
  ])('returns 422 for %s', async (_what, body, words) => {
    const before = await list(owner);
    const answer = await create(owner, body);
    expect(outcome(answer)).toBe('422 invalid_parameter');
    expect(await answer.text()).toContain(words);
    expect(await list(owner)).toEqual(before);
  });

  it('requires a plan with API access and a confirmed email address', async () => {
    for (const tier of tiers) {
      const user = await signUpWithPlan(gateway, tier);
      const may = ['api_basic', 'api_pro', 'enterprise'].includes(tier);
      expect(outcome(await create(user, { name: 'a' })), tier).toBe(may ? '201' : '403 plan_feature');
      expect(await list(user)).toHaveLength(may ? 1 : 0);
    }
    const unconfirmed = await gateway.signUp();
    await setPlan(gateway, unconfirmed, 'api_pro');
    expect(outcome(await create(unconfirmed, { name: 'a' }))).toBe('403 email_unverified');
  });

  it.each(['free', 'pro'] as const)(
    'includes one sandbox key in the %s plan, also for concurrent requests',
    async (tier) => {
      const user = await signUpWithPlan(gateway, tier);
      const createTest = () => create(user, { name: 'Sandbox', kind: 'test' });
      const answers = await Promise.all([createTest(), createTest(), createTest()]);
      expect(answers.map(outcome).toSorted()).toEqual(['201', '409 api_key_limit', '409 api_key_limit']);
      const [created] = answers.filter(({ status }) => status === 201);
      if (!created) throw new Error('no key was created');
      const { id, key } = await created.json();
      expect(await works(key)).toBe('200');
      const rotated = (await user.client.rotateApiKey({ params: { id }, body: {} })).data;
      expect([await works(key), await works(rotated.key)]).toEqual(['200', '200']);
      expect(outcome(await createTest())).toBe('409 api_key_limit');
      await user.client.deleteApiKey({ params: { id: rotated.id } });
      await user.client.deleteApiKey({ params: { id } });
      expect(outcome(await createTest())).toBe('201');
      expect(outcome(await create(user, { name: 'Shop' }))).toBe('403 plan_feature');
    },
  );

  it('requires a confirmed email address for a sandbox key', async () => {
    const unconfirmed = await gateway.signUp();
    expect(outcome(await create(unconfirmed, { name: 'a', kind: 'test' }))).toBe('403 email_unverified');
  });

  it('limits the number of active keys, also for concurrent requests', async () => {
    const user = await signUpWithPlan(gateway);
    const answers = await Promise.all(Array.from({ length: limits.apiKeys + 5 }, () => create(user, { name: 'a' })));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(limits.apiKeys);
    expect(new Set(answers.map(outcome))).toEqual(new Set(['201', '409 api_key_limit']));
    await changeKeyRow(gateway, (await list(user))[0]?.id ?? '', { expiresAt: new Date(0) });
    expect(outcome(await create(user, { name: 'a' }))).toBe('201');
    expect(outcome(await create(user, { name: 'a' }))).toBe('409 api_key_limit');
    await user.client.deleteApiKey({ params: { id: (await list(user))[0]?.id ?? '' } });
    expect(outcome(await create(user, { name: 'a' }))).toBe('201');
  });

  it('deletes the oldest expired keys beyond the limit', async () => {
    const user = await signUpWithPlan(gateway);
    for (let i = 0; i < limits.apiKeys + 3; i++) {
      const { id } = await makeKey(user);
      await changeKeyRow(gateway, id, { expiresAt: new Date(i) });
    }
    await makeKey(user);
    expect(await list(user)).toHaveLength(limits.apiKeys + 1);
  });
});

describe('a key', () => {
  it('is disabled and enabled from the next request on', async () => {
    const { id, key } = await makeKey(owner);
    const toggle = async (isActive: boolean) =>
      (await owner.client.toggleApiKey({ params: { id }, body: { isActive } })).data.isActive;
    expect(await toggle(false)).toBe(false);
    expect(await works(key)).toBe(refused);
    expect(await toggle(true)).toBe(true);
    expect(await works(key)).toBe('200');
    expect(outcome(await calls.patchAs(owner, `/api/api-keys/${id}/toggle`, {}))).toBe('422 invalid_parameter');
  });

  it('keeps fields that an update omits', async () => {
    const { id, key } = await makeKey(owner, { monthlyCap: 5, addresses: ['127.0.0.1'] });
    const change = async (body: object) => (await owner.client.updateApiKey({ params: { id }, body })).data;
    expect(await change({ name: ' Renamed ' })).toMatchObject({ name: 'Renamed', monthlyCap: 5 });
    expect(await change({ monthlyCap: null, callsPerMinute: 7 })).toMatchObject({
      name: 'Renamed',
      monthlyCap: null,
      callsPerMinute: 7,
      addresses: ['127.0.0.1'],
    });
    await change({ addresses: ['192.0.2.1'] });
    expect(await works(key)).toBe('403 address_not_allowed');
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    expect(await change({ addresses: [], expiresAt: soon })).toMatchObject({ addresses: [], expiresAt: soon });
    expect(await works(key)).toBe('200');
    await ageKey(gateway, id, 1);
    expect(await works(key)).toBe(refused);
    for (const body of [{ name: ' ' }, { expiresAt: '2020-01-01T00:00:00Z' }, { kind: 'test' }, { scopes: ['read'] }])
      expect(outcome(await calls.patchAs(owner, `/api/api-keys/${id}`, body))).toBe('422 invalid_parameter');
  });

  it('stops working when deleted', async () => {
    const { id, key } = await makeKey(owner);
    await works(key);
    await owner.client.deleteApiKey({ params: { id } });
    expect(await works(key)).toBe(refused);
    expect((await list(owner)).map((one) => one.id)).not.toContain(id);
    await expect(owner.client.deleteApiKey({ params: { id } })).rejects.toMatchObject({ code: 'api_key_not_found' });
  });

  it('can be deleted but not created on a plan without API access', async () => {
    const user = await signUpWithPlan(gateway);
    const { id } = await makeKey(user);
    await setPlan(gateway, user, 'free');
    await expect(user.client.rotateApiKey({ params: { id }, body: {} })).rejects.toMatchObject({
      code: 'plan_feature',
    });
    expect(await list(user)).toHaveLength(1);
    await user.client.deleteApiKey({ params: { id } });
  });
});

describe('rotating a key', () => {
  const rotate = async (id: string, body?: { overlapHours: number }) =>
    (await owner.client.rotateApiKey({ params: { id }, body })).data;

  it('returns a new key and keeps the previous one valid for 24 hours', async () => {
    const before = await makeKey(owner, { name: 'Shop', monthlyCap: 9, addresses: ['127.0.0.1'], scopes: ['read'] });
    const after = await rotate(before.id);
    expect(after).toMatchObject({ name: 'Shop', monthlyCap: 9, addresses: ['127.0.0.1'], scopes: ['read'] });
    expect(after.key).not.toBe(before.key);
    const shown = (await list(owner)).find(({ id }) => id === before.id);
    expect(shown).toMatchObject({ replacedBy: after.id, isExpired: false });
    const endsIn = Date.parse(shown?.expiresAt ?? '') - Date.now();
    expect(endsIn).toBeGreaterThan((limits.apiKeyOverlapHours - 1) * 3_600_000);
    expect(endsIn).toBeLessThanOrEqual(limits.apiKeyOverlapHours * 3_600_000);
    expect([await works(before.key), await works(after.key)]).toEqual(['200', '200']);
    await ageKey(gateway, before.id, limits.apiKeyOverlapHours - 1);
    expect(await works(before.key)).toBe('200');
    await ageKey(gateway, before.id, 1);
    expect([await works(before.key), await works(after.key)]).toEqual([refused, '200']);
  });

  it('without an overlap revokes the previous key immediately', async () => {
    const before = await makeKey(owner);
    const after = await rotate(before.id, { overlapHours: 0 });
    expect([await works(before.key), await works(after.key)]).toEqual([refused, '200']);
  });

  it('never extends an expiry, and gives the new key the same lifetime', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const before = await makeKey(owner, { expiresAt });
    const after = await rotate(before.id, { overlapHours: limits.apiKeyMaxOverlapHours });
    expect((await list(owner)).find(({ id }) => id === before.id)?.expiresAt).toBe(expiresAt);
    const lifeS = (Date.parse(after.expiresAt ?? '') - Date.parse(after.createdAt)) / 1_000;
    expect(Math.round(lifeS / 60)).toBe(60);
  });

  it('succeeds once for concurrent requests', async () => {
    const { id } = await makeKey(owner);
    const path = `/api/api-keys/${id}/rotate`;
    const answers = await Promise.all([calls.postAs(owner, path), calls.postAs(owner, path)]);
    expect(answers.map(outcome).sort()).toEqual(['201', '409 api_key_replaced']);
    const later = new Date(Date.now() + 1e9).toISOString();
    expect(outcome(await calls.patchAs(owner, `/api/api-keys/${id}`, { expiresAt: later }))).toBe(
      '409 api_key_replaced',
    );
    for (const overlapHours of [-1, limits.apiKeyMaxOverlapHours + 1])
      expect(outcome(await calls.postAs(owner, path, { overlapHours }))).toBe('422 invalid_parameter');
  });
});

describe('the usage of a key', () => {
  it('is returned for each of the last 30 days, including days without calls', async () => {
    const { id, key } = await makeKey(owner, { scopes: ['process'] });
    for (let i = 0; i < 3; i++) await works(key);
    const { db } = gateway.ctx;
    const ago = (days: number) => sql<string>`(now() at time zone 'utc')::date - ${days}::integer`;
    await db
      .insertInto('apiKeyDays')
      .values({ keyId: id, day: ago(29), calls: 7, errors: 1, units: 4 })
      .execute();
    await db
      .insertInto('apiKeyDays')
      .values({ keyId: id, day: ago(30), calls: 99 })
      .execute();
    const { data: days } = await owner.client.apiKeyUsage({ params: { id } });
    expect(days).toHaveLength(limits.apiKeyUsageDays);
    expect(days[0]).toMatchObject({ calls: 7, errors: 1, units: 4 });
    expect(days.at(-1)).toEqual({ day: new Date().toISOString().slice(0, 10), calls: 3, errors: 3, units: 0 });
    expect(days.slice(1, -1).every(({ calls: n, errors, units }) => n + errors + units === 0)).toBe(true);
    await expect(owner.client.apiKeyUsage({ params: { id: randomUUID() } })).rejects.toMatchObject({ status: 404 });
  });
});
