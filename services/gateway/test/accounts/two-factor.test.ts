import { randomUUID } from 'node:crypto';
import { replaceRecoveryCodes } from '@uprez/db/queries/accounts/two-factor';
import { findUser } from '@uprez/db/queries/accounts/users';
import { checkTwoFactorCode } from '@uprez/domain/accounts/prove-owner';
import { hashRecoveryCode, makeRecoveryCodes, twoFactorPurpose } from '@uprez/domain/accounts/two-factor-codes';
import { makeUser } from '@uprez/testing/make-user';
import type { SignedIn } from '@uprez/testing/sign-up';
import { totpCode } from '@uprez/testing/totp-code';
import { describe, expect, it } from 'vitest';
import { openAccountCalls } from '../support/accounts/accounts.ts';
import { openTwoFactor, type TwoFactorCalls } from '../support/accounts/two-factor.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const calls = openAccountCalls(gateway);
const twoFactor = openTwoFactor(gateway);

const codeOf = (response: Response) => ({ status: response.status, code: response.headers.get('x-error-code') });
const refused = (status: number, code: string) => ({ status, code });
const setUp: TwoFactorCalls['setUp'] = (...asked) => twoFactor.setUp(...asked);
const enable: TwoFactorCalls['enable'] = (...asked) => twoFactor.enable(...asked);
const disable: TwoFactorCalls['disable'] = (...asked) => twoFactor.disable(...asked);
/** Creates a user with a confirmed email address. */
async function signUp(): Promise<SignedIn> {
  const user = await gateway.signUp();
  await calls.change(user, { emailVerified: true });
  return user;
}
const logIn = ({ email, password }: SignedIn, code?: string) => calls.post('/api/login', { email, password, code });
/** Resets the used TOTP steps so that codes can be used again. */
const forgetSteps = ({ user }: SignedIn) =>
  gateway.ctx.db.updateTable('users').set({ twoFactorStep: 0 }).where('id', '=', user.id).execute();

async function withTwoFactor(): Promise<{ user: SignedIn; secret: string; recoveryCodes: string[] }> {
  const user = await gateway.signUp();
  return { user, ...(await twoFactor.turnOn(user)) };
}

const currentStep = () => Math.floor(Date.now() / 30_000);

/** Runs a test again that failed across the end of a TOTP step: the code before the current one was two steps old then. */
async function inOneStep(run: () => Promise<void>): Promise<void> {
  const step = currentStep();
  try {
    await run();
  } catch (error) {
    if (currentStep() === step) throw error;
    await run();
  }
}

describe('POST /api/2fa/setup', () => {
  it('returns a secret as text, URL, and image, and changes nothing yet', async () => {
    const user = await signUp();
    const response = await setUp(user);
    expect(response.status).toBe(200);
    const { secret, uri, qrCode } = await response.json();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const address = new URL(uri);
    expect(decodeURIComponent(address.pathname)).toBe(`/Uprez:${user.email}`);
    expect(`${address.protocol}//${address.host}`).toBe('otpauth://totp');
    expect([address.searchParams.get('issuer'), address.searchParams.get('secret')]).toEqual(['Uprez', secret]);
    expect(Buffer.from(qrCode.replace('data:image/png;base64,', ''), 'base64').subarray(1, 4).toString()).toBe('PNG');
    expect((await user.client.user()).data.twoFactorEnabled).toBe(false);
    expect((await logIn(user)).status).toBe(200);
    expect(JSON.stringify(await calls.row(user))).not.toContain(secret);
  });

  it('returns an error without the password or a session', async () => {
    const user = await signUp();
    expect(codeOf(await setUp(user, 'not this one'))).toEqual(refused(403, 'wrong_password'));
    expect((await calls.row(user)).twoFactorSecret).toBeNull();
    for (const path of ['setup', 'enable', 'disable'])
      expect(codeOf(await calls.post(`/api/2fa/${path}`, {}))).toEqual(refused(401, 'not_signed_in'));
  });

  it('returns an error while it is on', async () => {
    const { user } = await withTwoFactor();
    expect(codeOf(await setUp(user))).toEqual(refused(409, 'two_factor_state'));
  });
});

