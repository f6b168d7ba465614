import { AppError } from '@uprez/contracts/errors/app-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { claimResultDelivery, deleteOrphanedTargets } from '@uprez/db/queries/jobs/result-deliveries';
import { acceptItem } from '@uprez/domain/batches/accept-item';
import { cancelBatch, expireBatches, failItem } from '@uprez/domain/batches/cancel-batch';
import { createBatch } from '@uprez/domain/batches/create-batch';
import { getBatch, getBatchItem } from '@uprez/domain/batches/get-batch';
import { retryBatch } from '@uprez/domain/batches/retry-batch';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { deliverJob } from '@uprez/testing/deliver-job';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeNewJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

const ctx = fileFixture(openTestContext);
const owner = testFixture(() => makeUser(ctx.db, 'api_pro'));
const targetUrl = 'https://bucket.images.example/a.png?X-Amz-Signature=very-secret';
const operator = { autoEngine: 'standard', maxJobSeconds: 600, enginesAvailable: ['standard'], speed: {} } as never;
const past = sql<Date>`now() - interval '1 hour'`;

/** Creates a batch whose items have a target; `taken`: so many have a job. `refused`: the last item is. */
async function makeBatch({ count = 1, taken = 0, refused = false }) {
  const items = Array.from({ length: count }, (_, index) => ({
    ...{ clientId: `c${index}`, name: `${index}.png`, relativePath: '', size: null, meter: 'standard' as const },
    ...(refused && index === count - 1 && { error: { code: 'url_not_allowed' as const, detail: 'no' } }),
    targetUrl,
  }));
  const recipe = { ...recipeDefaults, scaleFactor: 2, engine: 'standard' as const };
  const { batch } = await createBatch(ctx, { actor: owner, recipe, items, acceptPartial: true });
  const read = async () => (await getBatch(ctx, { actor: owner, id: batch.id })).items;
  for (const { item } of (await read()).slice(0, taken))
    await acceptItem(ctx, { ...(await makeNewJob(ctx, owner)), itemId: item.id });
  const hasTargets = async () => (await read()).map(({ delivery }) => delivery?.hasTarget);
  return { id: batch.id, read, hasTargets };
}

const claim = async () => {
  const claimed = await claimNextJob(ctx, { workerId: 'test', leaseS: 300 });
  if (!claimed) throw new Error('no job');
  return claimed.job;
};
const failNext = async () => {
  const { id: jobId, attempt } = await claim();
  await failJob(ctx, { jobId, attempt, code: 'corrupt_image', retryBaseS: 1 });
};
const deleteLeft = () => deleteOrphanedTargets(ctx.db, 1_800);
const claimDelivery = () => claimResultDelivery(ctx.db, { leaseS: 60, perAccount: 2, withFree: true });

it('deletes the targets of a canceled batch, with its jobs', async () => {
  const batch = await makeBatch({ count: 2, taken: 1 });
  expect(await batch.hasTargets()).toEqual([true, true]);
  await cancelBatch(ctx, { actor: owner, id: batch.id });
  expect(await batch.hasTargets()).toEqual([false, false]);
});

it('stores no target of a refused item, and deletes those of items that fail or whose files never arrive', async () => {
  const batch = await makeBatch({ count: 3, refused: true });
  expect(await batch.hasTargets()).toEqual([true, true, false]);
  const [first] = await batch.read();
  const item = await getBatchItem(ctx, { actor: owner, id: batch.id, itemId: first?.item.id ?? '' });
  await failItem(ctx, item, new AppError('url_unreachable', { detail: errorCodes.url_unreachable.title }));
  expect(await batch.hasTargets()).toEqual([false, true, false]);
  await ctx.db.updateTable('batches').set({ expiresAt: past }).where('id', '=', batch.id).execute();
  await expireBatches(ctx);
  expect(await batch.hasTargets()).toEqual([false, false, false]);
});

it('keeps the target of a failed job while it can be retried, and deletes leftovers', async () => {
  const batch = await makeBatch({ count: 2, taken: 2 });
  await failNext();
  await failNext();
  await deleteLeft();
  expect(await batch.hasTargets()).toEqual([true, true]);
  const [first, second] = await batch.read();
  const jobIdOf = (entry: typeof first) => entry?.item.jobId ?? '';
  await retryBatch(ctx, { actor: owner, id: batch.id, jobId: jobIdOf(first), operator });
  await deliverJob(ctx, await claim());
  await ctx.db.updateTable('jobs').set({ finishedAt: past }).where('id', '=', jobIdOf(second)).execute();
  await deleteLeft();
  expect(await batch.hasTargets()).toEqual([true, false]);
  expect((await batch.read())[0]?.delivery?.nextAt).not.toBeNull();
  const claimed = await claimDelivery();
  expect(claimed?.itemId).toBe(first?.item.id);

  // The result of a late retry has no delivery, and its deletion waits for none.
  await retryBatch(ctx, { actor: owner, id: batch.id, jobId: jobIdOf(second), operator });
  await deliverJob(ctx, await claim());
  const late = (await batch.read())[1];
  expect(late).toMatchObject({ found: { job: { status: 'completed' } }, delivery: { nextAt: null, hasTarget: false } });
  await ctx.db.updateTable('jobs').set({ expiresAt: past }).where('id', '=', jobIdOf(late)).execute();
  await expireJobs(ctx);
  expect((await batch.read())[1]?.found?.job.status).toBe('expired');
  const due = { nextAt: sql<Date>`now()` };
  await ctx.db
    .updateTable('resultDeliveries')
    .set(due)
    .where('itemId', '=', late?.item.id ?? '')
    .execute();
  expect(await claimDelivery()).toBeUndefined();
});

it('deletes targets that earlier versions left', async () => {
  const batch = await makeBatch({ count: 2, taken: 1 });
  await cancelBatch(ctx, { actor: owner, id: batch.id });
  const ids = (await batch.read()).map(({ item }) => item.id);
  await ctx.db.updateTable('resultDeliveries').set({ target: 'sealed' }).where('itemId', 'in', ids).execute();
  expect(await batch.hasTargets()).toEqual([true, true]);
  const other = await makeBatch({ count: 2, taken: 1 });
  await deleteLeft();
  expect([await batch.hasTargets(), await other.hasTargets()]).toEqual([
    [false, false],
    [true, true],
  ]);
});
