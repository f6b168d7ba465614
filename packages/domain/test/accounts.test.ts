import { randomUUID } from 'node:crypto';
import { logIn } from '@uprez/domain/accounts/log-in';
import { ensureAdmin, registerAccount } from '@uprez/domain/accounts/register-account';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSessionUser, logOut } from '../src/accounts/sessions.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
});
afterAll(() => ctx.close());

const device = { userAgent: 'test', address: '127.0.0.1' };
const password = 'correct horse';
const newEmail = () => `${randomUUID()}@example.test`;
const register = (email: string, more: { username?: string; password?: string } = {}) =>
  registerAccount(ctx, { email, password, device, ...more });
const age = (secret: string, change: { lastSeenAt?: string; expiresAt?: string }) => {
  const set = Object.fromEntries(
    Object.entries(change).map(([name, ago]) => [name, sql<Date>`now() - ${ago}::interval`]),
  );
  return findSessionUser(ctx, secret).then((user) =>
    ctx.db
      .updateTable('sessions')
      .set(set)
      .where('userId', '=', user?.id ?? '')
      .execute(),
  );
};

test('registering signs the account in and stores only hashes of the secret and the password', async () => {
  const { user, secret } = await register(newEmail());
  expect((await findSessionUser(ctx, secret))?.id).toBe(user.id);
  expect(user).toMatchObject({ tier: 'free', role: null, emailVerified: false });
  const rows = await ctx.db.selectFrom('sessions').selectAll().where('userId', '=', user.id).execute();
  expect(JSON.stringify([user, rows])).not.toMatch(new RegExp(`${secret}|${password}`));
  expect(user.passwordHash).toMatch(/^\$argon2id\$v=19\$/);
});

test('one of 10 concurrent registrations of an email address succeeds, regardless of case', async () => {
  const email = newEmail();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) => register(index % 2 ? email : email.toUpperCase())),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'email_taken' });
});

test('the length of a password is counted in characters, and long ones are not truncated', async () => {
  await expect(register(newEmail(), { password: '12345' })).rejects.toMatchObject({ code: 'password_too_short' });
  await expect(register(newEmail(), { password: '😀😀😀' })).rejects.toMatchObject({ code: 'password_too_short' });
  const email = newEmail();
  const long = 'x'.repeat(100);
  await register(email, { password: `${long}a` });
  await expect(logIn(ctx, { login: email, password: `${long}b`, device })).rejects.toMatchObject({
    code: 'bad_credentials',
  });
  await logIn(ctx, { login: email, password: `${long}a`, device });
});

test('signing in accepts email address and username in any case, and any Unicode form of the password', async () => {
  const email = newEmail();
  const username = `Ada-${randomUUID()}`;
  const { user } = await register(email, { username, password: 'Zürich é 1'.normalize('NFC') });
  for (const login of [email, email.toUpperCase(), username, username.toLowerCase()]) {
    const session = await logIn(ctx, { login, password: 'Zürich é 1'.normalize('NFD'), device });
    expect(session.user.id).toBe(user.id);
  }
});

test('a wrong password and an unknown account return the same error', async () => {
  const email = newEmail();
  await register(email);
  const words = (login: string) =>
    logIn(ctx, { login, password: 'wrong', device }).catch((error: { code: string; message: string }) => [
      error.code,
      error.message,
    ]);
  expect(await words(email)).toEqual(await words(newEmail()));
});

test("a username equal to another account's email address returns an error", async () => {
  const victim = newEmail();
  await expect(register(newEmail(), { username: victim })).rejects.toMatchObject({
    code: 'invalid_parameter',
    param: 'username',
  });
  const { user } = await register(victim, { username: `name-${randomUUID()}` });
  expect((await logIn(ctx, { login: victim, password, device })).user.id).toBe(user.id);
  const own = newEmail();
  await register(own, { username: own.toUpperCase() });
});

test('signing out ends one session and no others', async () => {
  const email = newEmail();
  const { secret } = await register(email);
  const other = await logIn(ctx, { login: email, password, device });
  await logOut(ctx, secret);
  expect(await findSessionUser(ctx, secret)).toBeUndefined();
  expect(await findSessionUser(ctx, other.secret)).toBeDefined();
  expect(await findSessionUser(ctx, 'made up')).toBeUndefined();
});

test('a session is extended by use, and ends when idle', async () => {
  const used = await register(newEmail());
  await age(used.secret, { lastSeenAt: '2 minutes' });
  await ctx.db
    .updateTable('sessions')
    .set({ expiresAt: sql<Date>`now() + interval '1 minute'` })
    .where('userId', '=', used.user.id)
    .execute();
  await findSessionUser(ctx, used.secret);
  const { left } = await ctx.db
    .selectFrom('sessions')
    .select(sql<number>`extract(epoch from expires_at - now())::double precision`.as('left'))
    .where('userId', '=', used.user.id)
    .executeTakeFirstOrThrow();
  expect(left).toBeGreaterThan(480 * 60 - 60);
  const idle = await register(newEmail());
  await age(idle.secret, { expiresAt: '1 second' });
  expect(await findSessionUser(ctx, idle.secret)).toBeUndefined();
});

test('the first administrator is created once, with the given or a generated password', async () => {
  const email = newEmail();
  const { madeUpPassword } = await ensureAdmin(ctx, { email });
  const { user } = await logIn(ctx, { login: email, password: madeUpPassword ?? '', device });
  expect(user).toMatchObject({ role: 'owner', emailVerified: true });
  const again = newEmail();
  expect(await ensureAdmin(ctx, { email: again, password: 'another one' })).toEqual({});
  await expect(logIn(ctx, { login: again, password: 'another one', device })).rejects.toMatchObject({
    code: 'bad_credentials',
  });
});
