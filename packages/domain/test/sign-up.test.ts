import { randomUUID } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { logIn } from '@uprez/domain/accounts/log-in';
import { checkNewPassword } from '@uprez/domain/accounts/password-hash';
import { type NewAccount, registerAccount } from '@uprez/domain/accounts/register-account';
import type { SettingsByName } from '@uprez/domain/context';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSession, findSessionUser } from '../src/accounts/sessions.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
});
afterAll(() => ctx.close());
afterEach(async () => {
  for (const name of ['site', 'email', 'security'] as const) await set(name, {});
});

const device = { userAgent: 'a browser', address: '192.0.2.7' };
const password = 'correct horse';
const newEmail = () => `${randomUUID()}@example.test`;
const register = (more: Partial<NewAccount> = {}) =>
  registerAccount(ctx, { email: newEmail(), password, device, ...more });
async function set(name: 'site' | 'email' | 'security', value: Record<string, unknown>) {
  await upsertSettings(ctx.db, name, value);
  ctx.settings.forget(name);
}
const mailsTo = async (userId: string) =>
  (await ctx.db.selectFrom('outbox').select('payload').where('userId', '=', userId).orderBy('id').execute()).map(
    ({ payload }) => payload,
  );

describe('registering an account', () => {
  test('sends an email to confirm the address, and a welcome email if enabled', async () => {
    const { user } = await register();
    expect(await mailsTo(user.id)).toEqual([{ mail: 'verify_email' }, { mail: 'welcome' }]);
    await set('email', { welcomeEmailEnabled: false });
    const other = await register();
    expect(await mailsTo(other.user.id)).toEqual([{ mail: 'verify_email' }]);
  });

  test('keeps the page to open after the confirmation, unless it could lead to another site', async () => {
    const mailOf = async (next: string) => (await mailsTo((await register({ next })).user.id))[0];
    const next = '/subscribe?plan=pro&interval=year';
    expect(await mailOf(next)).toEqual({ mail: 'verify_email', next });
    for (const unsafe of ['//evil.example', '/\\evil.example', 'https://evil.example/subscribe', '/api/logout', '/'])
      expect(await mailOf(unsafe)).toEqual({ mail: 'verify_email' });
  });

  test('sends at most 10 emails an hour to aliases of one mailbox, and still creates accounts', async () => {
    const [name, gmail] = [randomUUID(), randomUUID().replaceAll('-', '')];
    const sentTo = async (emails: string[]) => {
      const mails = [];
      for (const email of emails) mails.push(...(await mailsTo((await register({ email })).user.id)));
      return mails.length;
    };
    expect(await sentTo(Array.from({ length: 8 }, (_, at) => `${name}+${at}@example.test`))).toBe(10);
    const spelled = (at: number) => `${gmail.slice(0, at)}.${gmail.slice(at)}@gmail.com`;
    expect(await sentTo(Array.from({ length: 8 }, (_, at) => spelled(at + 1)))).toBe(10);
    // The person whose mailbox it is can sign up.
    expect(await sentTo([`${name}@example.test`])).toBe(2);
    expect(await sentTo([newEmail()])).toBe(2);
  });

  test('sends no email when it fails', async () => {
    const email = newEmail();
    await register({ email });
    const sent = async () => (await ctx.db.selectFrom('outbox').select('id').execute()).length;
    const before = await sent();
    await expect(register({ email })).rejects.toMatchObject({ code: 'email_taken', param: 'email' });
    expect(await sent()).toBe(before);
  });

  test('sets the default plan of the site', async () => {
    await set('site', { defaultPlan: 'pro' });
    expect((await register()).user.tier).toBe('pro');
  });

  test('stores the accepted terms and when they were accepted', async () => {
    const { user } = await register({ acceptTerms: true });
    expect(user.termsVersion).toBe(1);
    expect(await ctx.db.selectFrom('termAcceptances').selectAll().where('userId', '=', user.id).execute()).toEqual([
      { userId: user.id, version: 1, acceptedAt: user.createdAt, address: device.address },
    ]);
    const other = await register();
    expect(other.user.termsVersion).toBeNull();
    expect(await ctx.db.selectFrom('termAcceptances').where('userId', '=', other.user.id).execute()).toEqual([]);
  });

  test('returns registration_closed while registration is closed', async () => {
    await set('site', { allowRegistration: false });
    await expect(register()).rejects.toMatchObject({ code: 'registration_closed' });
  });

  test('gives a username to one of several concurrent requests, and returns an error to the others', async () => {
    const username = `ada-${randomUUID()}`;
    const outcomes = await Promise.allSettled(
      [username, username.toUpperCase(), username, username.toUpperCase()].map((name) => register({ username: name })),
    );
    const rejections = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(rejections).toHaveLength(3);
    for (const rejection of rejections)
      expect(rejection).toMatchObject({ code: 'email_taken', param: 'username', message: /user name is taken/ });
  });
});

