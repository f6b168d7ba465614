import type { PoolFallback } from '@uprez/contracts/policy/admin/worker-pools';
import { findHomePool } from '@uprez/db/queries/jobs/pools';
import { readQueue } from '@uprez/db/queries/jobs/queued-jobs';
import { readWorkerLoad, upsertWorker } from '@uprez/db/queries/jobs/workers';
import { afterSeconds } from '@uprez/db/times';
import type { Actor } from '@uprez/domain/actor';
import { openConsumer } from '@uprez/queue/open-queue';
import { deliverJob } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { waitUntil } from '@uprez/testing/wait-until';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { assignPool, deletePool, putPool } from '../../src/admin/pools.ts';
import { openAdmission } from '../../src/jobs/admission.ts';
import { claimNextJob } from '../../src/jobs/attempts/claim-next-job.ts';
import { openQueueOrder } from '../../src/jobs/open-queue-order.ts';
import { enqueueMissedJobs, knowsPools } from '../../src/jobs/wake-workers.ts';

const ctx = fileFixture(openTestContext);
let owner: Actor;
// Claims read all accounts, so each test begins with none.
beforeEach(async () => {
  for (const table of ['jobs', 'users', 'settings', 'instance', 'pools', 'workers'] as const)
    await ctx.db.deleteFrom(table).execute();
  owner = await makeUser(ctx.db);
  await ctx.db.updateTable('users').set({ role: 'owner' }).where('id', '=', owner.accountId).execute();
});

const admin = () => ({ accountId: owner.accountId, address: undefined, permission: 'users.manage' }) as const;
const setPool = (fallback: PoolFallback, tiers: ('free' | 'enterprise')[] = [], name = 'gold') =>
  putPool(ctx, { admin: { ...admin(), permission: 'jobs.operate' }, name, fallback, tiers });
const assign = ({ accountId: userId }: Actor, pool: string | null) => assignPool(ctx, { admin: admin(), userId, pool });
const sign = (pool: string | null, id = 'w-1', slots = 1) =>
  upsertWorker(ctx.db, { id, name: id, pool, engines: ['standard'], device: 'cpu', slots });
const claim = async (pool?: string, workerId = 'w-1') => (await claimNextJob(ctx, { workerId, pool, leaseS: 30 }))?.job;
const claimed = async (pool?: string) => (await claim(pool))?.accountId ?? null;

async function makeJobs(actor: Actor, count: number, seconds = 1): Promise<void> {
  for (let made = 0; made < count; made += 1) await makeJob(ctx, actor, { seconds });
}
/** The last sign of the pool was so many seconds ago. */
const silence = (seconds: number) =>
  ctx.db
    .updateTable('pools')
    .set({ lastSignAt: afterSeconds(-seconds) })
    .execute();

const drain = (name: string) =>
  ctx.db
    .insertInto('settings')
    .values({ name: 'jobs', value: JSON.stringify({ drainedWorkers: [name] }) })
    .execute();

async function makeMember(pool = 'gold'): Promise<Actor> {
  const member = await makeUser(ctx.db, 'enterprise');
  await assign(member, pool);
  return member;
}

describe('a claim', () => {
  it('of a reserved worker starts the jobs of its pool only, by account or plan', async () => {
    await setPool('outage', ['enterprise']);
    await setPool('outage', [], 'silver');
    const [other, byPlan, byAccount] = [
      await makeUser(ctx.db),
      await makeUser(ctx.db, 'enterprise'),
      await makeUser(ctx.db),
    ];
    const moved = await makeUser(ctx.db, 'enterprise');
    await assign(byAccount, 'gold');
    await assign(moved, 'silver');
    for (const actor of [other, byPlan, byAccount, moved]) await makeJobs(actor, 1);
    const started = [await claimed('gold'), await claimed('gold'), await claimed('gold')];
    expect(started.slice(0, 2).sort()).toEqual([byPlan.accountId, byAccount.accountId].sort());
    expect(started[2]).toBeNull();
    expect([await claimed('silver'), await claimed('silver')]).toEqual([moved.accountId, null]);
    expect([await claimed(), await claimed()]).toEqual([other.accountId, null]);
  });

  it('starts the jobs of its pool at once although 200 jobs of others wait', async () => {
    await setPool('outage');
    await sign('gold');
    const [flood, member] = [await makeUser(ctx.db, 'enterprise'), await makeMember()];
    await makeJobs(flood, 200);
    await makeJobs(member, 3);
    for (let start = 0; start < 3; start += 1) expect(await claimed('gold')).toBe(member.accountId);
    expect(await claimed('gold')).toBeNull();
  });

  it('follows an assignment at once, with jobs that wait already', async () => {
    await setPool('never');
    const actor = await makeUser(ctx.db);
    await makeJobs(actor, 2);
    await assign(actor, 'gold');
    expect([await claimed(), await claimed('gold')]).toEqual([null, actor.accountId]);
    await assign(actor, null);
    expect([await claimed('gold'), await claimed()]).toEqual([null, actor.accountId]);
  });

  it('finds the jobs of a deleted pool with shared workers', async () => {
    await setPool('never');
    const member = await makeMember();
    await makeJobs(member, 1);
    expect(await claimed()).toBeNull();
    await deletePool(ctx, { admin: { ...admin(), permission: 'jobs.operate' }, name: 'gold' });
    expect(await claimed()).toBe(member.accountId);
  });
});

