import type { AnomalyRule } from '@uprez/contracts/policy/admin/logs';
import { afterSeconds } from '@uprez/db/times';
import { anomaliesTask, findAnomalies } from '@uprez/domain/access/find-anomalies';
import { createApiKey } from '@uprez/domain/api-keys/create-api-key';
import { makeAccessEvent } from '@uprez/testing/factories/make-access-event';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';

const ctx = fileFixture(() => openTestContext());
const minute = 60;
const day = 86_400;

beforeEach(async () => {
  for (const table of ['accessEvents', 'anomalies', 'outbox', 'users', 'scheduledTasks'] as const)
    await ctx.db.deleteFrom(table).execute();
});

const makeOwner = async () => {
  const { accountId } = await makeUser(ctx.db);
  await ctx.db.updateTable('users').set({ role: 'owner' }).where('id', '=', accountId).execute();
  return accountId;
};
const listFound = (rule?: AnomalyRule) => {
  const query = ctx.db
    .selectFrom('anomalies')
    .select(['rule', 'subject', 'userId', 'count', 'evidence'])
    .orderBy('subject');
  return (rule ? query.where('rule', '=', rule) : query).execute();
};
const listMails = async (userId: string) => {
  const rows = await ctx.db.selectFrom('outbox').select('payload').where('userId', '=', userId).orderBy('id').execute();
  return rows.map(({ payload }) => payload);
};
/** Lets the rules run for the last time so long ago, and fail since. */
const pause = (ageS: number) =>
  ctx.db
    .insertInto('scheduledTasks')
    .values({
      name: anomaliesTask,
      lastSucceededAt: afterSeconds(-ageS),
      lastError: 'failed',
      lastFinishedAt: new Date(),
    })
    .execute();
const home = { network: '192.0.2.0/24', address: '192.0.2.1' };
const abroad = { network: '198.51.100.0/24', address: '198.51.100.1' };

describe('sign-ins from a new network', () => {
  const signIn = async (userId: string, ageS: number, more: object) =>
    makeAccessEvent(ctx.db, ageS, { userId, agent: 'a browser', ...more });

  it('are found when the device is new, too', async () => {
    const { accountId } = await makeUser(ctx.db);
    await signIn(accountId, 30 * day, { ...home, newDevice: true });
    await signIn(accountId, 5 * minute, { ...abroad, newDevice: true });
    await findAnomalies(ctx);
    expect(await listFound()).toEqual([
      {
        rule: 'new_network',
        subject: `user:${accountId}`,
        userId: accountId,
        count: 1,
        evidence: { at: expect.any(String), country: null, agent: 'a browser', ...abroad },
      },
    ]);
  });

  it.each([
    ['the device is known', { ...abroad, newDevice: false }],
    ['the network is known', { ...home, newDevice: true }],
  ])('are not found when %s', async (_, more) => {
    const { accountId } = await makeUser(ctx.db);
    await signIn(accountId, 30 * day, { ...home, newDevice: true });
    await signIn(accountId, 5 * minute, more);
    await findAnomalies(ctx);
    expect(await listFound()).toEqual([]);
  });

  it('are not found for the first sign-in of an account', async () => {
    const [{ accountId }, other] = [await makeUser(ctx.db), await makeUser(ctx.db)];
    await signIn(other.accountId, 30 * day, home);
    await signIn(accountId, 5 * minute, { ...abroad, newDevice: true });
    await findAnomalies(ctx);
    expect(await listFound()).toEqual([]);
  });
});

describe('sign-ins from a new country', () => {
  it('are found on known devices, and not where the country is unknown', async () => {
    const { accountId: userId } = await makeUser(ctx.db);
    await makeAccessEvent(ctx.db, 40 * day, { userId, ...home });
    await makeAccessEvent(ctx.db, 30 * day, { userId, ...home, country: 'DE' });
    await makeAccessEvent(ctx.db, 20 * minute, { userId, ...home, country: 'DE' });
    await makeAccessEvent(ctx.db, 15 * minute, { userId, ...abroad });
    await findAnomalies(ctx);
    expect(await listFound()).toEqual([]);
    await makeAccessEvent(ctx.db, 5 * minute, { userId, ...abroad, country: 'FR' });
    await findAnomalies(ctx);
    expect(await listFound()).toMatchObject([
      { rule: 'new_country', subject: `user:${userId}`, evidence: { country: 'FR' } },
    ]);
  });
});

