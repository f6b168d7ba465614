import { limits } from '@uprez/contracts/policy/limits';
import { openCounterStore } from '@uprez/queue/open-counter-store';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm, type SignedIn } from '@uprez/testing/sign-up';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outcome, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { countTraces } from '../support/traces.ts';

const scale = 1_000;
const gateway = fileFixture(() => startTestGateway({ RATE_LIMIT_SCALE: String(scale), TRUST_PROXY: '127.0.0.1' }));
const image = await makeImage({ width: 40, height: 30 });
const visitor = makeCheckedFetch(fetch);
const windowMs = limits.freeSecondsMinutes * 60_000;
const most = limits.freeSeconds * scale;

let counters: ReturnType<typeof openCounterStore>;
beforeAll(async () => {
  counters = openCounterStore({ ...gateway.ctx.redis, onError: () => {} });
  await counters.tried;
});
afterAll(() => counters.close());

const spend = (address: string, cost: number) => counters.spend(address, { cost, most, windowMs });
type Caller = Pick<SignedIn, 'fetch'>;
const upload = ({ fetch: fetcher }: Caller, address: string) =>
  fetcher(`${gateway.url}/api/images/process`, {
    method: 'POST',
    body: imageForm(image, { engine: 'standard' }),
    headers: { prefer: 'respond-async', 'x-forwarded-for': address, accept: 'application/problem+json' },
  });
const bulk = ({ fetch: fetcher }: Caller, address: string) => {
  const body = new FormData();
  body.append('images', new Blob([new Uint8Array(image)]), 'a.png');
  body.set('engine', 'standard');
  const headers = { prefer: 'respond-async', 'x-forwarded-for': address };
  return fetcher(`${gateway.url}/api/images/bulk-process`, { method: 'POST', body, headers });
};

describe('free processing time of an IP address', () => {
  it('is counted for all accounts together, and rejects free work when it is used up', async () => {
    const [first, second] = [await gateway.signUp(), await gateway.signUp()];
    const address = '203.0.113.1';
    await spend(address, most - 0.000_001);
    expect(outcome(await upload(first, address))).toBe('202');
    const before = await countTraces(gateway.ctx);
    const rejected = await upload(second, address);
    expect(outcome(rejected)).toBe('429 rate_limited');
    const retryAfterS = Number(rejected.headers.get('retry-after'));
    expect(retryAfterS).toBeGreaterThan(3_500);
    expect(retryAfterS).toBeLessThanOrEqual(3_600);
    expect(await rejected.json()).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringContaining('Your network has used up its free processing time. Try again in 1 hour.'),
    });
    expect(outcome(await bulk(second, address))).toBe('429 rate_limited');
    const patch = {
      method: 'POST',
      body: imageForm(image, { engine: 'standard' }),
      headers: { 'x-forwarded-for': address },
    };
    expect(outcome(await visitor(`${gateway.url}/api/preview`, patch))).toBe('429 rate_limited');
    const { objects: _deleted, ...after } = await countTraces(gateway.ctx);
    expect(before).toMatchObject(after);
    const metrics = await (await fetch(`${gateway.operatorUrl}/metrics`)).text();
    expect(metrics).toMatch(/^limits_met_total\{limit="free_seconds"\} 3$/m);
  });

  it('is not counted for paid plans', async () => {
    const [free, pro] = [await gateway.signUp(), await signUpWithPlan(gateway, 'pro')];
    const address = '203.0.113.2';
    await spend(address, most);
    expect(outcome(await upload(free, address))).toBe('429 rate_limited');
    expect(outcome(await upload(pro, address))).toBe('202');
  });

  it('is counted for each address, and for a network of IPv6 together', async () => {
    const free = await gateway.signUp();
    await spend('203.0.113.3', most);
    expect(outcome(await upload(free, '203.0.113.4'))).toBe('202');
    const network = '2001:db8:1:2::';
    await spend(network, most);
    expect(outcome(await upload(free, '2001:db8:1:2::7'))).toBe('429 rate_limited');
    expect(outcome(await upload(free, '2001:db8:1:3::7'))).toBe('202');
  });
});
