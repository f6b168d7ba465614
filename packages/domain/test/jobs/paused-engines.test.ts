import type { JobEngine } from '@uprez/contracts/policy/images/engines';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { JobSettings } from '@uprez/contracts/schemas/admin/workers';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { listJobsToWake, readQueue } from '@uprez/db/queries/jobs/queued-jobs';
import { deleteWorker, upsertWorker } from '@uprez/db/queries/jobs/workers';
import type { Actor } from '@uprez/domain/actor';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { pauseEngine } from '../../src/admin/jobs/change-job-settings.ts';
import { claimNextJob } from '../../src/jobs/attempts/claim-next-job.ts';

const ctx = fileFixture(openTestContext);
// Claims read all accounts, so each test begins with none.
beforeEach(async () => {
  for (const table of ['jobs', 'users', 'settings', 'instance'] as const) await ctx.db.deleteFrom(table).execute();
});

const set = (settings: Partial<JobSettings>) => upsertSettings(ctx.db, 'jobs', settings);
const claim = async (workerName = 'worker-1') =>
  (await claimNextJob(ctx, { workerId: `${workerName}-7-ab`, workerName, leaseS: 30 }))?.job;

async function makeJobs(actor: Actor, count: number, engine: JobEngine = 'standard'): Promise<void> {
  for (let made = 0; made < count; made += 1) await makeJob(ctx, actor, { engine, seconds: 1 });
}

/** Starts everything, each job for its estimated time. Returns the accounts of the starts in order. */
async function startAll(): Promise<(string | null)[]> {
  const started: (string | null)[] = [];
  for (let job = await claim(); job; job = await claim()) started.push(job.accountId);
  return started;
}

const tiers: readonly Tier[] = ['free', 'pro', 'free', 'api_pro'];

describe('a claim with a paused engine', () => {
  it('passes over its jobs, also those of the same account that are older', async () => {
    const actor = await makeUser(ctx.db);
    await makeJobs(actor, 3, 'photo');
    const { job } = await makeJob(ctx, actor, { engine: 'standard' });
    await set({ pausedEngines: ['photo'] });
    expect((await claim())?.id).toBe(job.id);
    expect(await claim()).toBeUndefined();
    await set({ pausedEngines: [] });
    expect((await claim())?.plan.engine).toBe('photo');
  });

  it('starts the jobs of custom models that a worker has, unless they are paused', async () => {
    const actor = await makeUser(ctx.db);
    const worker = { name: 'worker-1', pool: null, device: 'cpu', slots: 1 };
    await upsertWorker(ctx.db, { id: 'w-1', ...worker, engines: ['custom:a', 'custom:b', 'standard'] });
    await makeJobs(actor, 1, 'custom:a');
    await makeJobs(actor, 1, 'custom:b');
    await set({ pausedEngines: ['custom:a', 'photo'] });
    expect((await claim())?.plan.engine).toBe('custom:b');
    expect(await claim()).toBeUndefined();
    await set({ pausedEngines: ['photo'] });
    expect((await claim())?.plan.engine).toBe('custom:a');
    await deleteWorker(ctx.db, 'w-1');
  });

  it('starts the other jobs in the order that they would have without the paused ones', async () => {
    const orders: number[][] = [];
    for (const hasPaused of [false, true]) {
      for (const table of ['jobs', 'users', 'instance'] as const) await ctx.db.deleteFrom(table).execute();
      await set({ pausedEngines: ['art', 'photo'] });
      const actors = await Promise.all(tiers.map((tier) => makeUser(ctx.db, tier)));
      for (const actor of actors) {
        if (hasPaused) await makeJobs(actor, 3, 'art');
        await makeJobs(actor, 6);
        if (hasPaused) await makeJobs(actor, 2, 'photo');
      }
      const order = await startAll();
      orders.push(order.map((id) => actors.findIndex(({ accountId }) => accountId === id)));
    }
    expect(orders[0]).toHaveLength(24);
    expect(orders[1]).toEqual(orders[0]);
  });

  it('keeps its jobs out of queue positions and wake-ups', async () => {
    const actor = await makeUser(ctx.db);
    await makeJobs(actor, 2, 'photo');
    const { job } = await makeJob(ctx, actor);
    await ctx.db.updateTable('jobs').set({ enqueuedAt: sql<Date>`now() - interval '1 hour'` }).execute();
    await set({ pausedEngines: ['photo'] });
    expect((await readQueue(ctx.db, 10)).jobs.map(({ id }) => id)).toEqual([job.id]);
    expect((await listJobsToWake(ctx.db, { freshS: 5, staleS: 60 })).map(({ id }) => id)).toEqual([job.id]);
  });
});

