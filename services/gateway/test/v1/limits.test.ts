import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outcome } from '../support/accounts/api-keys.ts';
import { startTestGateway, type TestGateway } from '../support/start-test-gateway.ts';
import { openV1Caller, raw, type V1Caller } from '../support/v1-calls.ts';

/** Scales the limits down so that a test can exceed them. */
const scale = 0.05;
const perMinute = currentPlans.api_basic.callsPerMinute * scale;

let gateways: TestGateway[];
const image = await makeImage({ width: 40, height: 30 });
const generous = fileFixture(() => startTestGateway());
beforeAll(async () => {
  const shared = { DATABASE_URL: generous.ctx.databaseUrl, DATA_DIR: generous.ctx.dataDir };
  const QUEUE_PREFIX = `${generous.ctx.redis.prefix}-strict`;
  const start = () => startTestGateway({ ...shared, QUEUE_PREFIX, RATE_LIMIT_SCALE: String(scale) });
  gateways = [await start(), await start()];
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
});

const send = (caller: V1Caller, at: number, path = '/v1/process?engine=standard&async=1') => {
  const init = raw(image);
  return fetch(`${gateways[at % 2]?.url}${path}`, {
    ...init,
    method: 'POST',
    headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${caller.key}` },
  });
};
const count = (answers: Response[], wanted: string) => answers.filter((answer) => outcome(answer) === wanted).length;

it('processing calls count per account, across its keys, the web app, and all gateways', async () => {
  const first = await openV1Caller(generous);
  const second = await openV1Caller(generous, { owner: first.owner });
  const answers = await Promise.all(
    Array.from({ length: 4 * perMinute }, (_, at) => send(at % 4 < 2 ? first : second, at)),
  );
  expect([count(answers, '202'), count(answers, '429 rate_limited')]).toEqual([perMinute, 3 * perMinute]);
  for (const { headers } of answers.filter(({ status }) => status === 429)) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
  }
});

it('sandbox calls count separately', async () => {
  const live = await openV1Caller(generous);
  for (let at = 0; at <= perMinute; at++) await send(live, at);
  expect(outcome(await send(live, 0))).toBe('429 rate_limited');
  expect(outcome(await send(live, 0, '/v1/sandbox/process?async=1'))).toBe('202');
});

it('a key with a lower limit is limited to it for all endpoints', async () => {
  const caller = await openV1Caller(generous);
  const own = 2;
  await generous.ctx.db
    .updateTable('apiKeys')
    .set({ callsPerMinute: own / scale })
    .where('id', '=', caller.keyId)
    .execute();
  const ask = (path: string) =>
    fetch(`${gateways[0]?.url}${path}`, { headers: { authorization: `Bearer ${caller.key}` } });
  const answers = [await send(caller, 0), await ask('/v1/jobs'), await ask('/v1/jobs'), await send(caller, 1)];
  expect(answers.map(outcome)).toEqual(['202', '200', '429 rate_limited', '429 rate_limited']);
  expect(answers.map(({ headers }) => headers.get('ratelimit-limit'))).toEqual(['2', '2', '2', '2']);
});

it('processing continues while Redis is unavailable', async () => {
  const caller = await openV1Caller(generous);
  const lost = await startTestGateway({
    DATABASE_URL: generous.ctx.databaseUrl,
    DATA_DIR: generous.ctx.dataDir,
    REDIS_URL: 'redis://127.0.0.1:9',
  });
  const init = raw(image);
  const answer = await fetch(`${lost.url}/v1/process?engine=standard`, {
    ...init,
    method: 'POST',
    headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${caller.key}` },
  });
  expect(answer.status).toBe(202);
  await lost.close();
});