describe('a new password', () => {
  const check = (text: string) =>
    checkNewPassword(ctx, {
      password: text,
      param: 'newPassword',
      owner: { email: 'Ada@example.test', username: 'ada lovelace' },
    });

  test('must have the minimum length of the settings, and at least 6 characters', async () => {
    await expect(check('k7#wz')).rejects.toMatchObject({
      code: 'password_too_short',
      param: 'newPassword',
      message: 'Password must be at least 8 characters long',
    });
    await expect(check('k7#wzp2')).rejects.toMatchObject({
      code: 'password_too_short',
      message: 'Password must be at least 8 characters long',
    });
    await check('k7#wzp2!');
    await set('security', { minPasswordLength: 6 });
    await check('k7#wzp');
    await expect(check('k7#wz')).rejects.toThrow('at least 6');
    await set('security', { minPasswordLength: 20 });
    await expect(check('k7#wzp2!')).rejects.toThrow('at least 20');
  });

  test('is counted in characters', async () => {
    await expect(check('😀'.repeat(7))).rejects.toMatchObject({ code: 'password_too_short' });
    await check('😀🎈'.repeat(4));
    await expect(check('éééééé'.normalize('NFD'))).rejects.toMatchObject({ code: 'password_too_short' });
    await check('密码'.repeat(400));
  });

  const common = ['password', 'PassWord', '12345678', 'iloveyou', 'qwerty123', 'baseball'];
  const obvious = ['%%%%%%%%%%', '😀'.repeat(8), 'ada@example.TEST', 'Ada Lovelace'];
  test.each([...common, ...obvious])('must not be %s', async (text) => {
    await expect(check(text)).rejects.toMatchObject({ code: 'password_too_common', param: 'newPassword' });
  });
});

describe('a device', () => {
  const newDevices = async (userId: string) => (await mailsTo(userId)).filter(({ mail }) => mail === 'new_device');

  test('sends one email when an account signs in on it for the first time', async () => {
    const { user, deviceSecret } = await register();
    await ctx.db.updateTable('users').set({ emailVerified: true }).where('id', '=', user.id).execute();
    const signIn = (secret?: string) => logIn(ctx, { login: user.email, password, device: { ...device, secret } });
    await signIn(deviceSecret);
    expect(await newDevices(user.id)).toEqual([]);
    const second = await signIn();
    expect(second.deviceSecret).not.toBe(deviceSecret);
    await signIn(second.deviceSecret);
    expect(await newDevices(user.id)).toEqual([
      { mail: 'new_device', userAgent: 'a browser', address: '192.0.2.7', at: expect.stringMatching(/^20.*Z$/) },
    ]);
  });

  test('can be known for several accounts, and sends an email for each', async () => {
    const first = await register();
    const second = await register();
    const { deviceSecret } = await logIn(ctx, {
      login: second.user.email,
      password,
      device: { ...device, secret: first.deviceSecret },
    });
    expect(deviceSecret).toBe(first.deviceSecret);
    expect([await newDevices(first.user.id), await newDevices(second.user.id)].map(({ length }) => length)).toEqual([
      0, 1,
    ]);
  });

  test('is stored with the hash of its secret', async () => {
    const { deviceSecret, user } = await register();
    const rows = await ctx.db.selectFrom('devices').selectAll().where('userId', '=', user.id).execute();
    expect(rows).toMatchObject([{ userAgent: 'a browser' }]);
    expect(rows[0]?.secretHash).toHaveLength(32);
    expect(JSON.stringify(rows)).not.toContain(deviceSecret);
  });
});