describe('POST /api/2fa/enable', () => {
  it('accepts a code, returns recovery codes once, ends other sessions, and sends an email', async () => {
    const user = await signUp();
    const other = await calls.signIn(user);
    expect(codeOf(await enable(user, '123456'))).toEqual(refused(409, 'two_factor_state'));
    const { secret } = await (await setUp(user)).json();
    const response = await enable(user, totpCode(secret));
    const { recoveryCodes } = await response.json();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[0-9a-z]{5}(-[0-9a-z]{5}){2}$/);
    expect((await user.client.user()).data.twoFactorEnabled).toBe(true);
    expect(await other.isSignedIn()).toBe(false);
    expect(await calls.mails(user, 'two_factor_changed')).toMatchObject([{ isOn: true }]);
    const stored = await gateway.ctx.db.selectFrom('recoveryCodes').selectAll().execute();
    expect(stored.map((row) => row.codeHash.toString('latin1')).join()).not.toContain(recoveryCodes[0]);
    expect(codeOf(await enable(user, totpCode(secret, 1)))).toEqual(refused(409, 'two_factor_state'));
  });

  it('succeeds once for concurrent requests', async () => {
    const user = await signUp();
    const { secret } = await (await setUp(user)).json();
    const answers = await Promise.all([1, 2, 3].map(() => enable(user, totpCode(secret))));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(await calls.mails(user, 'two_factor_changed')).toHaveLength(1);
    const count = await gateway.ctx.db.selectFrom('recoveryCodes').where('userId', '=', user.user.id).select('userId');
    expect(await count.execute()).toHaveLength(10);
  });

  it('locks after too many wrong codes', async () => {
    const user = await signUp();
    const { secret } = await (await setUp(user)).json();
    const wrong = String((Number(totpCode(secret)) + 1) % 1_000_000).padStart(6, '0');
    const codes = [];
    for (let guess = 0; guess < 6; guess += 1) codes.push(codeOf(await enable(user, wrong)).code);
    expect(codes).toEqual([...Array(5).fill('bad_two_factor_code'), 'too_many_attempts']);
    expect(codeOf(await enable(user, totpCode(secret)))).toEqual(refused(429, 'too_many_attempts'));
  });
});

