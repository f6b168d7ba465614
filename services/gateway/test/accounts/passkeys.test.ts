import type { PasskeyResponse } from '@uprez/contracts/schemas/passkeys';
import { afterSeconds } from '@uprez/db/times';
import { testFixture } from '@uprez/testing/fixtures';
import { makeCookieFetch } from '@uprez/testing/sign-up';
import { beforeEach, describe, expect, it } from 'vitest';
import { openAccountCalls } from '../support/accounts/accounts.ts';
import { makeAuthenticator } from '../support/accounts/make-authenticator.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { publicHost } from '../support/start-test-gateway.ts';

const gateway = shareTestGateway();
const calls = openAccountCalls(gateway);
const user = testFixture(() => gateway.signUp());
const db = () => gateway.ctx.db;
const codeOf = (answer: Response) => [answer.status, answer.headers.get('x-error-code')];

type Options = { challenge: string; user: { id: string } };
const startRegistration = async (password = user.password) => calls.postAs(user, '/api/passkeys/options', { password });
const register = (body: object) => calls.postAs(user, '/api/passkeys', { name: 'My phone', ...body });

/** Registers a passkey and returns its authenticator. */
async function addPasskey(name = 'My phone') {
  const authenticator = makeAuthenticator(publicHost);
  const options: Options = await (await startRegistration()).json();
  const response = authenticator.create(options.user.id, options);
  const answer = await register({ name, response });
  expect(answer.status).toBe(201);
  return { authenticator, response, passkey: (await answer.json()) as { id: string; name: string } };
}
const challenge = async () => {
  const options: Options = await (await calls.post('/api/passkeys/sign-in/options')).json();
  return options.challenge;
};
const list = async () => (await user.client.listPasskeys()).data;

/** Signs in on a new device. */
async function signIn(response: PasskeyResponse) {
  const device = makeCookieFetch();
  const answer = await device(`${gateway.url}/api/passkeys/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ response }),
  });
  return { answer, isSignedIn: async () => (await device(`${gateway.url}/api/user`)).status === 200 };
}

beforeEach(() => calls.change(user, { emailVerified: true }));

describe('adding a passkey', () => {
  it('needs the password and a confirmed email address, and emails the owner', async () => {
    expect(codeOf(await startRegistration('not this one'))).toEqual([403, 'wrong_password']);
    await calls.change(user, { emailVerified: false });
    expect(codeOf(await startRegistration())).toEqual([403, 'email_unverified']);
    await calls.change(user, { emailVerified: true });
    await addPasskey();
    expect(await list()).toMatchObject([{ name: 'My phone', lastUsedAt: null }]);
    expect(await calls.mails(user, 'passkey_changed')).toMatchObject([{ name: 'My phone', isAdded: true }]);
  });

  it('refuses a used, an expired, and a foreign challenge', async () => {
    const first: Options = await (await startRegistration()).json();
    const response = makeAuthenticator(publicHost).create(first.user.id, first);
    const twice = await Promise.all([register({ response }), register({ response })]);
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 401]);
    expect(codeOf(await register({ response }))).toEqual([401, 'bad_passkey']);
    const options: Options = await (await startRegistration()).json();
    await db()
      .updateTable('passkeyChallenges')
      .set({ expiresAt: afterSeconds(-1) })
      .execute();
    const late = makeAuthenticator(publicHost).create(options.user.id, options);
    expect(codeOf(await register({ response: late }))).toEqual([401, 'bad_passkey']);
    const other = makeAuthenticator(publicHost).create(options.user.id, { challenge: await challenge() });
    expect(codeOf(await register({ response: other }))).toEqual([401, 'bad_passkey']);
    expect(await list()).toHaveLength(1);
  });

  it('refuses authenticators that did not verify the user, other origins, and other hosts', async () => {
    for (const [rpId, changes] of [
      [publicHost, { isVerified: false }],
      [publicHost, { origin: 'http://evil.example' }],
      ['evil.example', { origin: `http://${publicHost}` }],
    ] as const) {
      const options: Options = await (await startRegistration()).json();
      const response = makeAuthenticator(rpId).create(options.user.id, { ...options, ...changes });
      expect(codeOf(await register({ response }))).toEqual([401, 'bad_passkey']);
    }
    expect(await list()).toEqual([]);
  });
});

