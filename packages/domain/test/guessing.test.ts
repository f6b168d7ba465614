import { randomUUID } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { deleteOldAttempts, refundAttempts, takeAttempt } from '@uprez/db/queries/accounts/attempts';
import { findUser } from '@uprez/db/queries/accounts/users';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { logIn } from '@uprez/domain/accounts/log-in';
import { accountTurn, takeHashTurn } from '@uprez/domain/accounts/password-hash';
import { proveOwner } from '@uprez/domain/accounts/prove-owner';
import { registerAccount } from '@uprez/domain/accounts/register-account';
import { twoFactorPurpose } from '@uprez/domain/accounts/two-factor-codes';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clearGuesses } from '../src/accounts/guesses.ts';
import { createSessionSecret } from '../src/accounts/sessions.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
});
afterAll(() => ctx.close());
afterEach(() => setSecurity({}));

const stranger = { userAgent: 'test', address: '127.0.0.1' };
const password = 'correct horse';
const newEmail = () => `${randomUUID()}@example.test`;
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** Creates an account and returns it with its device. */
async function open() {
  const email = newEmail();
  const { user, deviceSecret } = await registerAccount(ctx, { email, password, device: stranger });
  return { email, user, home: { ...stranger, secret: deviceSecret } };
}
/** Signs in and returns 'in' or the error code. */
const attempt = (login: string, more: { password?: string; code?: string; device?: typeof stranger } = {}) =>
  logIn(ctx, { login, password: 'wrong', device: stranger, ...more }).then(
    () => 'in',
    (error: AppError) => error.code,
  );
const waitOf = (login: string) =>
  attemptError(login).then((error) => (error.code === 'too_many_attempts' ? Number(error.meta?.retryAfterS) : 0));
const attemptError = (login: string): Promise<AppError> =>
  logIn(ctx, { login, password: 'wrong', device: stranger }).then(
    () => new AppError('internal'),
    (error: AppError) => error,
  );
/** Makes wrong guesses sequentially. */
async function guess(login: string, count: number) {
  const codes: string[] = [];
  for (let index = 0; index < count; index += 1) codes.push(await attempt(login));
  return codes;
}
/** Ages all attempts by an interval. */
const passTime = (interval: string) =>
  ctx.db
    .updateTable('attempts')
    .set({
      lastAt: sql<Date>`last_at - ${interval}::interval`,
      blockedUntil: sql<Date>`blocked_until - ${interval}::interval`,
    })
    .execute();
async function setSecurity(value: Record<string, unknown>) {
  await upsertSettings(ctx.db, 'security', value);
  ctx.settings.forget('security');
}

const wrong = (count: number) => times(count, () => 'bad_credentials');

test('an attempt that is taken back blocks none that started before it', async () => {
  const rule = { subject: `proof:${randomUUID()}`, max: 5, pauseS: 60, blockS: 60, growth: 1 } as const;
  await ctx.db.transaction().execute(async (earlier) => {
    // Its time is that of its first statement.
    await sql`select now()`.execute(earlier);
    expect(await takeAttempt(ctx.db, rule)).toBe(true);
    await refundAttempts(ctx.db, [rule.subject]);
    expect(await takeAttempt(earlier, rule)).toBe(true);
  });
});