describe('failures', () => {
  const fail = async (count: number, ageS: number, values: object) => {
    for (let i = 0; i < count; i += 1)
      await makeAccessEvent(ctx.db, ageS - i, { kind: 'sign_in_failed', status: 401, ...values });
  };

  it('are found for an account, from any number of IP addresses and of both kinds', async () => {
    const { accountId: userId } = await makeUser(ctx.db);
    await fail(10, 10 * minute, { userId, ...home });
    await fail(10, 5 * minute, { userId, ...abroad, kind: 'two_factor_failed' });
    await findAnomalies(ctx);
    expect(await listFound()).toMatchObject([{ rule: 'failures', subject: `user:${userId}`, userId, count: 20 }]);
  });

  it('are found for an IP address, for any number of accounts', async () => {
    const [one, two] = [await makeUser(ctx.db), await makeUser(ctx.db)];
    await fail(9, 9 * minute, { userId: one.accountId, ...home });
    await fail(9, 8 * minute, { userId: two.accountId, ...home });
    await fail(2, 7 * minute, home);
    await findAnomalies(ctx);
    expect(await listFound()).toMatchObject([
      { rule: 'failures', subject: `address:${home.address}`, userId: null, count: 20 },
    ]);
  });

  it('are not found when they are fewer or farther apart', async () => {
    const { accountId: userId } = await makeUser(ctx.db);
    await fail(10, 22 * minute, { userId, ...home });
    await fail(10, 10 * minute, { userId, ...home });
    await fail(19, 40 * minute, abroad);
    await findAnomalies(ctx);
    expect(await listFound()).toEqual([]);
  });

  it('are found two hours back, and since the last successful run, but not beyond a week', async () => {
    await fail(20, 100 * minute, home);
    await fail(20, 2 * day, abroad);
    await fail(20, 8 * day, { address: '192.0.2.8' });
    await findAnomalies(ctx);
    expect(await listFound()).toHaveLength(1);
    await pause(10 * day);
    await findAnomalies(ctx);
    const subjects = (await listFound()).map(({ subject }) => subject);
    expect(subjects).toEqual([`address:${home.address}`, `address:${abroad.address}`]);
  });
});

describe('API keys', () => {
  type Hours = { hours?: number; usual?: number; calls: number; ago?: number };
  /** A key with so many calls in an hour, and in each of the hours before the previous one. */
  const makeKey = async ({ hours = 24, usual = 20, calls, ago = 0 }: Hours) => {
    const { accountId } = await makeUser(ctx.db, 'api_basic');
    const { key } = await createApiKey(ctx, { accountId, name: 'CI', kind: 'live', scopes: ['process'] });
    const at = (hoursAgo: number) => sql<Date>`date_trunc('hour', now(), 'UTC') - make_interval(hours => ${hoursAgo})`;
    const rows = Array.from({ length: hours }, (_, i) => ({ keyId: key.id, hour: at(ago + i + 2), calls: usual }));
    await ctx.db
      .insertInto('apiKeyHours')
      .values([...rows, { keyId: key.id, hour: at(ago), calls }])
      .execute();
    return { id: key.id, accountId };
  };

  it('are found with ten times the median of their hours', async () => {
    const { id, accountId } = await makeKey({ calls: 200 });
    await findAnomalies(ctx);
    expect(await listFound()).toMatchObject([
      { rule: 'key_burst', subject: `key:${id}`, userId: accountId, count: 200, evidence: { median: 20, key: 'CI' } },
    ]);
  });

  it('are found after a pause, by their earlier hours', async () => {
    const { id } = await makeKey({ calls: 200, ago: 30 });
    await findAnomalies(ctx);
    expect(await listFound()).toEqual([]);
    await pause(2 * day);
    await findAnomalies(ctx);
    expect(await listFound()).toMatchObject([{ subject: `key:${id}`, count: 200, evidence: { median: 20 } }]);
  });

  it.each([
    ['fewer calls', { calls: 199 }],
    ['fewer than 100 calls', { usual: 2, calls: 99 }],
    ['less than 24 hours to compare with', { hours: 23, calls: 200 }],
  ])('are not found with %s', async (_, numbers) => {
    await makeKey(numbers);
    await findAnomalies(ctx);
    expect(await listFound()).toEqual([]);
  });
});

