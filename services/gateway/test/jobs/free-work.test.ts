import { limits } from '@uprez/contracts/policy/limits';
import type { Attempt } from '@uprez/domain/jobs/attempts/claim-next-job';
import { failJob, returnJob } from '@uprez/domain/jobs/attempts/fail-job';
import { openCounterStore } from '@uprez/queue/open-counter-store';
import { deliverJob } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { imageForm, type SignedIn } from '@uprez/testing/sign-up';
import { backdateAttempt } from '@uprez/testing/use-seconds';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outcome, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { failForGood } from '../support/batches.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { claimJob } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { countTraces } from '../support/traces.ts';
import { json, openV1Caller } from '../support/v1-calls.ts';

const scale = 1_000;
const site = fileFixture(() => openTlsSite((_request, response) => response.end(image)));
const settings = { RATE_LIMIT_SCALE: String(scale), TRUST_PROXY: '127.0.0.1' };
const gateway = fileFixture(() => startTestGateway(settings, site.network));
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
type Made = { id: string; batchId: string | null };
type Caller = Pick<SignedIn, 'fetch'>;
/** The headers of a request from an address, with a key if there is one. */
const from = (address: string, key?: string) => ({
  ...{ prefer: 'respond-async', 'x-forwarded-for': address },
  ...(key !== undefined && { 'idempotency-key': key }),
});
const upload = ({ fetch: fetcher }: Caller, address: string, key?: string) =>
  fetcher(`${gateway.url}/api/images/process`, {
    method: 'POST',
    body: imageForm(image, { engine: 'standard' }),
    headers: { ...from(address, key), accept: 'application/problem+json' },
  });
const bulk = ({ fetch: fetcher }: Caller, address: string, key?: string) => {
  const body = new FormData();
  body.append('images', new Blob([new Uint8Array(image)]), 'a.png');
  body.set('engine', 'standard');
  return fetcher(`${gateway.url}/api/images/bulk-process`, { method: 'POST', body, headers: from(address, key) });
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
      detail: expect.stringMatching(
        /^Your network has used up its free processing time\. Try again in (1 hour|\d+ minutes)\./,
      ),
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

  it.each([
    ['an image', upload, '203.0.113.5'],
    ['a form of images', bulk, '203.0.113.6'],
  ])('is not counted for a repeat of %s', async (_name, create, address) => {
    const free = await gateway.signUp();
    await spend(address, most - 0.000_001);
    expect(outcome(await create(free, address, 'first'))).toBe('202');
    expect(outcome(await create(free, address, 'second'))).toBe('429 rate_limited');
    expect(outcome(await create(free, address, 'first'))).toBe('202');
  });

  it.each([
    { name: 'an image', create: upload, pathOf: ({ id }: Made) => `jobs/${id}`, address: '203.0.113.10' },
    { name: 'a batch', create: bulk, pathOf: ({ batchId }: Made) => `batches/${batchId}`, address: '203.0.113.11' },
  ])('is counted for a retry of $name from its original', async ({ create, pathOf, address }) => {
    const free = await gateway.signUp();
    await create(free, address);
    const made = await gateway.ctx.db
      .selectFrom('jobs')
      .leftJoin('batchItems', 'batchItems.jobId', 'jobs.id')
      .select(['jobs.id', 'batchId'])
      .where('jobs.accountId', '=', free.user.id)
      .executeTakeFirstOrThrow();
    await failForGood(gateway.ctx, made.id);
    const retry = (from: string) =>
      free.fetch(`${gateway.url}/api/${pathOf(made)}/retry`, { method: 'POST', headers: { 'x-forwarded-for': from } });
    await spend(address, most);
    const before = await countTraces(gateway.ctx);
    expect(outcome(await retry(address))).toBe('429 rate_limited');
    expect(await countTraces(gateway.ctx)).toEqual(before);
    const other = `${address}0`;
    await spend(other, most - 0.000_001);
    expect((await retry(other)).ok).toBe(true);
    expect(outcome(await upload(free, other))).toBe('429 rate_limited');
  });

  it('is counted for the time that jobs used beyond their estimates, however they end', async () => {
    const { ctx } = gateway;
    const free = await gateway.signUp();
    const retry = { retryBaseS: 0 };
    const ways: Record<string, { end: (attempt: Attempt) => Promise<unknown>; isCounted: boolean }> = {
      completed: { end: ({ jobId: id, attempt }) => deliverJob(ctx, { id, attempt }), isCounted: true },
      'too slow': { end: (one) => failJob(ctx, { ...one, ...retry, code: 'processing_timeout' }), isCounted: true },
      crashed: { end: (one) => failJob(ctx, { ...one, ...retry, code: 'processing_crashed' }), isCounted: true },
      canceled: {
        end: ({ jobId }) => free.fetch(`${gateway.url}/api/jobs/${jobId}`, { method: 'DELETE' }),
        isCounted: true,
      },
      'returned by its worker': { end: (one) => returnJob(ctx, { ...one, delayS: 3_600 }), isCounted: false },
    };
    for (const [index, [way, { end, isCounted }]] of Object.entries(ways).entries()) {
      const address = `203.0.113.${20 + index}`;
      const { id: jobId } = await (await upload(free, address)).json();
      await claimJob(ctx, jobId);
      await backdateAttempt(ctx.db, jobId, 400);
      await spend(address, most - 399);
      await end({ jobId, attempt: 1 });
      expect(outcome(await upload(free, address)), way).toBe(isCounted ? '429 rate_limited' : '202');
    }
  });

  it('is counted for images of batches that are fetched by URL', async () => {
    const address = '203.0.113.8';
    const tested = await openV1Caller(gateway, { kind: 'test' });
    const announce = async () => {
      const items = [{ client_id: 'a', image_url: `https://images.example/a.png` }];
      const body = json({ recipe: { engine: 'standard' }, items });
      const headers = { ...body.headers, ...from(address) };
      return (await (await tested.call('POST', '/v1/batches', { ...body, headers })).json()).id;
    };
    const itemOf = (batchId: string) =>
      gateway.ctx.db.selectFrom('batchItems').selectAll().where('batchId', '=', batchId).executeTakeFirstOrThrow();
    await spend(address, most - 0.000_001);
    const first = await announce();
    await waitUntil(async () => (await itemOf(first)).status === 'taken', { what: 'the job of the first image' });
    const free = await gateway.signUp();
    expect(outcome(await upload(free, address))).toBe('429 rate_limited');
    expect(outcome(await upload(free, '203.0.113.9'))).toBe('202');

    const fetched = site.requests.length;
    const second = await announce();
    await waitUntil(async () => (await itemOf(second)).fetches === 1, { what: 'the first try' });
    const last = { fetches: limits.itemFetches - 1, fetchAt: new Date(0) };
    await gateway.ctx.db.updateTable('batchItems').set(last).where('batchId', '=', second).execute();
    const failed = async () => (await itemOf(second)).status === 'failed' && itemOf(second);
    expect(await waitUntil(failed, { what: 'the failed item' })).toMatchObject({
      errorCode: 'rate_limited',
      jobId: null,
    });
    expect(site.requests).toHaveLength(fetched);
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
