import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import { upsertWorker } from '@uprez/db/queries/jobs/workers';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { imageForm, type SignedIn } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, describe, expect, it } from 'vitest';
import { outcome, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { itemsOf, makeBatch, putItem, standard } from '../support/batches.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { countTraces } from '../support/traces.ts';
import { openV1Caller } from '../support/v1-calls.ts';

/** Few jobs exceed these waits. */
const gateway = fileFixture(() => startTestGateway({ MAX_WAIT_FREE_S: '20', MAX_WAIT_PAID_S: '30' }));
const image = await makeImage({ width: 40, height: 30 });
const visitor = makeCheckedFetch(fetch);

afterEach(async () => {
  const { db } = gateway.ctx;
  await db.deleteFrom('workers').execute();
  await db
    .updateTable('jobs')
    .set({ status: 'cancelled' })
    .where('status', '=', 'queued')
    .where('estimatedSeconds', '=', 4)
    .execute();
});

/** One live worker with one slot. */
const startWorker = () =>
  upsertWorker(gateway.ctx.db, { id: 'w-1', name: 'first', engines: ['standard'], device: 'cpu', slots: 1 });

/** Fills the queue with `seconds` of jobs, each of an account of its own. */
async function fillQueue(tier: Tier, seconds: number): Promise<void> {
  for (let queued = 0; queued < seconds; queued += 4)
    await makeJob(gateway.ctx, await makeUser(gateway.ctx.db, tier), { seconds: 4 });
}

type Caller = Pick<SignedIn, 'fetch'>;
/** The header of a key, if there is one. */
const keyed = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'idempotency-key': key };
const upload = (user: Caller, key?: string) =>
  user.fetch(`${gateway.url}/api/images/process`, {
    method: 'POST',
    body: imageForm(image, { engine: 'standard' }),
    headers: { prefer: 'respond-async', accept: 'application/problem+json', ...keyed(key) },
  });
const bulk = (user: Caller, key?: string) => {
  const body = new FormData();
  for (const name of ['a.png', 'b.png']) body.append('images', new Blob([new Uint8Array(image)]), name);
  body.set('engine', 'standard');
  return user.fetch(`${gateway.url}/api/images/bulk-process`, {
    method: 'POST',
    body,
    headers: { prefer: 'respond-async', ...keyed(key) },
  });
};
const announce = (user: Caller, key?: string) =>
  user.fetch(`${gateway.url}/api/batches`, {
    method: 'POST',
    body: JSON.stringify({ recipe: standard, items: itemsOf('a.png') }),
    headers: { 'content-type': 'application/json', ...keyed(key) },
  });
const preview = (by: typeof fetch) =>
  by(`${gateway.url}/api/preview`, { method: 'POST', body: imageForm(image, { engine: 'standard' }) });

const full = '503 queue_full';

/** Repeats a call until it has an outcome: an estimate is shared for 2 seconds, so it may be that of the former queue. */
const becomes = (call: () => Promise<Response>, expected: string) =>
  waitUntil(async () => outcome(await call()) === expected, { everyMs: 500, what: expected });

describe('a long queue', () => {
  it('rejects new free work with 503 and Retry-After, stores nothing, and accepts paid work', async () => {
    const [free, pro] = [await gateway.signUp(), await signUpWithPlan(gateway, 'pro')];
    await startWorker();
    await fillQueue('free', 40);
    await becomes(() => upload(free), full);
    const before = await countTraces(gateway.ctx);
    const rejected = await upload(free);
    expect(outcome(rejected)).toBe(full);
    const retryAfterS = Number(rejected.headers.get('retry-after'));
    // 40 seconds wait, 20 are allowed, and uploads before the first rejection wait for parts of a second.
    expect([20, 21, 22]).toContain(retryAfterS);
    expect(await rejected.json()).toMatchObject({
      code: 'queue_full',
      detail: expect.stringContaining(`Too many images are waiting right now. Try again in ${retryAfterS} seconds.`),
      meta: { retryAfterS },
    });
    expect(outcome(await bulk(free))).toBe(full);
    expect(outcome(await announce(free))).toBe(full);
    expect(await countTraces(gateway.ctx)).toEqual(before);
    expect(outcome(await upload(pro))).toBe('202');
    expect(outcome(await bulk(pro))).toBe('202');
    const metrics = await (await fetch(`${gateway.operatorUrl}/metrics`)).text();
    expect(metrics).toMatch(/^limits_met_total\{limit="queue_wait"\} [1-9]/m);
    expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
  });

  it.each([
    ['an image', upload],
    ['a form of images', bulk],
    ['a batch', announce],
  ])('returns the earlier response to a repeat of %s, and rejects other keys', async (_name, create) => {
    const free = await gateway.signUp();
    await becomes(() => upload(free), '202');
    const first = await create(free, 'first');
    expect([201, 202]).toContain(first.status);
    const { id } = await first.json();
    await startWorker();
    await fillQueue('free', 40);
    await becomes(() => upload(free), full);
    const before = await countTraces(gateway.ctx);
    const repeat = await create(free, 'first');
    expect(repeat.status).toBe(first.status);
    expect((await repeat.json()).id).toBe(id);
    expect(outcome(await create(free, 'second'))).toBe(full);
    expect(await countTraces(gateway.ctx)).toEqual(before);
  });

  it('rejects previews at once that would wait longer than their clients', async () => {
    const free = await gateway.signUp();
    await startWorker();
    await fillQueue('free', limits.waitSeconds + 4);
    await becomes(() => upload(free), full);
    expect(outcome(await preview(visitor))).toBe(full);
  });

  it('rejects paid work, too, when other paid work waits long, and the sandbox as free work', async () => {
    const caller = await openV1Caller(gateway, { tier: 'api_pro' });
    const tested = await openV1Caller(gateway, { tier: 'api_pro', kind: 'test' });
    const process = (by: typeof caller) => () =>
      by.call('POST', '/v1/process', { body: imageForm(image), headers: { prefer: 'respond-async' } });
    await startWorker();
    // The weight of the plan decides which jobs are before its own.
    expect(currentPlans.api_pro.queueWeight).toBe(currentPlans.enterprise.queueWeight);
    await fillQueue('enterprise', 24);
    await becomes(process(tested), full);
    expect(outcome(await process(caller)())).toBe('202');
    await fillQueue('enterprise', 8);
    await becomes(process(caller), full);
  });

  it('accepts files of batches that were created before', async () => {
    const user = await gateway.signUp();
    await becomes(() => upload(user), '202');
    const batch = await makeBatch(user, ['a.png']);
    await startWorker();
    await fillQueue('free', 40);
    await becomes(() => upload(user), full);
    const put = await putItem(gateway, { user, batch }, { itemId: batch.items[0]?.id, data: image });
    expect(put.status).toBe(200);
  });

  it('accepts everything without live workers, because the wait is unknown', async () => {
    const user = await gateway.signUp();
    await fillQueue('free', 40);
    await becomes(() => upload(user), '202');
  });
});