describe('signing in', () => {
  test('ends the previous session of the request and no other', async () => {
    const { user, secret } = await register();
    const other = await createSession(ctx.db, { userId: user.id, device, lifeS: 600 });
    const next = await logIn(ctx, { login: user.email, password, device, formerSecret: secret });
    expect(await findSessionUser(ctx, secret)).toBeUndefined();
    for (const alive of [other, next.secret]) expect(await findSessionUser(ctx, alive)).toBeDefined();
    const again = await register({ formerSecret: next.secret });
    expect(await findSessionUser(ctx, next.secret)).toBeUndefined();
    expect((await findSessionUser(ctx, again.secret))?.id).toBe(again.user.id);
  });

  test('ends the sessions and forgets the devices beyond the limit that were used the longest time ago', async () => {
    const { user, secret } = await register();
    const count = limits.sessions + 50;
    await sql`
      insert into sessions (id_hash, user_id, expires_at, last_seen_at)
      select sha256(convert_to(n || ${user.id}, 'UTF8')), ${user.id}, now() + interval '1 hour', now() - n * interval '1 second'
      from generate_series(1, ${count}::int) n`.execute(ctx.db);
    await sql`
      insert into devices (secret_hash, user_id, last_seen_at)
      select sha256(n::text::bytea), ${user.id}, now() - n * interval '1 second'
      from generate_series(1, ${count}::int) n`.execute(ctx.db);
    const next = await logIn(ctx, { login: user.email, password, device });
    for (const kept of [secret, next.secret]) expect(await findSessionUser(ctx, kept)).toBeDefined();
    const own = (table: 'sessions' | 'devices') =>
      ctx.db.selectFrom(table).select('lastSeenAt').where('userId', '=', user.id).execute();
    const [sessions, devices] = [await own('sessions'), await own('devices')];
    expect([sessions.length, devices.length]).toEqual([limits.sessions, limits.devices]);
    const oldestMs = Math.min(...sessions.map(({ lastSeenAt }) => lastSeenAt.getTime()));
    expect(Date.now() - oldestMs).toBeLessThan((limits.sessions + 30) * 1_000);
  });

  test('keeps the previous session when it fails', async () => {
    const { user, secret } = await register();
    const failing = logIn(ctx, { login: user.email, password: 'wrong', device, formerSecret: secret });
    await expect(failing).rejects.toMatchObject({ code: 'bad_credentials' });
    expect(await findSessionUser(ctx, secret)).toBeDefined();
  });

  test('returns account_suspended only for the correct password of a suspended account without sessions', async () => {
    const { user, secret } = await register();
    await ctx.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', user.id).execute();
    const signIn = (text: string) => logIn(ctx, { login: user.email, password: text, device });
    await expect(signIn('wrong')).rejects.toMatchObject({ code: 'bad_credentials' });
    for (let index = 0; index < 6; index += 1)
      await expect(signIn(password)).rejects.toMatchObject({ code: 'account_suspended' });
    expect(await findSessionUser(ctx, secret)).toBeUndefined();
  });

  test('fails with a password that was replaced concurrently', async () => {
    const { user } = await register();
    const replaced = {
      ...ctx,
      settings: {
        ...ctx.settings,
        // Called between finding the account and creating the session.
        read: async <Name extends keyof SettingsByName>(name: Name) => {
          await ctx.db.updateTable('users').set({ passwordHash: 'another' }).where('id', '=', user.id).execute();
          return ctx.settings.read(name);
        },
      },
    };
    await expect(logIn(replaced, { login: user.email, password, device })).rejects.toMatchObject({
      code: 'bad_credentials',
    });
    expect(await ctx.db.selectFrom('sessions').select('id').where('userId', '=', user.id).execute()).toHaveLength(1);
  });
});
