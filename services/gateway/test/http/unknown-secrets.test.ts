import { limits } from '@uprez/contracts/policy/limits';
import { fileFixture } from '@uprez/testing/fixtures';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { addressOf, call } from '../attacks/support/calls.ts';
import { signUpFrom } from '../attacks/support/sign-up.ts';
import { forgedSecrets, type SecretRequest, unknownSecrets } from '../support/http/unknown-secrets.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const sessionSecret = 'a session secret of these tests that is long enough';
const scale = 0.05;
const allowed = limits.unknownSecrets * scale;
const settings = { RATE_LIMIT_SCALE: String(scale), SESSION_SECRET: sessionSecret };

const gateway = fileFixture(() => startTestGateway(settings));

/** `block`: the IP prefix. The limits of sign-ins are those of each of its addresses. */
async function send(request: SecretRequest, block: number, at = 0): Promise<number> {
  const { status } = await call({ url: gateway.url, ...request, from: addressOf(block, at) });
  return status;
}

const flood = (sort: keyof typeof unknownSecrets, block: number) =>
  Promise.all(Array.from({ length: 3 * allowed }, (_, at) => send(unknownSecrets[sort](sessionSecret), block, at)));

const { sessions: _signed, ...limited } = unknownSecrets;
const sorts = Object.keys(limited) as (keyof typeof limited)[];

it('limits the unknown secrets of an IP prefix before they are looked up, of each sort', async () => {
  const floods = sorts.map(async (sort, at) => {
    const statuses = await flood(sort, 20 + at);
    const refused = statuses.filter((status) => status !== 429);
    // The budget fills up meanwhile.
    const isLimited = refused.length >= allowed && refused.length < statuses.length;
    return { sort, isLimited, areRefused: refused.every((status) => status >= 400 && status < 500) };
  });
  expect(await Promise.all(floods)).toEqual(sorts.map((sort) => ({ sort, isLimited: true, areRefused: true })));
});

it('serves the sessions of an IP prefix that sends unknown ones', async () => {
  const near = 19;
  const { cookie } = await signUpFrom(gateway.url);
  expect(new Set(await flood('sessions', near))).toEqual(new Set([401]));
  expect(await send({ path: '/api/user', headers: { cookie } }, near)).toBe(200);
});

it('paces the visitors of an IP prefix, and serves its users meanwhile', async () => {
  const near = 16;
  const { cookie } = await signUpFrom(gateway.url);
  // So many would take ten times as long as they may wait.
  const sent = 200;
  const flood = Promise.all(Array.from({ length: sent }, (_, at) => send({ path: '/api/plans' }, near, at)));
  expect(await send({ path: '/api/user', headers: { cookie } }, near)).toBe(200);
  expect(new Set(await flood)).toEqual(new Set([200, 429]));
});

it('refuses a forged download link without a query', async () => {
  await gateway.ctx.db.transaction().execute(async (tx) => {
    await sql`lock table jobs in access exclusive mode`.execute(tx);
    expect(await send(forgedSecrets['download-links'](), 17)).toBe(404);
  });
});