describe('shared workers', () => {
  it.each([
    ['never', 3_600, false],
    ['outage', 299, false],
    ['outage', 301, true],
  ] as const)(
    'with the fallback %s and %i seconds of silence take jobs of the pool: %s',
    async (fallback, silentS, takes) => {
      await setPool(fallback);
      await sign('gold');
      await silence(silentS);
      const member = await makeMember();
      await makeJobs(member, 1);
      expect(await findHomePool(ctx.db, member.accountId)).toBe(takes ? null : 'gold');
      expect(await claimed()).toBe(takes ? member.accountId : null);
    },
  );

  it('take jobs of a pool that never had a worker, or whose workers are drained, unless it is exclusive', async () => {
    await setPool('outage');
    const member = await makeMember();
    await makeJobs(member, 3);
    expect(await claimed()).toBe(member.accountId);
    await drain('w-1');
    await sign('gold');
    const start = () => claim(undefined, 'w-2');
    expect((await start())?.accountId).toBe(member.accountId);
    await setPool('never');
    expect(await start()).toBeUndefined();
  });

  it('help a pool with the fallback busy while none of its slots is free', async () => {
    await setPool('busy');
    await sign('gold', 'w-gold');
    const member = await makeMember();
    await makeJobs(member, 3);
    expect(await claim(undefined, 'w-shared')).toBeUndefined();
    const job = await claim('gold', 'w-gold');
    expect((await claim(undefined, 'w-shared'))?.accountId).toBe(member.accountId);
    if (job) await deliverJob(ctx, job);
    expect(await claim(undefined, 'w-shared')).toBeUndefined();
  });

  it('keep their order while a pool starts much more', async () => {
    await setPool('outage');
    await sign('gold');
    const [member, early] = [await makeMember(), await makeUser(ctx.db)];
    await makeJobs(early, 6, 10);
    expect(await claimed()).toBe(early.accountId);
    await makeJobs(member, 40, 100);
    for (let start = 0; start < 40; start += 1) expect(await claimed('gold')).toBe(member.accountId);
    const late = await makeUser(ctx.db);
    await makeJobs(late, 3, 10);
    const order = [await claimed(), await claimed(), await claimed(), await claimed()];
    expect(order.filter((id) => id === late.accountId)).toHaveLength(2);
    expect(order.filter((id) => id === early.accountId)).toHaveLength(2);
    // Back among the others, the account is one that arrives.
    await assign(member, null);
    await makeJobs(member, 4, 10);
    const after = [await claimed(), await claimed(), await claimed()];
    expect(after).toContain(member.accountId);
  });
});

it('accounts of one pool share it by their weights', async () => {
  await setPool('outage');
  const [one, two] = [await makeMember(), await makeMember()];
  await makeJobs(one, 20);
  for (let start = 0; start < 10; start += 1) expect(await claimed('gold')).toBe(one.accountId);
  await makeJobs(two, 10);
  const order = await Promise.all([claimed('gold'), claimed('gold'), claimed('gold'), claimed('gold')]);
  expect(order.filter((id) => id === two.accountId)).toHaveLength(2);
});

it('positions, estimated waits, and metrics are those of the pool', async () => {
  await setPool('outage');
  await Promise.all([sign('gold', 'w-gold'), sign(null, 'w-shared')]);
  const [member, other] = [await makeMember(), await makeUser(ctx.db)];
  await makeJobs(other, 20, 100);
  const { job } = await makeJob(ctx, member, { seconds: 7 });
  const queueOrder = openQueueOrder(ctx);
  expect(await queueOrder.find(job.id)).toEqual({ position: 0, waitSeconds: 0 });
  // A new image of the account starts after its own one; the jobs of others wait for other workers.
  expect(await queueOrder.estimateWait(member)).toBe(7);
  expect((await readQueue(ctx.db, 100)).jobs.filter(({ pool }) => pool === 'gold')).toHaveLength(1);
  const admission = openAdmission(ctx, { freeS: 30, paidS: 30 });
  await expect(admission.requireShortWait(await makeUser(ctx.db))).resolves.toBeUndefined();
  await Promise.all(Array.from({ length: 20 }, async () => makeJob(ctx, await makeUser(ctx.db), { seconds: 4 })));
  const full = openAdmission(ctx, { freeS: 30, paidS: 30 });
  await expect(full.requireShortWait(await makeUser(ctx.db))).rejects.toMatchObject({ code: 'queue_full' });
  await expect(full.requireShortWait(member)).resolves.toBeUndefined();
  await claim('gold', 'w-gold');
  await drain('w-shared');
  const [shared, gold] = await readWorkerLoad(ctx.db);
  expect(shared).toMatchObject({
    pool: null,
    workers: 1,
    slots: 0,
    waiting: 40,
    running: 0,
    oldestWaitS: expect.any(Number),
  });
  expect(gold).toEqual({ pool: 'gold', workers: 1, slots: 1, waiting: 0, running: 1, media: 0, oldestWaitS: null });
});

