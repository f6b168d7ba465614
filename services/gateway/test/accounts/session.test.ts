import { createHmac, randomUUID } from 'node:crypto';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { fileFixture } from '@uprez/testing/fixtures';
import { signUp } from '@uprez/testing/sign-up';
import { describe, expect, it } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = shareTestGateway();
const user = fileFixture(() => gateway.signUp());

const freshEmail = () => `${randomUUID()}@example.test`;
const anonymous = makeCheckedFetch(fetch);
const post = (path: string, body: unknown) =>
  anonymous(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const userWith = (cookie: string, path = '/api/user') => anonymous(`${gateway.url}${path}`, { headers: { cookie } });
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const signIn = () => post('/api/login', { email: user.email, password: user.password });

describe('POST /api/register', () => {
  it('creates an account and signs it in', async () => {
    const email = freshEmail();
    const response = await post('/api/register', {
      email,
      password: 'secret77',
      firstName: 'Ada',
      lastName: 'Lovelace',
    });
    expect(response.status).toBe(201);
    const account = await response.json();
    expect(account).toMatchObject({
      email,
      firstName: 'Ada',
      lastName: 'Lovelace',
      isAdmin: false,
      role: null,
      permissions: [],
    });
    expect(account).toMatchObject({ subscriptionTier: 'free', imagesProcessedThisMonth: 0, emailVerified: false });
    expect(await (await userWith(cookieOf(response))).json()).toEqual(account);
  });

  it.each([
    ['12345', 'password_too_short', 'Password must be at least 8 characters long'],
    ['k7#wzp2', 'password_too_short', 'Password must be at least 8 characters long'],
    ['Password1', 'password_too_common', 'This password is too common. Choose another one.'],
  ])('rejects the password %s', async (password, code, sentence) => {
    const refused = await post('/api/register', { email: freshEmail(), password });
    expect(refused.status).toBe(422);
    expect(refused.headers.get('x-error-code')).toBe(code);
    expect(await refused.text()).toBe(sentence);
    expect(refused.headers.getSetCookie()).toEqual([]);
  });

  it('rejects a declined consent, and accepts a request without one', async () => {
    const body = { email: freshEmail(), password: 'secret77' };
    const refused = await post('/api/register', { ...body, acceptTerms: false });
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([422, 'invalid_parameter']);
    expect(await refused.text()).toBe('Confirm that you are 13 or older and accept the terms to create an account.');
    expect((await post('/api/register', body)).status).toBe(201);
  });

  it('returns an error when registration is closed', async () => {
    const closed = await startTestGateway();
    await upsertSettings(closed.ctx.db, 'site', { allowRegistration: false });
    const refused = await anonymous(`${closed.url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: freshEmail(), password: 'secret77' }),
    });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('x-error-code')).toBe('registration_closed');
    await closed.close();
  });

  it('rejects a taken email address regardless of case', async () => {
    const refused = await post('/api/register', { email: user.email.toUpperCase(), password: 'secret77' });
    expect(refused.status).toBe(409);
    expect(refused.headers.get('x-error-code')).toBe('email_taken');
    expect(refused.headers.getSetCookie()).toEqual([]);
  });

  it('creates one account for two concurrent registrations of an email address', async () => {
    const body = { email: freshEmail(), password: 'secret77' };
    const answers = await Promise.all([post('/api/register', body), post('/api/register', body)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
  });

  it.each([
    ['no email address', { email: undefined }, 'email'],
    ['an invalid email address', { email: 'ada', password: 'secret77' }, 'email'],
    ['an email address of 300 characters', { email: `${'a'.repeat(290)}@example.test`, password: 'secret77' }, 'email'],
    ['a password that is a number', { email: freshEmail(), password: 1234567 }, 'password'],
    ['a password of 1,001 characters', { email: freshEmail(), password: 'x'.repeat(1001) }, 'password'],
    ['a name with a NUL', { email: freshEmail(), password: 'secret77', firstName: 'A\u0000da' }, 'firstName'],
    ['a name with a right-to-left override', { firstName: 'Ada\u202Eadv' }, 'firstName'],
    ['an invisible name', { lastName: '\u200B\u2060' }, 'lastName'],
    ['a name with a look-alike of @', { firstName: 'ada＠uprez.example' }, 'firstName'],
    ['a username with a look-alike of @', { username: 'x﹫y.test' }, 'username'],
    ['a username with a NUL', { email: freshEmail(), password: 'secret77', username: 'a\u0000' }, 'username'],
    [
      "another account's email address as username",
      { email: freshEmail(), password: 'secret77', username: 'x@y.test' },
      'username',
    ],
  ])('returns an error for %s', async (_what, body, param) => {
    const response = await anonymous(`${gateway.url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
      body: JSON.stringify({ email: freshEmail(), password: 'secret77', ...body }),
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: 'invalid_parameter', param });
  });

  it('ignores a role, plan, or ID in the body', async () => {
    const id = randomUUID();
    const extra = { isAdmin: true, role: 'owner', tier: 'enterprise', subscriptionTier: 'enterprise', id };
    const response = await post('/api/register', { email: freshEmail(), password: 'secret77', ...extra });
    expect(await response.json()).toMatchObject({ isAdmin: false, role: null, subscriptionTier: 'free' });
    expect(await gateway.ctx.db.selectFrom('users').select('id').where('id', '=', id).execute()).toEqual([]);
  });
});

describe('POST /api/login', () => {
  it('accepts the email address regardless of case, and the username', async () => {
    const username = `ada-${randomUUID()}`;
    const email = freshEmail();
    await post('/api/register', { email, password: 'secret77', username });
    for (const login of [email, email.toUpperCase(), username]) {
      const response = await post('/api/login', { email: login, password: 'secret77' });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ email });
    }
  });

  it('returns the same error for a wrong password and an unknown account', async () => {
    const wrong = await post('/api/login', { email: user.email, password: 'not this one' });
    const unknown = await post('/api/login', { email: freshEmail(), password: 'not this one' });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const sentence = await wrong.text();
    expect(sentence).toContain('Incorrect email or password.');
    expect(await unknown.text()).toBe(sentence);
    expect(wrong.headers.get('x-error-code')).toBe('bad_credentials');
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    ['no password', { email: 'ada@example.test' }],
    ['an empty password', { email: 'ada@example.test', password: '' }],
    ['a NUL in the name', { email: 'ada\u0000', password: 'secret77' }],
    ['an array', [1]],
  ])('returns an error for %s', async (_what, body) => {
    const response = await post('/api/login', body);
    expect(response.status).toBe(422);
    expect(response.headers.get('x-error-code')).toBe('invalid_parameter');
  });

  it('sets an HttpOnly, SameSite session cookie without expiry', async () => {
    const [line = ''] = (await signIn()).headers.getSetCookie();
    expect(line).toMatch(/^uprez=/);
    expect(line.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax']);
  });

  it('sets a Secure cookie when the public URL is HTTPS', async () => {
    const secure = await startTestGateway({ PUBLIC_URL: 'https://images.example' });
    const email = freshEmail();
    const response = await fetch(`${secure.url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'secret77' }),
    });
    const [line = ''] = response.headers.getSetCookie();
    expect(line).toMatch(/^__Host-uprez=/);
    expect(line.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
    expect(response.headers.get('strict-transport-security')).toMatch(/max-age=31536000/);
    await secure.close();
  });

  it('creates a new session for each sign-in', async () => {
    expect(cookieOf(await signIn())).not.toBe(cookieOf(await signIn()));
  });
});

describe('the session', () => {
  it('returns the user at both URLs', async () => {
    expect((await user.client.user()).data).toEqual(user.user);
    expect((await user.client.authUser()).data).toEqual(user.user);
  });

  it('is required at both URLs', async () => {
    for (const path of ['/api/user', '/api/auth/user']) {
      const response = await anonymous(`${gateway.url}${path}`);
      expect(response.status).toBe(401);
      expect(response.headers.get('x-error-code')).toBe('not_signed_in');
      expect(await response.text()).toContain('Unauthorized');
    }
  });

  const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('has a token without expiry that contains only the session ID', async () => {
    const [header, payload] = cookieOf(await signIn())
      .replace('uprez=', '')
      .split('.');
    expect(decode(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(decode(payload)).toEqual({ sid: expect.stringMatching(/^[\w-]{43}$/) });
  });

  it('rejects foreign tokens and tokens with another algorithm', async () => {
    const [header = '', payload = '', signature = ''] = cookieOf(await signIn())
      .replace('uprez=', '')
      .split('.');
    const sign = (text: string, key: string, hash = 'sha256') => createHmac(hash, key).update(text).digest('base64url');
    const secret = 'a session secret of these tests that is long enough';
    expect((await userWith(`uprez=${header}.${payload}.${sign(`${header}.${payload}`, secret)}`)).status).toBe(200);
    const none = encode({ alg: 'none', typ: 'JWT' });
    const hs512 = encode({ alg: 'HS512', typ: 'JWT' });
    const other = encode({ sid: 'x'.repeat(43) });
    const forged = [
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${hs512}.${payload}.${sign(`${hs512}.${payload}`, secret, 'sha512')}`,
      `${header}.${payload}.${sign(`${header}.${payload}`, 'another secret, also long enough for it')}`,
      `${header}.${other}.${signature}`,
      `${header}.${other}.${sign(`${header}.${other}`, secret)}`,
      `${header}.${encode({})}.${sign(`${header}.${encode({})}`, secret)}`,
      `${header}.${payload}`,
      'nonsense',
      '',
    ];
    for (const token of forged) expect((await userWith(`uprez=${token}`)).status, token).toBe(401);
  });

  it('is not read from the Authorization header', async () => {
    const token = cookieOf(await signIn()).replace('uprez=', '');
    const response = await anonymous(`${gateway.url}/api/user`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(401);
  });

  it('ends immediately at sign-out, without affecting others', async () => {
    const [first, second] = [cookieOf(await signIn()), cookieOf(await signIn())];
    const response = await anonymous(`${gateway.url}/api/logout`, { method: 'POST', headers: { cookie: first } });
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()[0]).toMatch(/^uprez=;.*Expires=Thu, 01 Jan 1970/);
    expect((await userWith(first)).status).toBe(401);
    expect((await userWith(second)).status).toBe(200);
  });

  it('returns success when signing out without a session', async () => {
    expect((await anonymous(`${gateway.url}/api/logout`, { method: 'POST' })).status).toBe(204);
  });

  it('expires when idle and is extended by use', async () => {
    const cookie = cookieOf(await signIn());
    const minutesLeft = async () => {
      const rows = await gateway.ctx.db
        .selectFrom('sessions')
        .select('expiresAt')
        .orderBy('createdAt', 'desc')
        .execute();
      return ((rows[0]?.expiresAt.getTime() ?? 0) - Date.now()) / 60_000;
    };
    const newest = gateway.ctx.db.selectFrom('sessions').select('idHash').orderBy('createdAt', 'desc').limit(1);
    const age = (lastSeen: Date, expires: Date) =>
      gateway.ctx.db
        .updateTable('sessions')
        .set({ lastSeenAt: lastSeen, expiresAt: expires })
        .where('idHash', '=', newest)
        .execute();
    await age(new Date(Date.now() - 3_600_000), new Date(Date.now() + 60_000));
    expect((await userWith(cookie)).status).toBe(200);
    expect(await minutesLeft()).toBeGreaterThan(470);
    await age(new Date(), new Date(Date.now() - 1_000));
    expect((await userWith(cookie)).status).toBe(401);
  });
});

