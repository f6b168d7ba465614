import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { twoFactorPurpose } from '@uprez/domain/accounts/two-factor-codes';
import { resealSecrets } from '@uprez/domain/secrets/reseal-secrets';
import { openVault } from '@uprez/domain/vault';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeCookieFetch, signUp } from '@uprez/testing/sign-up';
import { totpCode } from '@uprez/testing/totp-code';
import { expect, it } from 'vitest';
import { checkFormToken, makeFormToken } from '../../src/features/inbox/contact-routes.ts';
import { finishJob } from '../support/finish-job.ts';
import { startTestGateway, type TestGateway } from '../support/start-test-gateway.ts';

const secretOf = (age: 'old' | 'new') => `the ${age} secret of these tests is long enough`;
const secretsOf = (...ages: ('old' | 'new')[]) => {
  const value = ages.map(secretOf).join(',');
  return { SESSION_SECRET: value, URL_SECRET: value, VAULT_SECRET: value };
};

/** The gateways of one installation before, during, and after a rotation. */
const before = fileFixture(() => startTestGateway(secretsOf('old')));
const besides = (secrets: Record<string, string>) =>
  fileFixture(() =>
    startTestGateway({
      ...secrets,
      DATABASE_URL: before.ctx.databaseUrl,
      DATA_DIR: before.ctx.dataDir,
      QUEUE_PREFIX: before.ctx.redis.prefix,
    }),
  );
const prepared = besides(secretsOf('old', 'new'));
const during = besides(secretsOf('new', 'old'));
const after = besides(secretsOf('new'));

const statusOn = async ({ url }: TestGateway, fetched: typeof fetch) => (await fetched(`${url}/api/user`)).status;

it('keeps sessions, and replaces their cookies when they are used', async () => {
  const user = await signUp(before.url);
  const unused = await signUp(before.url);
  expect(await statusOn(prepared, user.fetch)).toBe(200);
  const response = await user.fetch(`${during.url}/api/user`);
  expect(response.status).toBe(200);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^uprez=.+; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  expect((await user.fetch(`${during.url}/api/user`)).headers.getSetCookie()).toEqual([]);
  for (const gateway of [prepared, during, after]) expect(await statusOn(gateway, user.fetch)).toBe(200);
  expect(await statusOn(before, user.fetch)).toBe(401);
  expect(await statusOn(after, unused.fetch)).toBe(401);
});

it('makes new sessions with the new secret, and ends them as usual', async () => {
  const user = await signUp(during.url);
  expect(await statusOn(after, user.fetch)).toBe(200);
  expect(await statusOn(before, user.fetch)).toBe(401);
  expect(await statusOn(prepared, user.fetch)).toBe(200);
  const old = await signUp(before.url);
  const signedOut = await old.fetch(`${during.url}/api/logout`, { method: 'POST' });
  expect(signedOut.headers.getSetCookie().join()).not.toContain('uprez=ey');
  expect(await statusOn(during, old.fetch)).toBe(401);
});

it('sends no cookie with responses that shared caches may keep', async () => {
  const user = await signUp(before.url);
  for (const path of ['/', '/assets/app-1a2b.js', '/robots.txt']) {
    const response = await user.fetch(`${during.url}${path}`);
    expect(response.headers.getSetCookie(), path).toEqual([]);
    await response.arrayBuffer();
  }
});

it('opens download and shared links of both secrets, and signs new ones with the new one', async () => {
  const user = await signUp(before.url);
  const { job } = await makeJob(before.ctx, { accountId: user.user.id, plan: currentPlans.free });
  await finishJob(before.ctx, job.id, 'the bytes of a result');
  const linksOf = async ({ url }: TestGateway) => {
    const { downloadUrl } = await (await user.fetch(`${url}/api/jobs/${job.id}`)).json();
    const headers = { 'content-type': 'application/json' };
    const share = { method: 'POST', headers, body: JSON.stringify({ hours: 1 }) };
    const shared = await (await user.fetch(`${url}/api/jobs/${job.id}/share`, share)).json();
    const { searchParams } = new URL(shared.url, url);
    const { id, ...link } = Object.fromEntries(searchParams);
    return [downloadUrl, `/api/files/${id}/image?${new URLSearchParams(link)}`];
  };
  const statuses = (links: string[], { url }: TestGateway) =>
    Promise.all(links.map(async (link) => (await fetch(`${url}${link}`)).status));
  const oldLinks = await linksOf(before);
  const newLinks = await linksOf(during);
  expect(await statuses(oldLinks, prepared)).toEqual([200, 200]);
  expect(await statuses(oldLinks, during)).toEqual([200, 200]);
  expect(await statuses(oldLinks, after)).toEqual([404, 404]);
  expect(await statuses(newLinks, prepared)).toEqual([200, 200]);
  expect(await statuses(newLinks, after)).toEqual([200, 200]);
  expect(await statuses(newLinks, before)).toEqual([404, 404]);
  const token = makeFormToken(secretOf('old'), Date.now() - 60_000);
  expect(checkFormToken([secretOf('new'), secretOf('old')], token)).toEqual([]);
  expect(checkFormToken([secretOf('new')], token)).toEqual(['form_invalid']);
});

it('reads two-factor secrets throughout, and without the old secret once they are resealed', async () => {
  const user = await signUp(before.url);
  const { db } = before.ctx;
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const sealed = openVault(secretOf('old')).seal(secret, twoFactorPurpose(user.user.id));
  const inForce = { twoFactorSecret: sealed, twoFactorAt: new Date(), emailVerified: true };
  await db.updateTable('users').set(inForce).where('id', '=', user.user.id).execute();
  const signIn = async ({ url }: TestGateway) => {
    await db.updateTable('users').set({ twoFactorStep: 0 }).where('id', '=', user.user.id).execute();
    const body = JSON.stringify({ email: user.email, password: user.password, code: totpCode(secret) });
    const headers = { 'content-type': 'application/json' };
    return (await makeCookieFetch()(`${url}/api/login`, { method: 'POST', headers, body })).status;
  };
  expect(await signIn(prepared)).toBe(200);
  expect(await signIn(during)).toBe(200);
  expect(await signIn(after)).toBe(500);
  const report = await resealSecrets({ db, vault: openVault(secretOf('new'), secretOf('old')) });
  expect(report).toMatchObject({ resealed: 1, unreadable: [] });
  expect(await signIn(during)).toBe(200);
  expect(await signIn(after)).toBe(200);
});