describe('resuming an engine', () => {
  it('gives an account that could only wait no more turns than the others', async () => {
    const [waiting, busy] = [await makeUser(ctx.db), await makeUser(ctx.db)];
    const owner = await makeUser(ctx.db);
    await ctx.db.updateTable('users').set({ role: 'owner' }).where('id', '=', owner.accountId).execute();
    const admin = { accountId: owner.accountId, address: undefined, permission: 'jobs.operate' } as const;
    await pauseEngine(ctx, { admin, engine: 'photo', paused: true });
    await makeJobs(waiting, 10, 'photo');
    await makeJobs(busy, 20);
    for (let start = 0; start < 10; start += 1) expect((await claim())?.accountId).toBe(busy.accountId);
    await pauseEngine(ctx, { admin, engine: 'photo', paused: false });
    const order = [await claim(), await claim(), await claim(), await claim()].map((job) => job?.accountId);
    expect(order.filter((id) => id === waiting.accountId)).toHaveLength(2);
  });

  it.each([
    ['owner', 'operations_changed'],
    ['support', 'permission_missing'],
  ] as const)('changes no turns when it is rejected for an %s with %s', async (role, code) => {
    const [by, waiting] = [await makeUser(ctx.db), await makeUser(ctx.db)];
    await ctx.db.updateTable('users').set({ role }).where('id', '=', by.accountId).execute();
    await set({ pausedEngines: ['photo'] });
    await makeJobs(waiting, 1, 'photo');
    const turn = ctx.db.updateTable('users').set({ virtualTime: -1 }).where('id', '=', waiting.accountId);
    await turn.execute();
    const admin = { accountId: by.accountId, address: undefined, permission: 'jobs.operate' } as const;
    const engine = role === 'owner' ? 'art' : 'photo';
    await expect(pauseEngine(ctx, { admin, engine, paused: false })).rejects.toMatchObject({ code });
    const row = ctx.db.selectFrom('users').select('virtualTime').where('id', '=', waiting.accountId);
    expect(await row.executeTakeFirst()).toEqual({ virtualTime: -1 });
  });

  it('returns 409 to the second of two administrators', async () => {
    const owner = await makeUser(ctx.db);
    await ctx.db.updateTable('users').set({ role: 'owner' }).where('id', '=', owner.accountId).execute();
    const admin = { accountId: owner.accountId, address: undefined, permission: 'jobs.operate' } as const;
    const twice = await Promise.allSettled([1, 2].map(() => pauseEngine(ctx, { admin, engine: 'art', paused: true })));
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(pauseEngine(ctx, { admin, engine: 'art', paused: true })).rejects.toMatchObject({
      code: 'operations_changed',
      status: 409,
    });
    await expect(pauseEngine(ctx, { admin, engine: 'none', paused: true })).rejects.toMatchObject({
      code: 'not_found',
    });
    const audits = ctx.db.selectFrom('audits').selectAll().where('subject', '=', 'engine:art');
    expect(await audits.execute()).toHaveLength(1);
  });
});

describe('a drained worker', () => {
  it('starts nothing until it resumes, while other workers do', async () => {
    await makeJobs(await makeUser(ctx.db), 3);
    await set({ drainedWorkers: ['worker-1'] });
    expect(await claim('worker-1')).toBeUndefined();
    expect(await claim('worker-2')).toBeDefined();
    await set({ drainsAll: true });
    expect(await claim('worker-2')).toBeUndefined();
    await set({ drainedWorkers: [] });
    expect(await claim('worker-1')).toBeDefined();
  });
});