describe('guesses', () => {
  test('sent concurrently are not compared beyond the limit', async () => {
    const { email } = await open();
    const codes = await Promise.all(times(300, () => attempt(email)));
    expect(codes.filter((code) => code === 'bad_credentials')).toHaveLength(5);
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(295);
    expect(await attempt(email, { password })).toBe('too_many_attempts');
  });

  test('are counted per account, whichever of its names is used', async () => {
    const email = newEmail();
    const username = `ada-${randomUUID()}`;
    await registerAccount(ctx, { email, username, password, device: stranger });
    for (const login of [email, username, email.toUpperCase(), username.toUpperCase(), email])
      expect(await attempt(login)).toBe('bad_credentials');
    expect(await attempt(username)).toBe('too_many_attempts');
  });

  test('of an unknown name return the same responses as those of an account', async () => {
    const { email } = await open();
    const nobody = newEmail();
    const answers = async (login: string) => {
      const errors: AppError[] = [];
      for (let index = 0; index < 7; index += 1) errors.push(await attemptError(login));
      return errors.map(({ code, message, status, meta }) => ({ code, message, status, waits: meta !== undefined }));
    };
    expect(await answers(email)).toEqual(await answers(nobody));
    const [known, unknown] = [await waitOf(email), await waitOf(nobody.toUpperCase())];
    for (const seconds of [known, unknown]) expect(seconds).toBeGreaterThan(870);
  });

  test('of other spellings of a name return the same responses for known and unknown names', async () => {
    const [username, nobody] = [`émile-${randomUUID()}`, `émile-${randomUUID()}`];
    await registerAccount(ctx, { email: newEmail(), username, password, device: stranger });
    const codes = async (login: string) => {
      await guess(login, 5);
      const spellings = [login.toUpperCase(), login.normalize('NFD'), ` ${login}`, login.replace('m', 'M')];
      return Promise.all(spellings.map((spelling) => attempt(spelling)));
    };
    expect(await codes(username)).toEqual(await codes(nobody));
  });

  test('are stored without the name', async () => {
    const login = newEmail();
    await attempt(login);
    expect(JSON.stringify(await ctx.db.selectFrom('attempts').selectAll().execute())).not.toContain(login);
  });

  test('separated by a pause are not counted together', async () => {
    const { email } = await open();
    await guess(email, 4);
    await passTime('14 minutes');
    await guess(email, 1);
    expect(await attempt(email)).toBe('too_many_attempts');
    const other = await open();
    await guess(other.email, 4);
    await passTime('16 minutes');
    expect(await guess(other.email, 5)).toEqual(wrong(5));
  });

  test('stay counted after a successful sign-in', async () => {
    const { email, home } = await open();
    await guess(email, 4);
    expect(await attempt(email, { password })).toBe('in');
    expect(await attempt(email, { password, device: home })).toBe('in');
    expect(await guess(email, 2)).toEqual(['bad_credentials', 'too_many_attempts']);
  });

  test('are limited by the settings, and to 10 in 10 minutes regardless of them', async () => {
    await setSecurity({ maxLoginAttempts: 3, lockoutDuration: 2 });
    const { email } = await open();
    expect(await guess(email, 4)).toEqual([...wrong(3), 'too_many_attempts']);
    expect(await waitOf(email)).toBeLessThanOrEqual(120);
    await setSecurity({ maxLoginAttempts: 100, lockoutDuration: 1 });
    const other = await open();
    expect(await guess(other.email, 11)).toEqual([...wrong(10), 'too_many_attempts']);
    expect(await waitOf(other.email)).toBeGreaterThan(570);
  });
});

describe('a lockout', () => {
  test('ends, and doubles each time up to a day', async () => {
    const { email } = await open();
    for (const minutes of [15, 30, 60]) {
      expect(await guess(email, 5)).toEqual(wrong(5));
      const waitS = await waitOf(email);
      expect(waitS).toBeLessThanOrEqual(minutes * 60);
      expect(waitS).toBeGreaterThan(minutes * 60 - 30);
      await passTime(`${minutes} minutes`);
    }
    await ctx.db.updateTable('attempts').set({ blocks: 1_000 }).execute();
    await guess(email, 5);
    expect(await waitOf(email)).toBeLessThanOrEqual(24 * 3_600);
    expect(await waitOf(email)).toBeGreaterThan(24 * 3_600 - 30);
  });

  test('starts at the first duration again after a day without guesses', async () => {
    const { email } = await open();
    await guess(email, 5);
    await passTime('15 minutes');
    await guess(email, 5);
    await passTime('25 hours');
    expect(await guess(email, 5)).toEqual(wrong(5));
    expect(await waitOf(email)).toBeLessThanOrEqual(900);
  });

  test('of an account does not apply to known devices', async () => {
    const { email, home } = await open();
    await guess(email, 6);
    expect(await attempt(email, { password, device: home })).toBe('in');
    expect(await attempt(email, { password })).toBe('too_many_attempts');
  });

  test('of a known device does not apply to other devices and the account', async () => {
    const { email, home } = await open();
    const codes = await Promise.all(times(50, () => attempt(email, { device: home })));
    expect(codes.filter((code) => code === 'bad_credentials')).toHaveLength(5);
    expect(await attempt(email, { password, device: home })).toBe('too_many_attempts');
    expect(await attempt(email, { password })).toBe('in');
  });

  test('ignores wrong passwords before a sign-in on a known device', async () => {
    const { email, home } = await open();
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 4; index += 1) await attempt(email, { device: home });
      expect(await attempt(email, { password, device: home })).toBe('in');
    }
  });

  test('applies to devices that only another account knows, and to unknown ones', async () => {
    const victim = await open();
    const attacker = await open();
    const made = { ...stranger, secret: createSessionSecret() };
    await guess(victim.email, 5);
    for (const device of [attacker.home, made])
      expect(await attempt(victim.email, { password, device })).toBe('too_many_attempts');
  });

  test('of the account, its devices, and proofs is cleared by clearGuesses', async () => {
    const { email, user, home } = await open();
    await guess(email, 6);
    for (let index = 0; index < 6; index += 1) await attempt(email, { device: home });
    await clearGuesses(ctx.db, user.id);
    expect(await attempt(email, { password })).toBe('in');
    expect(await attempt(email, { password, device: home })).toBe('in');
  });
});

