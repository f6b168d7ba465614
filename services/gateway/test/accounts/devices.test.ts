import { randomUUID } from 'node:crypto';
import { createClient } from '@uprez/client/create-client';
import { browserRoutes } from '@uprez/contracts/endpoints/routes';
import { makeCookieFetch, type SignedIn } from '@uprez/testing/sign-up';
import { describe, expect, it } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();

/** Signs the user in in another browser. */
async function openBrowser({ email, password }: SignedIn, userAgent = 'another browser') {
  const client = createClient(browserRoutes, { baseUrl: gateway.url, fetch: makeCheckedFetch(makeCookieFetch()) });
  await client.login({ body: { email, password }, headers: { 'user-agent': userAgent } });
  return client;
}
const isSignedIn = (client: SignedIn['client']) =>
  client.user().then(
    () => true,
    () => false,
  );

describe('GET /api/user/sessions', () => {
  it('returns the sessions of the user, newest first, with the current one marked', async () => {
    const user = await gateway.signUp();
    await gateway.signUp();
    const phone = await openBrowser(user, 'a phone');
    const { data } = await phone.listSessions();
    expect(data.map(({ isCurrent, userAgent }) => ({ isCurrent, userAgent }))).toEqual([
      { isCurrent: true, userAgent: 'a phone' },
      { isCurrent: false, userAgent: 'node' },
    ]);
    for (const session of data) expect(session.address).toMatch(/127\.0\.0\.1/);
    expect((await user.client.listSessions()).data.map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
  });

  it('omits sessions that ended', async () => {
    const user = await gateway.signUp();
    await openBrowser(user);
    const [newest] = (await user.client.listSessions()).data;
    await gateway.ctx.db
      .updateTable('sessions')
      .set({ lastSeenAt: new Date(Date.now() - 481 * 60_000) })
      .where('id', '=', newest?.id ?? '')
      .execute();
    expect((await user.client.listSessions()).data.map(({ isCurrent }) => isCurrent)).toEqual([true]);
  });
});

describe('ending sessions', () => {
  it('ends one session immediately and no other', async () => {
    const user = await gateway.signUp();
    const [phone, tablet] = [await openBrowser(user), await openBrowser(user)];
    const lost = (await phone.listSessions()).data.find(({ isCurrent }) => isCurrent);
    const { status, headers } = await user.client.endSession({ params: { id: lost?.id ?? '' } });
    expect(status).toBe(204);
    expect(headers.getSetCookie()).toEqual([]);
    expect([await isSignedIn(phone), await isSignedIn(tablet), await isSignedIn(user.client)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('clears the cookie when the current session ends', async () => {
    const user = await gateway.signUp();
    const current = (await user.client.listSessions()).data[0];
    const { headers } = await user.client.endSession({ params: { id: current?.id ?? '' } });
    expect(headers.getSetCookie()[0]).toMatch(/^uprez=;.*Expires=Thu, 01 Jan 1970/);
    expect(await isSignedIn(user.client)).toBe(false);
  });

  it('returns the same 404 for a session of another user, a missing one, and an invalid ID', async () => {
    const [user, other] = [await gateway.signUp(), await gateway.signUp()];
    const foreign = (await other.client.listSessions()).data[0]?.id ?? '';
    const answers = [];
    for (const id of [foreign, randomUUID(), 'nonsense', '%00']) {
      const answer = await user.fetch(`${gateway.url}/api/sessions/${id}`, { method: 'DELETE' });
      answers.push({ status: answer.status, code: answer.headers.get('x-error-code'), body: await answer.text() });
    }
    for (const answer of answers)
      expect(answer).toEqual({ status: 404, code: 'session_not_found', body: 'Session not found.' });
    expect(await isSignedIn(other.client)).toBe(true);
  });

  it('ends all sessions of the user, including the current one', async () => {
    const [user, other] = [await gateway.signUp(), await gateway.signUp()];
    const phone = await openBrowser(user);
    const { status, headers } = await phone.endSessions();
    expect(status).toBe(204);
    expect(headers.getSetCookie()[0]).toMatch(/^uprez=;.*Expires=Thu, 01 Jan 1970/);
    expect([await isSignedIn(phone), await isSignedIn(user.client), await isSignedIn(other.client)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('returns 401 without a session', async () => {
    for (const [method, path] of [
      ['GET', '/api/sessions'],
      ['DELETE', '/api/sessions'],
      ['DELETE', `/api/sessions/${randomUUID()}`],
    ] as const)
      expect((await makeCheckedFetch(fetch)(`${gateway.url}${path}`, { method })).status).toBe(401);
  });
});

it('ends the previous session of a browser when it signs in again', async () => {
  const user = await gateway.signUp();
  await user.client.login({ body: { email: user.email, password: user.password } });
  expect((await user.client.listSessions()).data).toHaveLength(1);
});
