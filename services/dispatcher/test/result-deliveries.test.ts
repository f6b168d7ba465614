import { text } from 'node:stream/consumers';
import { limits } from '@uprez/contracts/policy/limits';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { resultRetryDelaysS } from '@uprez/contracts/schemas/jobs/batch';
import { claimResultDelivery } from '@uprez/db/queries/jobs/result-deliveries';
import type { Actor } from '@uprez/domain/actor';
import { acceptItem } from '@uprez/domain/batches/accept-item';
import { cancelBatch } from '@uprez/domain/batches/cancel-batch';
import { createBatch } from '@uprez/domain/batches/create-batch';
import { getBatch } from '@uprez/domain/batches/get-batch';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { watchLimits } from '@uprez/domain/report-limit';
import { deliverJob } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeNewJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { openResultSender } from '../src/deliveries/open-result-sender.ts';
import { openReceiver } from './support/open-receiver.ts';
import { senderOf } from './support/webhook-world.ts';

let isBroken = true;
const ctx = fileFixture(openTestContext);
const receiver = fileFixture(() =>
  openReceiver({
    forbidden: (response) => response.writeHead(403).end('the signature has expired'),
    moved: (response) => response.writeHead(307, { location: 'https://good.images.example/elsewhere' }).end(),
    flaky: (response) => response.writeHead(isBroken ? 503 : 200).end(),
    down: (response) => response.writeHead(500).end(),
    hanging: () => {},
  }),
);
const warnings: string[] = [];
const senderDeps = () => {
  const log = { ...ctx.log, warn: (facts: object, message: string) => warnings.push(JSON.stringify([facts, message])) };
  return { ...senderOf(ctx, receiver), log };
};
const send = () => {
  const sender = openResultSender(senderDeps(), 10);
  onTestFinished(sender.close);
  return sender;
};

const at = (host: string) => `https://${host}.images.example/put/a.png?X-Amz-Signature=very-secret`;
const items = (urls: string[]) =>
  urls.map((targetUrl, index) => ({
    ...{ clientId: `c${index}`, name: `${index}.png`, relativePath: '', size: null, meter: 'standard' as const },
    targetUrl,
  }));

/** Creates a batch with a target per item. Its files are accepted, and no job is completed. */
async function makeBatch(urls: string[], actor: Actor) {
  const recipe = { ...recipeDefaults, scaleFactor: 2, engine: 'standard' as const };
  const { batch } = await createBatch(ctx, { actor, recipe, items: items(urls), acceptPartial: false });
  const rows = await ctx.db.selectFrom('batchItems').select('id').where('batchId', '=', batch.id).execute();
  for (const { id: itemId } of rows) await acceptItem(ctx, { ...(await makeNewJob(ctx, actor)), itemId });
  const read = async () => (await getBatch(ctx, { actor, id: batch.id })).items;
  const deliveries = async () => (await read()).map(({ delivery }) => delivery);
  return { id: batch.id, actor, read, deliveries };
}

/** Completes the jobs that are queued. */
async function completeJobs() {
  for (;;) {
    const claimed = await claimNextJob(ctx, { workerId: 'test', leaseS: 300 });
    if (!claimed) return;
    await deliverJob(ctx, claimed.job);
  }
}

const ended = (batch: Awaited<ReturnType<typeof makeBatch>>) =>
  waitUntil(
    async () => {
      const deliveries = await batch.deliveries();
      return deliveries.every((delivery) => delivery?.status !== 'pending') && deliveries;
    },
    { what: 'the ends of all deliveries' },
  );
const makeDue = () => ctx.db.updateTable('resultDeliveries').set({ nextAt: sql`now()` }).execute();

