import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Tx } from '@uprez/db/database';
import { lockAllowances } from '@uprez/db/locks';
import { lockUsers } from '@uprez/db/queries/accounts/admin-users';
import { insertApiKey } from '@uprez/db/queries/api-keys/api-keys';
import { deleteApiKey } from '@uprez/db/queries/api-keys/delete-api-keys';
import { shareLockBatchOfItem } from '@uprez/db/queries/jobs/batches';
import { changeJob } from '@uprez/db/queries/jobs/jobs';
import type { Actor } from '@uprez/domain/actor';
import { acceptItem } from '@uprez/domain/batches/accept-item';
import { createBatch } from '@uprez/domain/batches/create-batch';
import { retryBatch } from '@uprez/domain/batches/retry-batch';
import { countLockWaiters } from '@uprez/testing/count-lock-waiters';
import { makeJob, makeNewJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { waitUntil } from '@uprez/testing/wait-until';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cancelJobForAdmin } from '../src/admin/jobs/change-job.ts';
import { retryFailedJob } from '../src/admin/jobs/retry-job.ts';
import { claimNextJob } from '../src/jobs/attempts/claim-next-job.ts';
import { failJob } from '../src/jobs/attempts/fail-job.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
});
afterAll(() => ctx.close());
// Claims read all accounts.
afterEach(() => ctx.db.deleteFrom('users').execute());

const claim = async () => (await claimNextJob(ctx, { workerId: 'test', leaseS: 30 }))?.job;

/** Runs `work` in a transaction that stays open until the returned function is called. */
async function hold(work: (tx: Tx) => Promise<unknown>) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let markReady = () => {};
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  const done = ctx.db.transaction().execute(async (tx) => {
    await work(tx);
    markReady();
    await released;
  });
  await ready;
  return async () => {
    release();
    await done;
  };
}

/** Waits until a connection waits for a lock. */
const waitForWaiter = () => waitUntil(async () => (await countLockWaiters(ctx.db)) > 0);

/** Creates an account whose virtual time is behind, which its next job moves forward. */
async function makeLateUser(): Promise<Actor> {
  const [late, other] = [await makeUser(ctx.db), await makeUser(ctx.db)];
  await makeJob(ctx, other);
  await claim();
  return late;
}

describe('claims', () => {
  it('proceed while a job of one account waits for the allowance lock', async () => {
    const [late, other] = [await makeLateUser(), await makeUser(ctx.db)];
    const release = await hold((tx) => lockAllowances(tx, late.accountId));
    const waiting = makeJob(ctx, late);
    await waitForWaiter();
    const { job } = await makeJob(ctx, other);
    expect((await claim())?.id).toBe(job.id);
    await release();
    const { job: last } = await waiting;
    expect((await claim())?.id).toBe(last.id);
  });

  it.each([
    ['job', (job: { id: string }) => sql`select from jobs where id = ${job.id} for update`],
    ['account', (job: { accountId: string | null }) => sql`select from users where id = ${job.accountId} for update`],
  ])('take the job of another account while the %s of the first one is locked', async (_, lockRow) => {
    const [first, second] = [await makeUser(ctx.db), await makeUser(ctx.db)];
    const { job } = await makeJob(ctx, first);
    const { job: later } = await makeJob(ctx, second);
    const release = await hold((tx) => lockRow(job).execute(tx));
    expect((await claim())?.id).toBe(later.id);
    const waiting = claim();
    await release();
    expect((await waiting)?.id).toBe(job.id);
  });
});

it('a deletion of an API key waits for a file that arrives in one of its batches', async () => {
  const { accountId } = await makeUser(ctx.db, 'api_pro');
  const key = { id: crypto.randomUUID(), accountId, name: 'CI', kind: 'live' as const };
  await insertApiKey(ctx.db, { ...key, scopes: [], preview: 'upz_live_…', secretHash: Buffer.from(key.id) });
  const [batchId, itemId] = [crypto.randomUUID(), crypto.randomUUID()];
  await sql`
    insert into batches (id, account_id, recipe, surface, api_key_id, expires_at)
    values (${batchId}, ${accountId}, '{}', 'api', ${key.id}, now() + interval '1 day')`.execute(ctx.db);
  await sql`
    insert into batch_items (id, batch_id, position, client_id, name, relative_path, unit_id)
    values (${itemId}, ${batchId}, 1, '1', 'a.png', '', ${itemId})`.execute(ctx.db);
  let deleted = Promise.resolve(false);
  await ctx.db.transaction().execute(async (tx) => {
    await shareLockBatchOfItem(tx, itemId);
    deleted = deleteApiKey(ctx.db, accountId, key.id);
    await waitForWaiter();
    // As its job does.
    await sql`select from api_keys where id = ${key.id} for key share`.execute(tx);
  });
  expect(await deleted).toBe(true);
});