describe('signing in with a passkey', () => {
  it('opens a session without password and code, and emails about the new device', async () => {
    const { authenticator } = await addPasskey();
    await db()
      .updateTable('users')
      .set({ twoFactorAt: afterSeconds(0), twoFactorSecret: 'a sealed secret' })
      .where('id', '=', user.user.id)
      .execute();
    const { answer, isSignedIn } = await signIn(authenticator.get({ challenge: await challenge() }));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ id: user.user.id });
    expect(await isSignedIn()).toBe(true);
    expect(await calls.mails(user, 'new_device')).toHaveLength(1);
    expect((await list())[0]?.lastUsedAt).not.toBeNull();
  });

  it('accepts each challenge once', async () => {
    const { authenticator } = await addPasskey();
    const response = authenticator.get({ challenge: await challenge() });
    const answers = await Promise.all([signIn(response), signIn(response)]);
    expect(answers.map(({ answer }) => answer.status).sort()).toEqual([200, 401]);
  });

  it('refuses a second signature with the same counter, as of a copied key, also at the same time', async () => {
    const { authenticator } = await addPasskey();
    const copies = await Promise.all(
      [1, 2, 3].map(async () => authenticator.get({ challenge: await challenge(), counter: 7 })),
    );
    const answers = await Promise.all(copies.map(signIn));
    expect(answers.map(({ answer }) => answer.status).sort()).toEqual([200, 401, 401]);
    for (const counter of [6, 7]) {
      const { answer } = await signIn(authenticator.get({ challenge: await challenge(), counter }));
      expect(codeOf(answer)).toEqual([401, 'bad_passkey']);
    }
  });

  it('accepts authenticators that do not count', async () => {
    const authenticator = makeAuthenticator(publicHost);
    const options: Options = await (await startRegistration()).json();
    await register({ response: authenticator.create(options.user.id, { ...options, counter: 0 }) });
    for (let at = 0; at < 2; at += 1) {
      const { answer } = await signIn(authenticator.get({ challenge: await challenge(), counter: 0 }));
      expect(answer.status).toBe(200);
    }
  });

  it('refuses unverified users, other origins, unknown and deleted passkeys, and wrong signatures', async () => {
    const { authenticator, passkey } = await addPasskey();
    const refused = async (response: PasskeyResponse) => {
      const { answer, isSignedIn } = await signIn(response);
      expect(codeOf(answer)).toEqual([401, 'bad_passkey']);
      expect(await isSignedIn()).toBe(false);
    };
    await refused(authenticator.get({ challenge: await challenge(), isVerified: false }));
    await refused(authenticator.get({ challenge: await challenge(), origin: 'http://evil.example' }));
    await refused(makeAuthenticator(publicHost).get({ challenge: await challenge() }));
    const valid = authenticator.get({ challenge: await challenge() });
    const { signature } = makeAuthenticator(publicHost).get({ challenge: await challenge() }).response;
    await refused({ ...valid, response: { ...valid.response, signature } });
    const remove = () => user.client.deletePasskey({ params: { id: passkey.id } });
    await expect(remove()).rejects.toMatchObject({ status: 403, code: 'step_up_required' });
    expect((await user.client.listPasskeys()).data).toHaveLength(1);
    await user.client.stepUp({ body: { password: user.password } });
    await remove();
    await refused(authenticator.get({ challenge: await challenge() }));
    expect((await calls.mails(user, 'passkey_changed')).map((mail) => 'isAdded' in mail && mail.isAdded)).toEqual([
      true,
      false,
    ]);
  });

  it('is blocked after too many wrong attempts, and refused while the account is suspended', async () => {
    const { authenticator } = await addPasskey();
    await calls.change(user, { suspendedAt: new Date() });
    const suspended = await signIn(authenticator.get({ challenge: await challenge() }));
    expect(codeOf(suspended.answer)).toEqual([403, 'account_suspended']);
    for (let guess = 0; guess < 5; guess += 1) await signIn(authenticator.get({ challenge: 'made up' }));
    const { answer } = await signIn(authenticator.get({ challenge: await challenge() }));
    expect(codeOf(answer)).toEqual([429, 'too_many_attempts']);
  });
});

describe('the passkeys of an account', () => {
  it('can be renamed, and are deleted with the account', async () => {
    const { passkey } = await addPasskey();
    const renamed = await user.client.renamePasskey({ params: { id: passkey.id }, body: { name: ' Laptop ' } });
    expect(renamed.data).toMatchObject({ id: passkey.id, name: 'Laptop' });
    expect(codeOf(await calls.patchAs(user, `/api/passkeys/${passkey.id}`, { name: ' ' }))).toEqual([
      422,
      'invalid_parameter',
    ]);
    await startRegistration();
    await db().deleteFrom('users').where('id', '=', user.user.id).execute();
    for (const table of ['passkeys', 'passkeyChallenges'] as const)
      expect(await db().selectFrom(table).select('userId').where('userId', '=', user.user.id).execute()).toEqual([]);
  });
});
