import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Db, Tx } from '@uprez/db/database';
import { deleteAnyKey } from '@uprez/db/queries/api-keys/delete-api-keys';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { shareTestContext } from '@uprez/testing/share-test-context';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../src/actor.ts';
import { makeKeyCounter } from '../src/api-keys/callers.ts';
import { createApiKey } from '../src/api-keys/create-api-key.ts';
import { cancelBatch } from '../src/batches/cancel-batch.ts';
import { createBatch } from '../src/batches/create-batch.ts';
import { deleteJob } from '../src/jobs/delete-job.ts';
import { releaseUnit } from '../src/usage/release-units.ts';
import { takeKeyUnits } from '../src/usage/reserve-units.ts';

const ctx = shareTestContext();
let owner: Actor;
beforeAll(async () => {
  owner = await makeUser(ctx.db, 'api_basic');
  await ctx.db.updateTable('users').set({ emailVerified: true }).where('id', '=', owner.accountId).execute();
});

const facts = () => ({ accountId: owner.accountId, name: 'CI', kind: 'live', scopes: ['process'] }) as const;
const makeKey = async (monthlyCap?: number) => (await createApiKey(ctx, { ...facts(), monthlyCap })).key.id;
const inTx = <T>(change: (tx: Tx) => Promise<T>) => ctx.db.transaction().execute(change);
const take = (keyId: string, units = 1) =>
  inTx((tx) => takeKeyUnits(tx, { accountId: owner.accountId, keyId, units })).then(
    () => 'taken',
    (error: { code: string }) => error.code,
  );
const days = (db: Db, keyId: string) =>
  db.selectFrom('apiKeyDays').selectAll().where('keyId', '=', keyId).orderBy('day').execute();
const units = async (keyId: string) => (await days(ctx.db, keyId)).reduce((sum, day) => sum + day.units, 0);

describe('the monthly cap of a key', () => {
  it('is never exceeded by concurrent requests', async () => {
    const keyId = await makeKey(10);
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => take(keyId)));
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(10);
    expect(new Set(outcomes)).toEqual(new Set(['taken', 'key_cap_exceeded']));
    expect(await units(keyId)).toBe(10);
  });

  it('returns the remaining units and the reset time, and takes all units or none', async () => {
    const keyId = await makeKey(5);
    await take(keyId, 3);
    const asked = inTx((tx) => takeKeyUnits(tx, { accountId: owner.accountId, keyId, units: 3 }));
    const today = new Date();
    const resetsAt = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1)).toISOString();
    await expect(asked).rejects.toMatchObject({
      code: 'key_cap_exceeded',
      status: 402,
      meta: { cap: 5, needs: 3, have: 2, resetsAt },
    });
    expect(await take(keyId, 2)).toBe('taken');
  });

  it('resets each month, and is not checked for keys without one', async () => {
    const keyId = await makeKey(1);
    expect([await take(keyId), await take(keyId)]).toEqual(['taken', 'key_cap_exceeded']);
    const lastMonth = sql<string>`date_trunc('month', now() at time zone 'utc')::date - 1`;
    await ctx.db.updateTable('apiKeyDays').set({ day: lastMonth }).where('keyId', '=', keyId).execute();
    expect(await take(keyId)).toBe('taken');
    expect(await take(await makeKey(), 1_000)).toBe('taken');
  });

  it('counts the jobs of the key, and is refunded once for a failed job on the day it was taken', async () => {
    const keyId = await makeKey(1);
    const withKey = { ...owner, key: { id: keyId, isSandbox: false } };
    const { job } = await makeJob(ctx, withKey);
    expect(job).toMatchObject({ surface: 'api', apiKeyId: keyId });
    await expect(makeJob(ctx, withKey)).rejects.toMatchObject({ code: 'key_cap_exceeded' });
    for (let times = 0; times < 2; times++) await inTx((tx) => releaseUnit(tx, job.id, 'Refunded'));
    expect(await units(keyId)).toBe(0);
    await makeJob(ctx, withKey);
    const { job: ofNobody } = await makeJob(ctx, owner);
    await inTx((tx) => releaseUnit(tx, ofNobody.id, 'Refunded'));
    expect(await units(keyId)).toBe(1);
  });

  it('is taken and refunded by concurrent jobs without a deadlock', async () => {
    const keyId = await makeKey();
    const withKey = { ...owner, key: { id: keyId, isSandbox: false } };
    const made = await Promise.all(Array.from({ length: 6 }, () => makeJob(ctx, withKey)));
    const again = Array.from({ length: 6 }, () => makeJob(ctx, withKey));
    const back = made.map(({ job }) => deleteJob(ctx, { actor: withKey, id: job.id }));
    await Promise.all([...again, ...back]);
    expect(await units(keyId)).toBe(6);
  });

  it('counts the items of a batch, and not the canceled ones', async () => {
    const keyId = await makeKey(3);
    const withKey = { ...owner, key: { id: keyId, isSandbox: false } };
    const item = { name: 'a.png', relativePath: '', size: null, meter: 'standard' } as const;
    const items = ['a', 'b', 'c', 'd'].map((clientId) => ({ ...item, clientId }));
    const wanted = { actor: withKey, recipe: { ...recipeDefaults, scaleFactor: 2 }, items };
    await expect(createBatch(ctx, { ...wanted, acceptPartial: false })).rejects.toMatchObject({
      code: 'key_cap_exceeded',
    });
    const { batch, charged } = await createBatch(ctx, { ...wanted, acceptPartial: true });
    expect([charged, await units(keyId)]).toEqual([3, 3]);
    await cancelBatch(ctx, { actor: withKey, id: batch.id });
    expect(await units(keyId)).toBe(0);
  });

  it('returns bad_api_key for a key of another account', async () => {
    const stranger = await makeUser(ctx.db, 'api_basic');
    const keyId = await makeKey();
    const asked = inTx((tx) => takeKeyUnits(tx, { accountId: stranger.accountId, keyId, units: 1 }));
    await expect(asked).rejects.toMatchObject({ code: 'bad_api_key' });
  });
});

describe('calls with a key', () => {
  it('are kept when writing fails, and written with the next call', async () => {
    const keyId = await makeKey();
    const counter = makeKeyCounter(ctx);
    const call = { keyId, isError: true, address: '192.0.2.1' };
    await sql`alter table api_key_days rename to api_key_days_away`.execute(ctx.db);
    await Promise.all([counter.count(call), counter.count(call)]);
    await sql`alter table api_key_days_away rename to api_key_days`.execute(ctx.db);
    expect(await days(ctx.db, keyId)).toEqual([]);
    await counter.count({ ...call, isError: false });
    expect(await days(ctx.db, keyId)).toMatchObject([{ calls: 3, errors: 2 }]);
    await counter.flush();
    expect(await days(ctx.db, keyId)).toMatchObject([{ calls: 3, errors: 2 }]);
  });

  it('are dropped when the key was deleted', async () => {
    const keyId = await makeKey();
    await deleteAnyKey(ctx.db, keyId);
    await makeKeyCounter(ctx).count({ keyId, isError: false, address: '192.0.2.1' });
    expect(await days(ctx.db, keyId)).toEqual([]);
  });
});