it('uploads results when their jobs are completed, retries temporary errors, and reports final ones', async () => {
  const owner = await makeUser(ctx.db, 'api_pro');
  const batch = await makeBatch(['good', 'forbidden', 'moved', 'flaky'].map(at), owner);
  const limitsMet: string[] = [];
  onTestFinished(watchLimits((name) => limitsMet.push(name)));
  send();
  expect((await batch.deliveries()).map((delivery) => [delivery?.status, delivery?.nextAt])).toEqual(
    Array(4).fill(['pending', null]),
  );
  expect(receiver.calls).toEqual([]);
  await completeJobs();
  const [good, forbidden, moved, flaky] = await waitUntil(
    async () => {
      const all = await batch.deliveries();
      return all.every((delivery) => delivery?.answered) && all;
    },
    { what: 'the first attempts' },
  );
  expect(good).toMatchObject({ status: 'delivered', attempts: 1, answered: 204, error: null, nextAt: null });
  expect(forbidden).toMatchObject({ status: 'failed', attempts: 1, answered: 403, error: 'bad_status' });
  expect(moved).toMatchObject({ status: 'failed', attempts: 1, answered: 307, error: 'redirect' });
  expect(flaky).toMatchObject({ status: 'pending', attempts: 1, answered: 503, error: 'bad_status' });
  const [call] = receiver.callsOf('good');
  expect(receiver.calls).toHaveLength(4);
  const [{ found } = {}] = await batch.read();
  const stored = await text((await ctx.storage.get(found?.result?.key ?? '')).stream);
  expect(call).toMatchObject({
    path: '/put/a.png?X-Amz-Signature=very-secret',
    headers: { 'content-type': 'image/png', 'content-length': String(stored.length) },
    body: stored,
  });
  // Results are kept until their delivery ends, even without a retention.
  const flakyJob = (await batch.read())[3]?.item.jobId ?? '';
  const past = sql<Date>`now() - interval '1 hour'`;
  await ctx.db.updateTable('jobs').set({ expiresAt: past }).where('accountId', '=', owner.accountId).execute();
  await expireJobs(ctx);
  expect((await batch.read()).map(({ found }) => found?.job.status)).toEqual([
    ...['expired', 'expired', 'expired'],
    'completed',
  ]);
  isBroken = false;
  await makeDue();
  expect((await ended(batch))[3]).toMatchObject({ status: 'delivered', attempts: 2, answered: 200, error: null });
  expect(receiver.callsOf('flaky')).toHaveLength(2);
  await expireJobs(ctx);
  const { status } = await ctx.db
    .selectFrom('jobs')
    .select('status')
    .where('id', '=', flakyJob)
    .executeTakeFirstOrThrow();
  expect(status).toBe('expired');
  // Ended deliveries keep no URL. Until then it is sealed.
  const rows = await ctx.db.selectFrom('resultDeliveries').select('target').execute();
  expect(rows.map(({ target }) => target)).toEqual([null, null, null, null]);
  expect(JSON.stringify(warnings)).not.toContain('secret');
  expect(limitsMet).not.toContain('delivery_attempts');
});

/** Whether an attempt has ended. */
async function isOver(itemId: string, attempts: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('resultDeliveries')
    .select(['attempts', 'leaseUntil'])
    .where('itemId', '=', itemId)
    .executeTakeFirstOrThrow();
  return row.attempts === attempts && row.leaseUntil === null;
}

it('fails after the last attempt, for private addresses, and for deleted results', async () => {
  const owner = await makeUser(ctx.db, 'api_pro');
  const batch = await makeBatch([at('down'), 'https://inside.images.example/', at('good'), at('good')], owner);
  const { network } = receiver;
  const resolve = async (host: string) => (host.startsWith('inside') ? ['10.0.0.7'] : network.resolve(host));
  const before = receiver.callsOf('good').length;
  const [first, , third, fourth] = await batch.read();
  await completeJobs();
  for (const entry of [third, fourth])
    await ctx.db
      .updateTable('jobs')
      .set({ resultId: null })
      .where('id', '=', entry?.item.jobId ?? '')
      .execute();
  const limitsMet: string[] = [];
  onTestFinished(watchLimits((name) => limitsMet.push(name)));
  const sender = openResultSender({ ...senderDeps(), network: { ...network, resolve } }, 10);
  onTestFinished(sender.close);
  for (let attempts = 1; attempts <= resultRetryDelaysS.length + 1; attempts += 1) {
    await waitUntil(() => isOver(first?.item.id ?? '', attempts), { what: `the end of attempt ${attempts}` });
    await makeDue();
  }
  const ends = await ended(batch);
  expect(ends.map((delivery) => [delivery?.status, delivery?.error])).toEqual([
    ['failed', 'bad_status'],
    ['failed', 'not_allowed'],
    ['failed', 'expired'],
    ['failed', 'expired'],
  ]);
  expect(limitsMet).toContain('delivery_attempts');
  expect(receiver.callsOf('good')).toHaveLength(before);

  const cancelled = await makeBatch([at('good')], owner);
  await cancelBatch(ctx, { actor: owner, id: cancelled.id });
  await completeJobs();
  expect(await cancelled.deliveries()).toMatchObject([{ status: 'pending', nextAt: null, attempts: 0 }]);
});