describe('the correct password', () => {
  test('never counts as a guess', async () => {
    const { email } = await open();
    for (let index = 0; index < 12; index += 1) expect(await attempt(email, { password })).toBe('in');
  });

  test('does not allow unlimited guesses of the code', async () => {
    const { email, user, home } = await open();
    const sealed = ctx.vault.seal('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', twoFactorPurpose(user.id));
    await ctx.db
      .updateTable('users')
      .set({ twoFactorSecret: sealed, twoFactorAt: new Date() })
      .where('id', '=', user.id)
      .execute();
    for (const device of [stranger, home]) {
      const codes: string[] = [];
      for (let index = 0; index < 6; index += 1) {
        codes.push(await attempt(email, { password, device }));
        codes.push(await attempt(email, { password, device, code: 'no such code' }));
      }
      expect(codes.filter((code) => code === 'bad_two_factor_code')).toHaveLength(5);
      expect(codes.filter((code) => code === 'two_factor_required')).toHaveLength(5);
      expect(codes.slice(-2)).toEqual(['too_many_attempts', 'too_many_attempts']);
    }
  });
});

test('guesses of the password in a session are limited and do not lock out sign-in', async () => {
  const { email, user } = await open();
  const row = await findUser(ctx.db, user.id);
  if (!row) throw new Error('the user is gone');
  const prove = (text: string) =>
    proveOwner(ctx, { user: row, password: text }).then(
      () => 'proven',
      (error: AppError) => error.code,
    );
  for (let index = 0; index < 12; index += 1) expect(await prove(password)).toBe('proven');
  const codes = await Promise.all(times(50, () => prove('wrong')));
  expect(codes.filter((code) => code === 'wrong_password')).toHaveLength(5);
  expect(await prove(password)).toBe('too_many_attempts');
  expect(await attempt(email, { password })).toBe('in');
});

test('guesses that were not compared, because too many passwords wait, are not counted', async () => {
  const { email, user } = await open();
  const row = await findUser(ctx.db, user.id);
  if (!row) throw new Error('the user is gone');
  const prove = () => proveOwner(ctx, { user: row, password }).catch((error: AppError) => error.code);
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const waiting = times(limits.waitingPasswords + 1, () => takeHashTurn(accountTurn(randomUUID()), () => finished));
  const busy = times(6, () => 'service_unavailable');
  expect(await guess(email, 6)).toEqual(busy);
  const proofs: unknown[] = [];
  while (proofs.length < busy.length) proofs.push(await prove());
  finish();
  await Promise.all(waiting);
  expect(proofs).toEqual(busy);
  expect(await prove()).toBeUndefined();
  expect(await attempt(email)).toBe('bad_credentials');
});

test('attempts are deleted when they no longer affect lockouts', async () => {
  const { email } = await open();
  await ctx.db.deleteFrom('attempts').execute();
  await guess(email, 5);
  const left = async () => (await ctx.db.selectFrom('attempts').selectAll().execute()).length;
  const all = await left();
  await passTime('24 hours');
  await deleteOldAttempts(ctx.db);
  expect(await left()).toBeLessThan(all);
  expect(await left()).toBeGreaterThan(0);
  await passTime('16 minutes');
  await deleteOldAttempts(ctx.db);
  expect(await left()).toBe(0);
});