describe('findAnomalies', () => {
  const failFrom = async (address: string, count = 20) => {
    for (let i = 0; i < count; i += 1)
      await makeAccessEvent(ctx.db, minute + i, { kind: 'sign_in_failed', status: 401, address });
  };

  it('stores an anomaly once per day, with the largest count', async () => {
    await failFrom('192.0.2.50');
    expect([await findAnomalies(ctx), await findAnomalies(ctx)]).toEqual([1, 0]);
    await failFrom('192.0.2.50', 5);
    expect(await findAnomalies(ctx)).toBe(0);
    expect(await listFound()).toMatchObject([{ count: 25 }]);
    await ctx.db.updateTable('anomalies').set({ day: '2026-01-01' }).execute();
    expect(await findAnomalies(ctx)).toBe(1);
  });

  it('opens an acknowledged anomaly again, with another email, once its count doubles', async () => {
    const owner = await makeOwner();
    const read = () => ctx.db.selectFrom('anomalies').select(['count', 'note', 'acknowledgedAt']).execute();
    await failFrom('192.0.2.50');
    await findAnomalies(ctx);
    await ctx.db
      .updateTable('anomalies')
      .set({ acknowledgedAt: new Date(), acknowledgedBy: owner, note: 'known' })
      .execute();
    await failFrom('192.0.2.50', 19);
    expect(await findAnomalies(ctx)).toBe(0);
    expect(await read()).toEqual([{ count: 20, note: 'known', acknowledgedAt: expect.any(Date) }]);
    await failFrom('192.0.2.50', 1);
    expect(await findAnomalies(ctx)).toBe(1);
    expect(await read()).toEqual([{ count: 40, note: null, acknowledgedAt: null }]);
    expect((await listMails(owner)).map(({ anomalies }) => anomalies)).toMatchObject([
      [{ count: 20 }],
      [{ count: 40 }],
    ]);
  });

  it('emails every owner once about all new anomalies, and nobody else', async () => {
    const [owner, second, suspended] = [await makeOwner(), await makeOwner(), await makeOwner()];
    await ctx.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', suspended).execute();
    const { accountId } = await makeUser(ctx.db);
    for (let i = 0; i < 11; i += 1) await failFrom(`192.0.2.${i}`);
    await Promise.all([findAnomalies(ctx), findAnomalies(ctx)]);
    await findAnomalies(ctx);
    const [mail, ...others] = await listMails(owner);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ mail: 'anomalies', more: 1 });
    expect(mail?.anomalies).toHaveLength(10);
    expect(mail?.anomalies).toContainEqual({
      rule: 'failures',
      account: null,
      key: null,
      address: expect.stringMatching(/^192\.0\.2\.\d+$/),
      country: null,
      count: 20,
      median: null,
    });
    expect(await listMails(second)).toEqual([mail]);
    expect([...(await listMails(suspended)), ...(await listMails(accountId))]).toEqual([]);
  });

  it('waits with further emails when an owner got many, and loses none', async () => {
    const owner = await makeOwner();
    for (let i = 0; i < 7; i += 1) {
      await failFrom(`192.0.2.${i}`);
      await findAnomalies(ctx);
    }
    expect(await listMails(owner)).toHaveLength(5);
    await ctx.db.updateTable('outbox').set({ createdAt: sql<Date>`now() - interval '2 hours'` }).execute();
    expect(await findAnomalies(ctx)).toBe(2);
    expect((await listMails(owner)).at(-1)?.anomalies).toHaveLength(2);
  });
});