it('wakes the workers of the pool, and shared ones only if they may start its jobs', async () => {
  await setPool('outage');
  await sign('gold');
  const got: Record<string, string[]> = { gold: [], shared: [] };
  const listen = (pool?: string) =>
    openConsumer({
      ...ctx.redis,
      pool,
      concurrency: 1,
      handle: async ({ jobId }) => void got[pool ?? 'shared']?.push(jobId),
    });
  const consumers = [listen('gold'), listen()];
  const [member, other] = [await makeMember(), await makeUser(ctx.db)];
  const ids = [(await makeJob(ctx, member)).job.id, (await makeJob(ctx, other)).job.id];
  const isSent = (pool: string, id = '') =>
    waitUntil(async () => got[pool]?.includes(id) ?? false, { what: 'a message' });
  await Promise.all([isSent('gold', ids[0]), isSent('shared', ids[1])]);
  // Messages arrive in order.
  expect(got.gold).not.toContain(ids[1]);
  expect(got.shared).not.toContain(ids[0]);
  await silence(301);
  const { job } = await makeJob(ctx, member);
  await isSent('shared', job.id);
  expect(got.gold).not.toContain(job.id);
  await Promise.all(consumers.map((consumer) => consumer.close()));
});

/** Creates a job, and counts the queries that read the pools of jobs. */
async function countPoolReads(actor: Actor): Promise<number> {
  const sent = vi.spyOn(ctx.db, 'executeQuery');
  await makeJob(ctx, actor);
  const texts = sent.mock.calls.map(([query]) => ('sql' in query ? query.sql : ''));
  sent.mockRestore();
  return texts.filter((text) => text.includes('account_pools')).length;
}

it('reads no pools of jobs without pools, and wakes the workers of one that another process added', async () => {
  const member = await makeUser(ctx.db);
  await waitUntil(async () => !(await knowsPools(ctx.db)), { what: 'no known pools' });
  expect(await countPoolReads(member)).toBe(0);
  // As another process does it.
  await sign('gold');
  await ctx.db.insertInto('accountPools').values({ accountId: member.accountId, pool: 'gold' }).execute();
  const got: string[] = [];
  const handle = async ({ jobId }: { jobId: string }) => void got.push(jobId);
  const consumer = openConsumer({ ...ctx.redis, pool: 'gold', concurrency: 1, handle });
  const { job: missed } = await makeJob(ctx, member);
  const later = new Set<string>();
  const isWoken = async () => {
    later.add((await makeJob(ctx, member)).job.id);
    // Messages of other tests may be left.
    return got.some((id) => later.has(id));
  };
  await waitUntil(isWoken, { everyMs: 200, what: 'a message for the new pool' });
  expect(got).not.toContain(missed.id);
  expect(await countPoolReads(member)).toBe(1);
  await enqueueMissedJobs(ctx, { freshS: 3_600, staleS: 0 });
  await waitUntil(async () => got.includes(missed.id), { what: 'the message of the first job' });
  await consumer.close();
});

it('records changes of pools and assignments, and rejects unknown ones', async () => {
  const member = await makeUser(ctx.db);
  await expect(assign(member, 'none')).rejects.toMatchObject({ code: 'invalid_parameter', param: 'pool' });
  await expect(setPool('busy', [], 'shared')).rejects.toMatchObject({ code: 'not_found' });
  await setPool('busy', ['free']);
  await setPool('busy', ['free']);
  await setPool('never', ['free'], 'silver');
  expect(await assign(member, 'gold')).toEqual({ pool: 'gold', planPool: 'silver' });
  const audits = await ctx.db
    .selectFrom('audits')
    .select(['action', 'subject', 'before', 'after'])
    .where('actorId', '=', owner.accountId)
    .orderBy('createdAt')
    .execute();
  expect(audits).toEqual([
    {
      action: 'pool.change',
      subject: 'pool:gold',
      before: { fallback: null, plans: [] },
      after: { fallback: 'busy', plans: ['free'] },
    },
    {
      action: 'pool.change',
      subject: 'pool:silver',
      before: { fallback: null, plans: [] },
      after: { fallback: 'never', plans: ['free'] },
    },
    { action: 'user.pool', subject: `user:${member.accountId}`, before: { pool: null }, after: { pool: 'gold' } },
  ]);
});
