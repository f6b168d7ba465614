import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Tx } from '@uprez/db/database';
import { lockAllowances } from '@uprez/db/locks';
import type { Actor } from '@uprez/domain/actor';
import { acceptItem } from '@uprez/domain/batches/accept-item';
import { createBatch } from '@uprez/domain/batches/create-batch';
import { retryBatch } from '@uprez/domain/batches/retry-batch';
import { makeJob, makeNewJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { waitUntil } from '@uprez/testing/wait-until';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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

/** Waits until a connection waits for an advisory lock. */
const waitForWaiter = () =>
  waitUntil(async () => {
    const { rows } = await sql`select from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where locktype = 'advisory' and not granted and datname = current_database()`.execute(ctx.db);
    return rows.length > 0;
  });

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
