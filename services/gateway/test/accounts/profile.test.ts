import { testFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { freshEmail, openAccountCalls } from '../support/accounts/accounts.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const newPassword = 'a longer battery staple';

const gateway = shareTestGateway();
const calls = openAccountCalls(gateway);
const user = testFixture(() => gateway.signUp());

const patch = (body: unknown) => calls.patchAs(user, '/api/user', body);
const changePassword = (body: object = {}) =>
  calls.postAs(user, '/api/user/password', { currentPassword: user.password, newPassword, ...body });

async function expectRefused(response: Response, code: string, status: number) {
  expect(response.status).toBe(status);
  expect(response.headers.get('x-error-code')).toBe(code);
}

describe('PATCH /api/user', () => {
  it('accepts both names, one, or none', async () => {
    expect(await (await patch({ firstName: 'Grace', lastName: 'Hopper' })).json()).toEqual({
      ...user.user,
      firstName: 'Grace',
      lastName: 'Hopper',
    });
    expect(await (await patch({ lastName: null })).json()).toMatchObject({ firstName: 'Grace', lastName: null });
    expect(await (await patch({ firstName: ' ' })).json()).toMatchObject({ firstName: null, lastName: null });
    expect((await patch({})).status).toBe(200);
    expect((await user.client.user()).data).toEqual({ ...user.user, firstName: null, lastName: null });
  });

  it('turns emails about the quota off and on, and keeps the name', async () => {
    expect(user.user.quotaEmails).toBe(true);
    await patch({ firstName: 'Grace' });
    expect(await (await patch({ quotaEmails: false })).json()).toMatchObject({
      firstName: 'Grace',
      quotaEmails: false,
    });
    expect((await user.client.user()).data.quotaEmails).toBe(false);
    expect(await (await patch({ quotaEmails: true })).json()).toMatchObject({ quotaEmails: true });
    await expectRefused(await patch({ quotaEmails: 'no' }), 'invalid_parameter', 422);
  });

  it('turns emails about long batches on and off', async () => {
    expect(user.user.batchEmails).toBe(false);
    expect(await (await patch({ batchEmails: true })).json()).toMatchObject({ batchEmails: true, quotaEmails: true });
    expect(await (await patch({ batchEmails: false })).json()).toMatchObject({ batchEmails: false });
  });

  it.each([
    ['a NUL', { firstName: 'A\u0000da' }],
    ['half of a surrogate pair', { firstName: 'A\ud800da' }],
    ['a name of 101 characters', { firstName: 'x'.repeat(101) }],
    ['a number', { firstName: 1 }],
    ['an array', []],
  ])('returns an error for %s', async (_what, body) => {
    await expectRefused(await patch(body), 'invalid_parameter', 422);
  });

  it('changes only the account of the session', async () => {
    const response = await fetch(`${gateway.url}/api/user`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ firstName: 'Eve' }),
    });
    await expectRefused(response, 'not_signed_in', 401);
  });
});

describe('a field that users cannot change', () => {
  it.each<Record<string, unknown>>([
    { isAdmin: true },
    { is_admin: true },
    { role: 'owner' },
    { tier: 'enterprise' },
    { subscriptionTier: 'enterprise' },
    { credits: 1_000 },
    { imagesProcessedThisMonth: 0 },
    { email: 'x@y.test' },
    { emailVerified: true },
    { username: 'root' },
    { id: '00000000-0000-4000-8000-000000000000' },
    { password_hash: 'x' },
    { two_factor_at: null },
    { virtual_time: 0 },
    { __proto__x: 1, constructor: {} },
  ])('returns an error: %o', async (extra) => {
    const before = await calls.row(user);
    await expectRefused(await patch({ firstName: 'Eve', ...extra }), 'invalid_parameter', 422);
    if (!('email' in extra)) {
      const move = { email: freshEmail(), password: user.password, ...extra };
      await expectRefused(await calls.postAs(user, '/api/user/email', move), 'invalid_parameter', 422);
    }
    await expectRefused(await changePassword(extra), 'invalid_parameter', 422);
    expect(await calls.row(user)).toEqual(before);
  });
});

describe('POST /api/user/password', () => {
  it('changes the password and ends all other sessions', async () => {
    const other = await calls.signIn(user);
    expect((await changePassword()).status).toBe(200);
    expect((await user.fetch(`${gateway.url}/api/user`)).status).toBe(200);
    expect(await other.isSignedIn()).toBe(false);
    expect((await calls.signIn(user)).status).toBe(401);
    expect((await calls.signIn(user, newPassword)).status).toBe(200);
    expect(await calls.mails(user, 'password_changed')).toHaveLength(1);
    expect(await calls.row(user)).toMatchObject({ emailVerified: false });
  });

  it('requires the current password and a strong new one', async () => {
    await expectRefused(await changePassword({ currentPassword: 'not this one' }), 'wrong_password', 403);
    await expectRefused(await changePassword({ newPassword: 'short' }), 'password_too_short', 422);
    await expectRefused(await changePassword({ newPassword: 'password123' }), 'password_too_common', 422);
    expect((await calls.signIn(user)).status).toBe(200);
    expect(await calls.mails(user, 'password_changed')).toEqual([]);
  });

  it('returns an error for a new password that equals the current one', async () => {
    const response = await changePassword({ newPassword: user.password });
    await expectRefused(response, 'password_unchanged', 422);
    expect(await response.text()).toBe('Choose a password that differs from your current one.');
    expect(await calls.mails(user, 'password_changed')).toEqual([]);
  });

  it('counts wrong passwords like sign-in does', async () => {
    for (let guess = 0; guess < 5; guess += 1)
      await expectRefused(await changePassword({ currentPassword: `guess ${guess}` }), 'wrong_password', 403);
    await expectRefused(await changePassword(), 'too_many_attempts', 429);
  });

  it('accepts one of two concurrent changes', async () => {
    const words = ['battery staple one', 'battery staple two'];
    const answers = await Promise.all(words.map((word) => changePassword({ newPassword: word })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const won = words[answers.findIndex(({ status }) => status === 200)];
    expect((await calls.signIn(user, won)).status).toBe(200);
  });

  it('invalidates links that reset the password or change the email address', async () => {
    const reset = await calls.linkTo(user, 'reset');
    const move = await calls.linkTo(user, 'change_email', freshEmail());
    await calls.postAs(user, '/api/user/email', { email: freshEmail(), password: user.password });
    const asked = await calls.linkTo(user, 'change_email', freshEmail());
    await changePassword();
    const again = { token: reset, newPassword: 'yet another battery' };
    await expectRefused(await calls.post('/api/reset-password', again), 'invalid_token', 400);
    for (const token of [move, asked])
      await expectRefused(await calls.post('/api/verify-email', { token }), 'invalid_token', 400);
    expect(await calls.mails(user, 'confirm_new_email')).toEqual([]);
  });
});
