import { makeCookieFetch } from '@uprez/testing/sign-up';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { freshEmail } from '../support/accounts/accounts.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = shareTestGateway();

const anonymous = makeCheckedFetch(fetch);
const logIn = (email: string, password: string, { as = anonymous, url = gateway.url } = {}) =>
  as(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
const codeOf = (response: Response) => response.headers.get('x-error-code') ?? String(response.status);
const waitOf = (response: Response) => Number(response.headers.get('retry-after'));
const guess = (email: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => logIn(email, `guess ${index}`)));

describe('wrong passwords', () => {
  it('lock sign-in after the fifth, also when sent at once, with a correct Retry-After', async () => {
    const user = await gateway.signUp();
    const answers = await guess(user.email, 100);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(5);
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused).toHaveLength(95);
    for (const answer of refused) {
      expect(codeOf(answer)).toBe('too_many_attempts');
      expect(waitOf(answer)).toBeLessThanOrEqual(900);
      expect(waitOf(answer)).toBeGreaterThan(870);
      expect(await answer.text()).toBe('Too many attempts. Try again in 15 minutes, or reset your password.');
    }
    await gateway.ctx.db
      .updateTable('attempts')
      .set({ blockedUntil: sql<Date>`now()`, lastAt: sql<Date>`now() - interval '15 minutes'` })
      .execute();
    expect((await logIn(user.email, user.password)).status).toBe(200);
  });

  it('get the same response for known and unknown accounts', async () => {
    const user = await gateway.signUp();
    const seen = async (email: string) => {
      const answers: object[] = [];
      for (let index = 0; index < 8; index += 1) {
        const answer = await logIn(email, `guess ${index}`);
        const headers = [...answer.headers.keys()].sort();
        answers.push({ status: answer.status, code: codeOf(answer), headers, body: await answer.text() });
      }
      return answers;
    };
    expect(await seen(user.email)).toEqual(await seen(freshEmail()));
  });

  it('do not lock out a known device of the owner', async () => {
    const user = await gateway.signUp();
    await guess(user.email, 10);
    expect((await user.fetch(`${gateway.url}/api/logout`, { method: 'POST' })).status).toBe(204);
    expect(codeOf(await logIn(user.email, user.password))).toBe('too_many_attempts');
    expect((await logIn(user.email, user.password, { as: user.fetch })).status).toBe(200);
    expect((await user.client.user()).data.email).toBe(user.email);
  });

  it('are limited on a device that only knows another account', async () => {
    const [victim, attacker] = [await gateway.signUp(), await gateway.signUp()];
    await guess(victim.email, 5);
    expect(codeOf(await logIn(victim.email, victim.password, { as: attacker.fetch }))).toBe('too_many_attempts');
  });

  it('for many accounts lock the IP address, and none of the accounts', async () => {
    const strict = await startTestGateway({ RATE_LIMIT_SCALE: '1' });
    const names = Array.from({ length: 50 }, freshEmail);
    const answers = await Promise.all(names.map((email) => logIn(email, 'guess', { url: strict.url })));
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['bad_credentials']));
    const next = await logIn(freshEmail(), 'guess', { url: strict.url });
    expect(codeOf(next)).toBe('rate_limited');
    expect(waitOf(next)).toBeLessThanOrEqual(900);
    expect(waitOf(next)).toBeGreaterThan(870);
    const blocked = strict.ctx.db.selectFrom('attempts').select('subject').where('blockedUntil', 'is not', null);
    expect(await blocked.execute()).toEqual([]);
    await strict.close();
  });
});

describe('the device cookie', () => {
  const lineOf = (response: Response, name: string) =>
    response.headers.getSetCookie().find((line) => line.startsWith(`${name}=`)) ?? '';

  it('is long-lived, HttpOnly, and SameSite', async () => {
    const user = await gateway.signUp();
    const line = lineOf(await logIn(user.email, user.password), 'uprez-device');
    expect(line).toMatch(/^uprez-device=[\w-]{43};/);
    expect(line.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=34560000', 'Path=/', 'SameSite=Lax']);
  });

  it('has the __Host- prefix over HTTPS', async () => {
    const secure = await startTestGateway({ PUBLIC_URL: 'https://images.example' });
    const user = await secure.signUp();
    const line = lineOf(await logIn(user.email, user.password, { url: secure.url }), '__Host-uprez-device');
    expect(line.split('; ').slice(1)).toEqual(expect.arrayContaining(['HttpOnly', 'Secure', 'Path=/']));
    await secure.close();
  });

  it('stays the same for all accounts in a browser', async () => {
    const [first, second] = [await gateway.signUp(), await gateway.signUp()];
    const browser = makeCookieFetch();
    const cookies: string[] = [];
    for (const { email, password } of [first, second, first])
      cookies.push(lineOf(await logIn(email, password, { as: browser }), 'uprez-device'));
    expect(new Set(cookies).size).toBe(1);
  });

  it('is replaced when its value is not ours', async () => {
    const user = await gateway.signUp();
    for (const made of ['', 'short', 'x'.repeat(44), `${'x'.repeat(42)}%00`]) {
      const as = (url: string | URL | Request, init?: RequestInit) =>
        fetch(url, { ...init, headers: { ...init?.headers, cookie: `uprez-device=${made}` } });
      const line = lineOf(await logIn(user.email, user.password, { as }), 'uprez-device');
      expect(line).toMatch(/^uprez-device=[\w-]{43};/);
    }
  });

  it('does not sign in anyone', async () => {
    const user = await gateway.signUp();
    const device = lineOf(await logIn(user.email, user.password), 'uprez-device').split(';')[0] ?? '';
    const secret = device.slice('uprez-device='.length);
    for (const cookie of [device, `uprez=${secret}`])
      expect((await anonymous(`${gateway.url}/api/user`, { headers: { cookie } })).status).toBe(401);
  });
});