it('repeats an attempt whose process died, and never exceeds the slots of an account', async () => {
  const owner = await makeUser(ctx.db, 'api_pro');
  const batch = await makeBatch([at('good'), at('good'), at('good')], owner);
  await completeJobs();
  const claim = () => claimResultDelivery(ctx.db, { leaseS: 60, perAccount: 2, withFree: true });
  const [first, second, third] = [await claim(), await claim(), await claim()];
  expect([first?.attempts, second?.attempts, third]).toEqual([1, 1, undefined]);
  expect(new Set([first?.itemId, second?.itemId]).size).toBe(2);
  // Both processes died. Their leases expire.
  const past = { nextAt: sql<Date>`now()`, leaseUntil: sql<Date>`now()` };
  await ctx.db.updateTable('resultDeliveries').set(past).where('leaseUntil', 'is not', null).execute();
  send();
  const deliveries = await ended(batch);
  expect(deliveries.map((delivery) => [delivery?.status, delivery?.attempts]).sort()).toEqual([
    ['delivered', 1],
    ['delivered', 2],
    ['delivered', 2],
  ]);
});

it('claims the result of the account with the fewest uploads, not the one that is due longest', async () => {
  const [busy, other] = [await makeUser(ctx.db, 'api_pro'), await makeUser(ctx.db, 'api_pro')];
  await makeBatch([at('good'), at('good')], busy);
  await completeJobs();
  const claim = () => claimResultDelivery(ctx.db, { leaseS: 60, perAccount: 2, withFree: true });
  const first = await claim();
  const { id } = await makeBatch([at('good')], other);
  await completeJobs();
  const items = await ctx.db.selectFrom('batchItems').select('id').where('batchId', '=', id).execute();
  expect(items.map((item) => item.id)).toEqual([(await claim())?.itemId]);
  expect((await claim())?.itemId).not.toBe(first?.itemId);
});

it('uploads other results during a slow upload, and returns that when the process stops', async () => {
  const owner = await makeUser(ctx.db, 'api_pro');
  const batch = await makeBatch([at('hanging')], owner);
  await completeJobs();
  const sender = send();
  await waitUntil(() => receiver.callsOf('hanging').length === 1, { what: 'the upload' });
  const other = await makeBatch([at('good')], owner);
  await completeJobs();
  expect(await ended(other)).toMatchObject([{ status: 'delivered' }]);
  await sender.close();
  const [delivery] = await batch.deliveries();
  expect(delivery).toMatchObject({ status: 'pending', attempts: 1 });
  expect(await claimResultDelivery(ctx.db, { leaseS: 60, perAccount: 2, withFree: true })).toMatchObject({
    attempts: 2,
  });
});

it('delivers results of paid plans while slow receivers of free plans and the sandbox take their share', async () => {
  const owners = await Promise.all(Array.from({ length: limits.resultSlots }, () => makeUser(ctx.db)));
  const leased = async () =>
    (await ctx.db.selectFrom('resultDeliveries').select('itemId').where('leaseUntil', 'is not', null).execute()).length;
  const [before, leasedBefore] = [receiver.callsOf('hanging').length, await leased()];
  for (const [index, owner] of owners.entries()) {
    const { id } = await makeBatch([at('hanging'), at('hanging')], owner);
    if (index > 0) continue;
    await ctx.db
      .updateTable('resultDeliveries')
      .set({ queueIsSandbox: true })
      .where('itemId', 'in', (eb) => eb.selectFrom('batchItems').select('id').where('batchId', '=', id))
      .execute();
    await ctx.db.updateTable('users').set({ tier: 'api_pro' }).where('id', '=', owner.accountId).execute();
  }
  await completeJobs();
  const isTaken = () => receiver.callsOf('hanging').length - before >= limits.freeResultSlots;
  send();
  await waitUntil(isTaken, { what: 'the uploads to slow receivers' });
  const paid = await makeBatch([at('good')], await makeUser(ctx.db, 'api_basic'));
  await completeJobs();
  expect(await ended(paid)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  expect((await leased()) - leasedBefore).toBe(limits.freeResultSlots);
});