describe('an administrator', () => {
  const fail = ({ id, attempt }: { id: string; attempt: number }) =>
    failJob(ctx, { jobId: id, attempt, code: 'corrupt_image', retryBaseS: 0 });
  /** Two accounts in the order of their IDs. */
  async function makeUsers() {
    const ids = [(await makeUser(ctx.db)).accountId, (await makeUser(ctx.db)).accountId].sort();
    return ids as [string, string];
  }
  async function makeClaimed(accountId: string) {
    await makeJob(ctx, { accountId, plan: currentPlans.free });
    const job = await claim();
    if (!job) throw new Error('The job was not claimed.');
    return job;
  }
  const makeAdmin = async (accountId: string) => {
    await ctx.db.updateTable('users').set({ role: 'owner' }).where('id', '=', accountId).execute();
    return { accountId, address: undefined } as const;
  };

  it.each([
    ['cancels', 'first'],
    ['cancels', 'second'],
    ['retries', 'first'],
    ['retries', 'second'],
  ])('%s a job while both accounts are locked in the order of their IDs, as the %s of them', async (action, place) => {
    const users = await makeUsers();
    const [adminId, userId] = place === 'first' ? users : users.toReversed();
    const [admin, job] = [await makeAdmin(adminId ?? ''), await makeClaimed(userId ?? '')];
    const { id, attempt } = job;
    // Its account would have nothing to catch up with otherwise.
    await ctx.db.updateTable('users').set({ virtualTime: -1 }).where('id', '=', job.accountId).execute();
    if (action === 'retries') await fail(job);
    const other = await ctx.db.startTransaction().execute();
    await lockUsers(other, users.slice(0, 1));
    const changing =
      action === 'retries'
        ? retryFailedJob(ctx, { admin: { ...admin, permission: 'jobs.retry' }, id })
        : cancelJobForAdmin(ctx, {
            admin: { ...admin, permission: 'jobs.operate' },
            id,
            attempt,
            status: 'processing',
          });
    await waitForWaiter();
    await lockUsers(other, users.slice(1));
    await other.commit().execute();
    await expect(changing).resolves.toBeDefined();
  });

  it('cancels an own job while its worker ends it', async () => {
    const [adminId] = await makeUsers();
    const [admin, { id, attempt }] = [await makeAdmin(adminId), await makeClaimed(adminId)];
    const worker = await ctx.db.startTransaction().execute();
    await changeJob(worker, { id, status: 'processing', attempt }, { progress: 1 });
    const operator = { ...admin, permission: 'jobs.operate' } as const;
    const canceling = cancelJobForAdmin(ctx, { admin: operator, id, attempt, status: 'processing' });
    await waitForWaiter();
    await lockUsers(worker, [adminId]);
    await worker.rollback().execute();
    expect((await canceling).status).toBe('cancelled');
  });
});

describe('retrying a batch', () => {
  /** Counts the statements that retry a batch of failed items. */
  async function countStatements(count: number): Promise<number> {
    const actor = await makeUser(ctx.db, 'pro');
    const items = Array.from({ length: count }, (_, index) => ({
      clientId: `${index}`,
      name: `${index}.png`,
      relativePath: '',
      size: null,
      meter: 'standard' as const,
    }));
    const recipe = { ...recipeDefaults, scaleFactor: 2, engine: 'standard' as const };
    const { batch } = await createBatch(ctx, { actor, recipe, items, acceptPartial: false });
    const rows = await ctx.db.selectFrom('batchItems').select('id').where('batchId', '=', batch.id).execute();
    for (const { id: itemId } of rows) await acceptItem(ctx, { ...(await makeNewJob(ctx, actor)), itemId });
    for (let job = await claim(); job; job = await claim())
      await failJob(ctx, { jobId: job.id, attempt: 1, code: 'corrupt_image', retryBaseS: 0 });
    let statements = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    };
    const operator = { autoEngine: 'standard', maxJobSeconds: 600, enginesAvailable: ['standard'], speed: {} } as never;
    const retried = await retryBatch({ ...ctx, db: ctx.db.withPlugin(counting) }, { actor, id: batch.id, operator });
    expect(retried.charged).toBe(count);
    const jobs = await ctx.db
      .selectFrom('jobs')
      .innerJoin('objects', 'objects.id', 'jobs.sourceId')
      .select(['jobs.status', 'objects.jobId', 'jobs.id'])
      .where('jobs.accountId', '=', actor.accountId)
      .where('jobs.status', '=', 'queued')
      .execute();
    expect(jobs.filter(({ id, jobId }) => id === jobId)).toHaveLength(count);
    return statements;
  }

  it('takes as many statements for 20 items as for 2', async () => {
    expect(await countStatements(20)).toBe(await countStatements(2));
  });
});
