import { retention } from '@uprez/contracts/policy/plans/plans';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { afterSeconds } from '@uprez/db/times';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '../src/actor.ts';
import { cancelBatch, expireBatches } from '../src/batches/cancel-batch.ts';
import { createBatch } from '../src/batches/create-batch.ts';
import { deleteOldBatches, mailEndedBatches } from '../src/batches/ended-batches.ts';
import { checkLedger } from '../src/usage/check-ledger.ts';

let ctx: TestContext;
let owner: Actor;
beforeAll(async () => {
  ctx = await openTestContext();
  owner = await makeUser(ctx.db, 'pro');
});
afterAll(() => ctx.close());

const dayS = 86_400;

async function makeBatch(): Promise<string> {
  const item = { clientId: 'a', name: 'a.png', relativePath: 'Holiday/a.png', size: null, meter: 'standard' } as const;
  const asked = {
    actor: owner,
    recipe: recipeDefaults,
    items: [item],
    acceptPartial: false,
    idempotencyKey: crypto.randomUUID(),
  };
  return (await createBatch(ctx, asked)).batch.id;
}
/** Makes a batch so old that its files could be uploaded until `days` ago. */
const age = (id: string, days: number) =>
  ctx.db
    .updateTable('batches')
    .set({ createdAt: afterSeconds(-(days + 1) * dayS), expiresAt: afterSeconds(-days * dayS) })
    .where('id', '=', id)
    .execute();
const listIds = async () =>
  (await ctx.db.selectFrom('batchItems').select('batchId').execute()).map(({ batchId }) => batchId);

it('deletes batches with their items when they ended long ago, and no others', async () => {
  const [old, recent, waiting] = [await makeBatch(), await makeBatch(), await makeBatch()];
  for (const id of [old, recent]) await cancelBatch(ctx, { actor: owner, id });
  await age(old, retention.usageRowDays + 1);
  await age(recent, retention.usageRowDays - 1);
  await age(waiting, retention.usageRowDays + 1);
  await mailEndedBatches(ctx);
  expect(await deleteOldBatches(ctx)).toBe(1);
  expect(await listIds()).toEqual(expect.arrayContaining([recent, waiting]));
  expect(await listIds()).not.toContain(old);
  // Its files never came.
  await expireBatches(ctx);
  await mailEndedBatches(ctx);
  expect(await deleteOldBatches(ctx)).toBe(1);
  expect(await listIds()).toEqual([recent]);
  expect((await checkLedger(ctx)).errors).toEqual([]);
});