describe('GET /api/login', () => {
  it.each([
    [undefined, '/'],
    ['/dashboard', '/dashboard'],
    ['/dashboard?tab=keys#top', '/dashboard?tab=keys#top'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['\\\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['https://evil.example', '/'],
    ['/subscribe?plan=pro&interval=year', '/subscribe?plan=pro&interval=year'],
    ['/pricing?pack=small#packs', '/pricing?pack=small#packs'],
    ['/api/logout', '/'],
    ['javascript:alert(1)', '/'],
    ['dashboard', '/'],
    ['', '/'],
  ])('redirects from %s to %s', async (next, expected) => {
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
    const response = await anonymous(`${gateway.url}/api/login${query}`, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(`/auth?next=${encodeURIComponent(expected)}`);
  });

  it.each([
    ['sign-up', '/auth?next=%2F&tab=sign-up'],
    ['other', '/auth?next=%2F'],
  ])('opens the form that tab=%s names', async (tab, expected) => {
    const response = await anonymous(`${gateway.url}/api/login?tab=${tab}`, { redirect: 'manual' });
    expect(response.headers.get('location')).toBe(expected);
  });
});

it('stores only hashes of the session secret and the password', async () => {
  const { email } = await signUp(gateway.url);
  const rows = await gateway.ctx.db.selectFrom('users').selectAll().where('email', '=', email).execute();
  expect(rows[0]?.passwordHash).toMatch(/^\$argon2id\$v=19\$/);
  const sessions = await gateway.ctx.db.selectFrom('sessions').select('idHash').execute();
  for (const { idHash } of sessions) expect(idHash).toHaveLength(32);
});
