import { randomUUID } from 'node:crypto';
import { dailyLimits, getMaxDailyImages } from '@uprez/contracts/policy/daily-limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { openDb } from '@uprez/db/open-db';
import type { Actor } from '@uprez/domain/actor';
import { createApiKey } from '@uprez/domain/api-keys/create-api-key';
import { cancelBatch } from '@uprez/domain/batches/cancel-batch';
import { createBatch } from '@uprez/domain/batches/create-batch';
import { countDailyImages } from '@uprez/domain/count-daily';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let ctx: TestContext;
/** A pool of another process on the same database. */
let other: ReturnType<typeof openDb>;
beforeAll(async () => {
  ctx = await openTestContext();
  other = openDb({ url: ctx.databaseUrl, poolSize: 10, onError: () => {} });
});
afterAll(async () => {
  await other.close();
  await ctx.close();
});

const most = getMaxDailyImages(currentPlans.free);
/** The day of a count, which stays the latest one if midnight passes during a test. */
const tomorrow = sql<string>`(now() at time zone 'utc')::date + 1`;
const setCount = async ({ accountId }: Actor, count: number, day = tomorrow) => {
  const row = { accountId, name: 'images', day, count } as const;
  await ctx.db
    .insertInto('dailyCounts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['accountId', 'name']).doUpdateSet({ day, count }))
    .execute();
};
const readCount = async ({ accountId }: Actor, name: 'images' | 'sandbox_images' = 'images') => {
  const counts = ctx.db.selectFrom('dailyCounts').select('count').where('accountId', '=', accountId);
  return (await counts.where('name', '=', name).executeTakeFirstOrThrow()).count;
};
const count = (actor: Actor, images: number, db = ctx.db) =>
  db.transaction().execute((tx) => countDailyImages(tx, actor, { images, creation: 'one' }));
const full = { code: 'rate_limited', limitName: 'daily_images' };

const items = (number: number) =>
  Array.from({ length: number }, (_, at) => ({
    ...{ clientId: `c${at}`, name: `p${at}.png`, relativePath: '', size: null },
    meter: 'standard' as const,
  }));
const create = async (actor: Actor, number: number, idempotencyKey?: string) => {
  const { recipe } = await ctx.db.selectFrom('jobs').select('recipe').executeTakeFirstOrThrow();
  return createBatch(ctx, { actor, recipe, items: items(number), acceptPartial: false, idempotencyKey });
};
beforeAll(async () => {
  await makeJob(ctx, await makeUser(ctx.db));
});

describe('the images of a day', () => {
  it('are as many as the limit when 50 transactions of two processes count at once', async () => {
    const actor = await makeUser(ctx.db);
    await setCount(actor, most - 60);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) => count(actor, 3, at % 2 ? ctx.db : other.db)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await readCount(actor)).toBe(most);
  });

  it('count in batches that are canceled, repeats of a request do not, and the sandbox has its own count', async () => {
    const owner = await makeUser(ctx.db);
    await ctx.db.updateTable('users').set({ emailVerified: true }).where('id', '=', owner.accountId).execute();
    const facts = { accountId: owner.accountId, name: 'CI', kind: 'test', scopes: ['process'] } as const;
    const { id } = (await createApiKey(ctx, facts)).key;
    // So that midnight may pass.
    await setCount(owner, 0);
    const key = randomUUID();
    const { batch } = await create(owner, 3, key);
    await cancelBatch(ctx, { actor: owner, id: batch.id });
    await create(owner, 3, key);
    expect(await readCount(owner)).toBe(3);
    await makeJob(ctx, owner);
    await setCount(owner, most);
    await create({ ...owner, key: { id, isSandbox: true } }, 2);
    expect([await readCount(owner), await readCount(owner, 'sandbox_images')]).toEqual([most, 2]);
  });

  it('leave no rows of a request above the limit, and name the time until midnight', async () => {
    const actor = await makeUser(ctx.db);
    await setCount(actor, most - 2);
    await expect(create(actor, 3)).rejects.toMatchObject({
      ...full,
      message: expect.stringMatching(
        /^This batch would exceed the daily limit of 2,000 images, of which 2 remain\. Use a smaller batch, or try again /,
      ),
      meta: { limit: most, left: 2 },
    });
    await create(actor, 2);
    const error = await makeJob(ctx, actor).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ ...full, meta: { limit: most, left: 0, retryAfterS: expect.any(Number) } });
    const { retryAfterS } = (error as { meta: { retryAfterS: number } }).meta;
    expect(retryAfterS).toBeGreaterThan(0);
    expect(retryAfterS).toBeLessThanOrEqual(86_400);
    const batches = ctx.db.selectFrom('batches').select('id').where('accountId', '=', actor.accountId);
    expect(await batches.execute()).toHaveLength(1);
  });

  it('start again on the next day, and never go back to an earlier one', async () => {
    const actor = await makeUser(ctx.db);
    await setCount(actor, most, sql`(now() at time zone 'utc')::date - 1`);
    await count(actor, 2);
    expect(await readCount(actor)).toBe(2);
    await setCount(actor, most);
    await expect(count(actor, 1)).rejects.toMatchObject(full);
  });

  it('are more by the images of packs and grants', async () => {
    const actor = await makeUser(ctx.db);
    await setCount(actor, most);
    const pack = { accountId: actor.accountId, meter: 'shared', source: 'pack', units: 10, unitsLeft: 0 } as const;
    await ctx.db
      .insertInto('allowances')
      .values({ ...pack, reason: 'Bought', ref: randomUUID(), cycle: 0, startsAt: sql`now()`, expiresAt: null })
      .execute();
    await count(actor, 10);
    await expect(count(actor, 1)).rejects.toMatchObject({ ...full, meta: { limit: most + 10 } });
  });
});

it('rejects API keys above the number of a day, although the former ones are deleted', async () => {
  const { accountId } = await makeUser(ctx.db, 'api_basic');
  await ctx.db.updateTable('users').set({ emailVerified: true }).where('id', '=', accountId).execute();
  const row = { accountId, name: 'api_keys', count: dailyLimits.apiKeys - 1 } as const;
  await ctx.db
    .insertInto('dailyCounts')
    .values({ ...row, day: tomorrow })
    .execute();
  const make = () => createApiKey(ctx, { accountId, name: 'CI', kind: 'test', scopes: ['read'] });
  await make();
  await expect(make()).rejects.toMatchObject({ code: 'rate_limited', limitName: 'daily_api_keys' });
});