describe('POST /api/login with two-factor sign-in', () => {
  it('requires a code and accepts the current and adjacent ones, each once', () =>
    inOneStep(async () => {
      const { user, secret } = await withTwoFactor();
      expect(codeOf(await logIn(user))).toEqual(refused(401, 'two_factor_required'));
      for (const steps of [-1, 0, 1]) {
        const code = totpCode(secret, steps);
        expect((await logIn(user, `${code.slice(0, 3)} ${code.slice(3)}`)).status, `${steps}`).toBe(200);
        expect(codeOf(await logIn(user, code))).toEqual(refused(401, 'bad_two_factor_code'));
      }
      await forgetSteps(user);
      for (const steps of [-3, 3])
        expect(codeOf(await logIn(user, totpCode(secret, steps)))).toEqual(refused(401, 'bad_two_factor_code'));
    }));

  it('accepts each recovery code once in any notation, and none of another user', async () => {
    const [{ user, recoveryCodes }, other] = [await withTwoFactor(), await withTwoFactor()];
    const [first = '', second = ''] = recoveryCodes;
    expect((await logIn(user, first)).status).toBe(200);
    expect(codeOf(await logIn(user, first))).toEqual(refused(401, 'bad_two_factor_code'));
    expect((await logIn(user, second.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O'))).status).toBe(200);
    expect(codeOf(await logIn(user, other.recoveryCodes[0]))).toEqual(refused(401, 'bad_two_factor_code'));
    expect((await logIn(other.user, other.recoveryCodes[0])).status).toBe(200);
  });
});

describe('recovery codes', () => {
  const left = async (user: SignedIn) =>
    (await (await user.fetch(`${gateway.url}/api/2fa/recovery-codes`)).json()) as { left: number };
  const renew = (user: SignedIn, proof: object) => calls.postAs(user, '/api/2fa/recovery-codes', proof);

  it('are counted down, and replaced while two-factor sign-in stays on', async () => {
    const { user, secret, recoveryCodes } = await withTwoFactor();
    expect(await left(user)).toEqual({ left: 10 });
    expect((await logIn(user, recoveryCodes[0])).status).toBe(200);
    expect(await left(user)).toEqual({ left: 9 });
    const { password } = user;
    expect(codeOf(await renew(user, { password }))).toEqual(refused(401, 'two_factor_required'));
    expect(codeOf(await renew(user, { password: 'wrong', code: totpCode(secret) }))).toEqual(
      refused(403, 'wrong_password'),
    );
    const response = await renew(user, { password, code: totpCode(secret) });
    expect(response.status).toBe(200);
    const { recoveryCodes: renewed } = await response.json();
    expect(new Set([...renewed, ...recoveryCodes]).size).toBe(20);
    expect(await left(user)).toEqual({ left: 10 });
    expect((await user.client.user()).data.twoFactorEnabled).toBe(true);
    expect(codeOf(await logIn(user, recoveryCodes[1]))).toEqual(refused(401, 'bad_two_factor_code'));
    expect((await logIn(user, renewed[0])).status).toBe(200);
  });

  it('cannot be created while two-factor sign-in is off', async () => {
    const user = await signUp();
    expect(await left(user)).toEqual({ left: 0 });
    expect(codeOf(await renew(user, { password: user.password }))).toEqual(refused(409, 'two_factor_state'));
  });

  it('and codes that are too short are rejected without counting as an attempt', async () => {
    const { user } = await withTwoFactor();
    for (const code of ['12345', '123 45', '3f7kq-9zt0m']) {
      const response = await logIn(user, code);
      expect(codeOf(response), code).toEqual(refused(422, 'invalid_parameter'));
      expect(await response.text()).toBe('Enter all 6 digits from your authenticator app, or a full recovery code.');
    }
  });
});

describe('a code sent 50 times at once', () => {
  async function countPasses(code: string, prepare: { secret: string; recovery: string[] }) {
    const { ctx } = gateway;
    const { accountId } = await makeUser(ctx.db);
    const sealed = ctx.vault.seal(prepare.secret, twoFactorPurpose(accountId));
    const inForce = { twoFactorSecret: sealed, twoFactorAt: new Date() };
    await ctx.db.updateTable('users').set(inForce).where('id', '=', accountId).execute();
    await replaceRecoveryCodes(ctx.db, accountId, prepare.recovery.map(hashRecoveryCode));
    const user = await findUser(ctx.db, accountId);
    if (!user) throw new Error('no user');
    const checked = await Promise.all(Array.from({ length: 50 }, () => checkTwoFactorCode(ctx, { user, code })));
    return { passed: checked.filter((check) => check === 'passes').length, kinds: new Set(checked) };
  }

  it('is accepted once', async () => {
    const [secret, recovery] = ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', makeRecoveryCodes()];
    const pass = async (code: string) => countPasses(code, { secret, recovery });
    expect(await pass(totpCode(secret))).toEqual({ passed: 1, kinds: new Set(['passes', 'used']) });
    expect(await pass(recovery[3] ?? '')).toEqual({ passed: 1, kinds: new Set(['passes', 'wrong']) });
    expect(await pass(randomUUID())).toEqual({ passed: 0, kinds: new Set(['wrong']) });
  });
});

describe('POST /api/2fa/disable', () => {
  it('requires the password and a code, and sends an email', async () => {
    const { user, secret } = await withTwoFactor();
    const { password } = user;
    expect(codeOf(await disable(user, { password }))).toEqual(refused(401, 'two_factor_required'));
    expect(codeOf(await disable(user, { password, code: '000 000 000' }))).toEqual(refused(401, 'bad_two_factor_code'));
    expect(codeOf(await disable(user, { password: 'wrong', code: totpCode(secret) }))).toEqual(
      refused(403, 'wrong_password'),
    );
    expect((await disable(user, { password, code: totpCode(secret) })).status).toBe(204);
    expect((await user.client.user()).data.twoFactorEnabled).toBe(false);
    expect((await logIn(user)).status).toBe(200);
    expect(await calls.mails(user, 'two_factor_changed')).toMatchObject([{ isOn: true }, { isOn: false }]);
    const left = gateway.ctx.db.selectFrom('recoveryCodes').select('userId').where('userId', '=', user.user.id);
    expect(await left.execute()).toEqual([]);
    expect(codeOf(await disable(user, { password }))).toEqual(refused(409, 'two_factor_state'));
  });
});
