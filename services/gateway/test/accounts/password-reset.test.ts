import { testFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { freshEmail, openAccountCalls } from '../support/accounts/accounts.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const newPassword = 'a longer battery staple';

const gateway = shareTestGateway();
const calls = openAccountCalls(gateway);
const user = testFixture(() => gateway.signUp());

const forgot = (email: string) => calls.post('/api/forgot-password', { email });
const reset = (token: string, password = newPassword) =>
  calls.post('/api/reset-password', { token, newPassword: password });
const isSignedIn = async () => (await user.fetch(`${gateway.url}/api/user`)).status === 200;

/** Returns the parts of a response that a client can compare. */
async function seen(response: Response) {
  const headers = Object.fromEntries(response.headers);
  const changing = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset'];
  for (const name of changing) delete headers[name];
  return { status: response.status, headers, body: await response.text() };
}

async function expectRefused(response: Response, code = 'invalid_token') {
  expect(response.status).toBe(code === 'invalid_token' ? 400 : 422);
  expect(response.headers.get('x-error-code')).toBe(code);
}

describe('a new password that equals the current one', () => {
  it('is refused, and the link stays valid', async () => {
    const token = await calls.linkTo(user, 'reset');
    const refused = await reset(token, user.password);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([422, 'password_unchanged']);
    expect(await calls.mails(user, 'password_changed')).toEqual([]);
    expect((await reset(token)).status).toBe(200);
  });
});

describe('POST /api/forgot-password', () => {
  it('returns the same response for known, unknown, and suspended accounts, and sends an email only to the first', async () => {
    const suspended = await gateway.signUp();
    await calls.change(suspended, { suspendedAt: new Date() });
    const before = await calls.countMails();
    const known = await seen(await forgot(user.email));
    expect(known).toMatchObject({ status: 200, body: expect.stringContaining('If an account with this email exists') });
    expect(await seen(await forgot(freshEmail()))).toEqual(known);
    expect(await seen(await forgot(suspended.email))).toEqual(known);
    expect(await calls.mails(user, 'reset_password')).toHaveLength(1);
    expect(await calls.countMails()).toBe(before + 1);
  });

  it('finds the account regardless of case', async () => {
    await forgot(user.email.toUpperCase());
    expect(await calls.mails(user, 'reset_password')).toHaveLength(1);
  });

  it('rejects an invalid email address', async () => {
    const response = await forgot('nobody');
    expect(response.status).toBe(422);
    expect(response.headers.get('x-error-code')).toBe('invalid_parameter');
  });

  it('queues at most 1 email per minute and 5 per hour, also for concurrent requests', async () => {
    for (const expected of [1, 2, 3, 4, 5, 5]) {
      const answers = await Promise.all([forgot(user.email), forgot(user.email), forgot(user.email)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await calls.mails(user, 'reset_password')).toHaveLength(expected);
      await calls.ageMails(user, 61);
    }
    await calls.ageMails(user, 60 * 60 + 1);
    await forgot(user.email);
    expect(await calls.mails(user, 'reset_password')).toHaveLength(6);
  });

  it('invalidates the previous link', async () => {
    const token = await calls.linkTo(user, 'reset');
    await forgot(user.email);
    await expectRefused(await reset(token));
  });
});

describe('POST /api/reset-password', () => {
  it('sets the password, ends all sessions, and confirms the email address', async () => {
    const other = await calls.signIn(user);
    const response = await reset(await calls.linkTo(user, 'reset'));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ message: expect.stringContaining('has been changed') });
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^uprez-device=/)]);
    expect([await isSignedIn(), await other.isSignedIn()]).toEqual([false, false]);
    expect((await calls.signIn(user)).status).toBe(401);
    expect((await calls.signIn(user, newPassword)).status).toBe(200);
    expect(await calls.row(user)).toMatchObject({ emailVerified: true, role: null, tier: 'free' });
    expect(await calls.mails(user, 'password_changed')).toHaveLength(1);
  });

  it('accepts one of 50 concurrent requests', async () => {
    const token = await calls.linkTo(user, 'reset');
    const words = Array.from({ length: 50 }, (_, index) => `battery staple ${index}`);
    const statuses = (await Promise.all(words.map((word) => reset(token, word)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(49);
    expect((await calls.signIn(user, words[statuses.indexOf(200)])).status).toBe(200);
    expect(await calls.mails(user, 'password_changed')).toHaveLength(1);
  });

  it('returns the same error for used, expired, altered, and invalid links', async () => {
    const used = await calls.linkTo(user, 'reset');
    await reset(used);
    const seenUsed = await seen(await reset(used));
    expect(seenUsed).toMatchObject({ status: 400, headers: { 'x-error-code': 'invalid_token' } });
    const token = await calls.linkTo(user, 'reset');
    const changed = `${token.startsWith('a') ? 'b' : 'a'}${token.slice(1)}`;
    const otherKind = await calls.linkTo(user, 'verify');
    for (const wrong of [changed, token.slice(1), `${token}=`, 'x', '', '\u0000', 'y'.repeat(5_000), otherKind])
      expect(await seen(await reset(wrong))).toEqual(seenUsed);
    await calls.expireLinks(user);
    expect(await seen(await reset(token))).toEqual(seenUsed);
    expect((await calls.signIn(user, newPassword)).status).toBe(200);
  });

  it('keeps the link valid when the new password is rejected', async () => {
    const token = await calls.linkTo(user, 'reset');
    await expectRefused(await reset(token, 'short'), 'password_too_short');
    await expectRefused(await reset(token, 'password123'), 'password_too_common');
    expect(await isSignedIn()).toBe(true);
    expect((await reset(token)).status).toBe(200);
  });

  it('invalidates all other links of the account, including unsent ones', async () => {
    const move = await calls.linkTo(user, 'change_email', freshEmail());
    await calls.postAs(user, '/api/user/email', { email: freshEmail(), password: user.password });
    const [moved] = [await calls.linkTo(user, 'change_email', freshEmail()), await forgot(user.email)];
    expect((await reset(await calls.linkTo(user, 'reset'))).status).toBe(200);
    for (const token of [move, moved]) await expectRefused(await calls.post('/api/verify-email', { token }));
    expect(await calls.mails(user, 'confirm_new_email')).toEqual([]);
    expect(await calls.mails(user, 'reset_password')).toEqual([]);
  });

  it('ends the lockout after wrong passwords', async () => {
    for (let guess = 0; guess < 5; guess += 1) await calls.signIn(user, 'not this one');
    expect((await calls.signIn(user)).status).toBe(429);
    await reset(await calls.linkTo(user, 'reset'));
    expect((await calls.signIn(user, newPassword)).status).toBe(200);
  });

  it('rejects suspended accounts and accounts that changed their email address', async () => {
    await expectRefused(await reset(await calls.linkTo(user, 'reset', freshEmail())));
    const token = await calls.linkTo(user, 'reset');
    await calls.change(user, { suspendedAt: new Date() });
    await expectRefused(await reset(token));
  });

  it('ignores request headers and additional fields', async () => {
    const token = await calls.linkTo(user, 'reset');
    const response = await fetch(`${gateway.url}/api/reset-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-host': 'evil.example' },
      body: JSON.stringify({ token, newPassword, isAdmin: true, role: 'owner', tier: 'enterprise', credits: 9 }),
    });
    expect(response.status).toBe(200);
    expect(await calls.row(user)).toMatchObject({ role: null, tier: 'free' });
  });
});

it('serves the pages of links with Referrer-Policy: no-referrer', async () => {
  for (const path of ['/reset-password?token=x', '/verify-email?token=x']) {
    const response = await fetch(gateway.url + path, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('referrer-policy')).toBe('same-origin');
  }
});
