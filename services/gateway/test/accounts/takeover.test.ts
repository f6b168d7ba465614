import { makeCookieFetch, type SignedIn } from '@uprez/testing/sign-up';
import { totpCode } from '@uprez/testing/totp-code';
import { beforeEach, describe, expect, it } from 'vitest';
import { openAccountCalls } from '../support/accounts/accounts.ts';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { type Browser, openBrowser } from '../support/accounts/open-browser.ts';
import { openTwoFactor } from '../support/accounts/two-factor.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const newPassword = 'a longer battery staple';

let user: SignedIn;
const gateway = shareTestGateway();
const calls = openAccountCalls(gateway);
const twoFactor = openTwoFactor(gateway);
beforeEach(async () => {
  user = await gateway.signUp();
});

const codeOf = (response: Response) => [response.status, response.headers.get('x-error-code')];
const send = (by: typeof fetch, [method, path]: readonly [string, string], body: object) =>
  by(`${gateway.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const rowsOf = async (table: 'recoveryCodes' | 'devices', { user: { id } }: SignedIn) =>
  (await gateway.ctx.db.selectFrom(table).select('userId').where('userId', '=', id).execute()).length;

describe('an account with an unconfirmed email address', () => {
  it('cannot enable two-factor sign-in', async () => {
    expect(codeOf(await twoFactor.setUp(user))).toEqual([403, 'email_unverified']);
    await calls.change(user, { emailVerified: true });
    const { secret } = await (await twoFactor.setUp(user)).json();
    await calls.change(user, { emailVerified: false });
    expect(codeOf(await twoFactor.enable(user, totpCode(secret)))).toEqual([403, 'email_unverified']);
  });

  it('loses its sessions, keys, and names when the owner resets the password', async () => {
    await twoFactor.turnOn(user);
    await send(user.fetch, ['POST', '/api/user/keep'], {});
    await gateway.ctx.db
      .updateTable('users')
      .set({ emailVerified: false, deletesAt: new Date(Date.now() + 86_400_000) })
      .where('id', '=', user.user.id)
      .execute();
    const owner = openBrowser(gateway.url);
    const token = await calls.linkTo(user, 'reset');
    expect((await owner.call('POST', '/api/reset-password', { token, newPassword })).status).toBe(200);
    expect([await rowsOf('recoveryCodes', user), await rowsOf('devices', user)]).toEqual([0, 1]);
    const signedIn = await owner.call('POST', '/api/login', { email: user.email, password: newPassword });
    expect(signedIn).toMatchObject({ status: 200, body: { twoFactorEnabled: false, deletesAt: null } });
  });

  it('keeps its second factor after confirmation and a password reset', async () => {
    const { secret } = await twoFactor.turnOn(user);
    const token = await calls.linkTo(user, 'reset');
    expect((await calls.post('/api/reset-password', { token, newPassword })).status).toBe(200);
    const login = { email: user.email, password: newPassword };
    expect(codeOf(await calls.post('/api/login', login))).toEqual([401, 'two_factor_required']);
    expect((await calls.post('/api/login', { ...login, code: totpCode(secret) })).status).toBe(200);
  });
});

describe('a stolen session cookie', () => {
  const proof = () => ({ password: user.password });
  const code = async () => ({ code: totpCode((await (await twoFactor.setUp(user)).json()).secret) });
  const ways = {
    'changing the password': async () =>
      [['POST', '/api/user/password'], { currentPassword: user.password, newPassword }] as const,
    'turning two-factor on': async () => [['POST', '/api/2fa/enable'], await code()] as const,
    'turning two-factor off': async () => {
      const { recoveryCodes } = await twoFactor.turnOn(user);
      return [['POST', '/api/2fa/disable'], { ...proof(), code: recoveryCodes[0] }] as const;
    },
    'asking for deletion': async () => [['DELETE', '/api/user'], proof()] as const,
  };

  it.each(Object.entries(ways))('is invalid after %s, and so are other sessions', async (_, prepare) => {
    await calls.change(user, { emailVerified: true });
    const home = makeCookieFetch();
    const login = await send(home, ['POST', '/api/login'], { email: user.email, password: user.password });
    const own = { ...user, fetch: makeCheckedFetch(home) };
    const [before] = await gateway.ctx.db
      .selectFrom('sessions')
      .select('id')
      .where('userId', '=', user.user.id)
      .orderBy('createdAt', 'desc')
      .execute();
    // The session that continues may also set up two-factor authentication.
    const first = user;
    user = own;
    const [call, body] = await prepare();
    const isOn = call[1] === '/api/2fa/disable';
    const cookie = (isOn ? twoFactor.lastCookie() : login.headers.getSetCookie()[0])?.split(';')[0] ?? '';
    const me = (headers: Record<string, string> = {}) => fetch(`${gateway.url}/api/user`, { headers });
    expect((await me({ cookie })).status).toBe(200);

    const answer = await send(own.fetch, call, body);
    expect(answer.status).toBeLessThan(300);
    expect((await me({ cookie })).status).toBe(401);
    expect((await own.fetch(`${gateway.url}/api/user`)).status).toBe(200);
    expect((await first.fetch(`${gateway.url}/api/user`)).status).toBe(401);
    const sessions = await gateway.ctx.db.selectFrom('sessions').select('id').where('userId', '=', user.user.id);
    expect(await sessions.execute()).toEqual([before]);
  });
});

describe('repeated wrong passwords', () => {
  const guess = (by: Browser, password: string) => by.call('POST', '/api/login', { email: user.email, password });

  it('do not lock out an owner who reset the password in this browser', async () => {
    const [owner, stranger] = [openBrowser(gateway.url), openBrowser(gateway.url)];
    const token = await calls.linkTo(user, 'reset');
    const reset = await owner.call('POST', '/api/reset-password', { token, newPassword });
    expect(reset.headers.getSetCookie()).toEqual([expect.stringMatching(/^uprez-device=[\w-]{43};/)]);
    for (let count = 0; count < 5; count += 1) await guess(stranger, `guess ${count}`);
    expect((await guess(stranger, newPassword)).code).toBe('too_many_attempts');
    expect((await guess(owner, newPassword)).status).toBe(200);
  });
});

describe('an administrator', () => {
  let admin: SignedIn;
  beforeEach(async () => {
    admin = await signUpAdmin(gateway);
  });
  const remove = (id: string, body: object = {}) =>
    send(admin.fetch, ['DELETE', `/api/admin/users/${id}/two-factor`], body);

  it('removes the second factor of a user, who gets an email and signs in without it', async () => {
    await twoFactor.turnOn(user);
    const answer = await remove(user.user.id, { reason: 'lost phone' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ id: user.user.id, twoFactorEnabled: false });
    expect((await user.fetch(`${gateway.url}/api/user`)).status).toBe(401);
    expect(await rowsOf('recoveryCodes', user)).toBe(0);
    expect(await calls.mails(user, 'two_factor_changed')).toMatchObject([{ isOn: true }, { isOn: false }]);
    expect((await calls.signIn(user)).status).toBe(200);
    const trail = gateway.ctx.db.selectFrom('audits').selectAll().where('subject', '=', `user:${user.user.id}`);
    expect(await trail.execute()).toMatchObject([
      {
        action: 'user.two_factor_off',
        reason: 'lost phone',
        actorId: admin.user.id,
        before: { twoFactorEnabled: true },
        after: { twoFactorEnabled: false },
      },
    ]);
  });

  it('returns an error when it is off, their own, or the user is missing', async () => {
    expect(codeOf(await remove(user.user.id))).toEqual([409, 'two_factor_state']);
    expect(codeOf(await remove(admin.user.id))).toEqual([409, 'own_account']);
    for (const id of ['no uuid', '019a0000-0000-7000-8000-000000000000'])
      expect(codeOf(await remove(id))).toEqual([404, 'user_not_found']);
  });
});

describe('a TOTP code', () => {
  it('is rejected when used before, without counting as a wrong code', async () => {
    const { secret } = await twoFactor.turnOn(user, { keepSteps: true });
    const { email, password } = user;
    const logIn = (code: string) => calls.post('/api/login', { email, password, code });
    const used = await gateway.ctx.db
      .selectFrom('users')
      .select('twoFactorStep')
      .where('id', '=', user.user.id)
      .executeTakeFirstOrThrow();
    const steps = Number(used.twoFactorStep) - Math.floor(Date.now() / 30_000);
    const [code, next] = [totpCode(secret, steps), totpCode(secret, steps + 1)];
    for (let count = 0; count < 7; count += 1) expect(codeOf(await logIn(code))).toEqual([401, 'bad_two_factor_code']);
    expect((await logIn(next)).status).toBe(200);
  });

  it('is accepted for a previously shown secret for 10 minutes', async () => {
    await calls.change(user, { emailVerified: true });
    const show = async () => (await (await twoFactor.setUp(user)).json()).secret as string;
    const [first, again] = [await show(), await show()];
    expect(again).toBe(first);
    await gateway.ctx.db
      .updateTable('users')
      .set((eb) => ({ twoFactorStep: eb('twoFactorStep', '-', 21) }))
      .where('id', '=', user.user.id)
      .execute();
    const later = await show();
    expect(later).not.toBe(first);
    expect((await twoFactor.enable(user, totpCode(later))).status).toBe(200);
  });

  it('is rejected after the password changed during setup', async () => {
    await calls.change(user, { emailVerified: true });
    const { secret } = await (await twoFactor.setUp(user)).json();
    const { password: currentPassword } = user;
    expect((await calls.postAs(user, '/api/user/password', { currentPassword, newPassword })).status).toBe(200);
    expect((await (await twoFactor.setUp(user, newPassword)).json()).secret).not.toBe(secret);
  });
});
