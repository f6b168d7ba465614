import { openDb } from '@uprez/db/open-db';
import { insertApiKey } from '@uprez/db/queries/api-keys/api-keys';
import { deleteApiKey } from '@uprez/db/queries/api-keys/delete-api-keys';
import { listOwnPacks } from '@uprez/db/queries/billing/bought-packs';
import { countAdminJobs, listAdminJobs } from '@uprez/db/queries/jobs/admin/list-jobs';
import { listBatches } from '@uprez/db/queries/jobs/batches';
import { pickClaimableJob } from '@uprez/db/queries/jobs/claims';
import { listExpiredLeases } from '@uprez/db/queries/jobs/job-leases';
import {
  countJobs,
  countThisMonth,
  findJobs,
  findRetryOf,
  listChangedJobs,
  listJobs,
} from '@uprez/db/queries/jobs/jobs';
import {
  deletePreviewRows,
  listExpiredJobs,
  listJobsToWake,
  readQueue,
  resetEnqueuedTimes,
} from '@uprez/db/queries/jobs/queued-jobs';
import { findRepeatedJob } from '@uprez/db/queries/jobs/repeats';
import { countDeliveredImages, listRecentJobs, rollUpOldJobs, sumSiteUsage } from '@uprez/db/queries/usage/usage';
import { listDueDestinations } from '@uprez/db/queries/webhooks/due-destinations';
import { claimDelivery } from '@uprez/db/queries/webhooks/webhook-deliveries';
import type { Actor } from '@uprez/domain/actor';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimNextJob, renewLease } from '../../src/jobs/attempts/claim-next-job.ts';

let ctx: TestContext;
/** One connection, so that its statistics are complete. */
let single: ReturnType<typeof openDb>;
let actor: Actor;
let jobId: string;
/** The account of many jobs. */
let ownerId: string;
beforeAll(async () => {
  ctx = await openTestContext();
  single = openDb({ url: ctx.databaseUrl, poolSize: 1, onError: () => {} });
  actor = await makeUser(ctx.db);
  jobId = (await makeJob(ctx, actor)).job.id;
  await claimNextJob(ctx, { workerId: 'test', leaseS: 300 });
  await seedJobs(20_000);
});
afterAll(async () => {
  await single.close();
  await ctx.close();
});

/**
 * Finished jobs of 200 accounts, a few queued ones, and some previews. Some have times to come: in the first hours of a month,
 * the index of all finished jobs would do for those of the month.
 */
async function seedJobs(count: number): Promise<void> {
  const owners = await Promise.all(Array.from({ length: 200 }, () => makeUser(ctx.db)));
  const accounts = owners.map(({ accountId }) => accountId);
  ownerId = accounts[0] ?? '';
  await sql`
    insert into jobs (id, account_id, kind, status, recipe, plan, filename, source_bytes, progress, receipt,
      created_at, updated_at, started_at, finished_at, expires_at)
    select gen_random_uuid(), (${accounts}::uuid[])[1 + n % 200], case when n % 500 = 0 then 'preview' else 'image' end,
      case when n % 1000 = 1 then 'queued' when n % 20 = 2 then 'completed' else 'expired' end, recipe, plan,
      'photo.png', 1000, 100, jsonb_build_object('source', jsonb_build_object('sha256', n::text)),
      at, at, at, case when n % 1000 <> 1 then at end, case when n % 1000 <> 1 then at + interval '7 days' end
    from jobs template cross join generate_series(1, ${count}::int) n
      cross join lateral (select now() + interval '2 days' - make_interval(mins => 10 * n) as at) times
    where template.id = ${jobId}`.execute(ctx.db);
  await sql`
    with files as (
      insert into objects (id, account_id, job_id, kind, key, state, size, sha256)
      select gen_random_uuid(), account_id, id, 'result', 'seed/' || id, 'stored', 1000, repeat('0', 64)
      from jobs where status = 'completed' returning id, job_id
    )
    update jobs set result_id = files.id from files where jobs.id = files.job_id`.execute(ctx.db);
  await sql`
    insert into batches (id, account_id, recipe, expires_at)
    select gen_random_uuid(), (${accounts}::uuid[])[1 + n % 200], recipe, now()
    from jobs template cross join generate_series(1, ${count / 4}::int) n where template.id = ${jobId}`.execute(ctx.db);
  await sql`vacuum analyze`.execute(ctx.db);
}

/** Indexes that foreign keys need when objects and API keys are deleted. */
const foreignKeys = new Set(['jobs_source', 'jobs_result', 'jobs_thumbnail', 'jobs_api_key_id_reference']);

type Stats = { scans: number; indexes: Map<string, number> };
async function readStats(table = 'jobs'): Promise<Stats> {
  const { db } = single;
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const tables = await sql<{
    n: number;
  }>`select seq_scan as n from pg_stat_user_tables where relname = ${table}`.execute(db);
  const { rows } = await sql<{ name: string; n: number }>`
    select indexrelname as name, idx_scan as n from pg_stat_user_indexes where relname = ${table}`.execute(db);
  return { scans: Number(tables.rows[0]?.n), indexes: new Map(rows.map(({ name, n }) => [name, Number(n)])) };
}

async function readScans(tables: readonly string[]): Promise<number[]> {
  const scans = [];
  for (const table of tables) scans.push((await readStats(table)).scans);
  return scans;
}

/** Runs a query with the plan of a large table, which is read sequentially only if no index can be used. */
async function withoutScans<T>(query: () => Promise<T>): Promise<T> {
  await sql`set enable_seqscan = off`.execute(single.db);
  await sql`set plan_cache_mode = force_generic_plan`.execute(single.db);
  const result = await query();
  await sql`reset enable_seqscan`.execute(single.db);
  await sql`reset plan_cache_mode`.execute(single.db);
  return result;
}

const hotQueries = (): Record<string, () => Promise<unknown>> => {
  const { db } = single;
  const accountId = ownerId;
  return {
    claim: () => db.transaction().execute((tx) => pickClaimableJob(tx)),
    'claim with paused engines': () => db.transaction().execute((tx) => pickClaimableJob(tx, ['standard', 'photo'])),
    'jobs of all accounts': () => listAdminJobs(db, { sort: '-created', after: undefined, limit: 51, stuckLeaseS: 10 }),
    'dead letters of a day': () => countAdminJobs(db, { view: 'dead_today', stuckLeaseS: 10 }),
    'the retry of a job': () => findRetryOf(db, jobId),
    'queue positions': () => readQueue(db, 100),
    'one job': () => findJobs(db, [jobId]),
    'a page of jobs': () => listJobs(db, { accountId, kind: 'image', limit: 50 }),
    'the number of jobs': () => countJobs(db, { accountId, kind: 'image' }),
    'changed jobs': () => listChangedJobs(db, { accountId, since: { seconds: 0 } }),
    'repeated jobs': () => findRepeatedJob(db, jobId),
    'images of this month': () => countThisMonth(db, accountId),
    'deliveries of the dashboard': () => countDeliveredImages(db, accountId),
    'recent jobs': () => listRecentJobs(db, accountId, 5),
    'site statistics': () => sumSiteUsage(db, 1),
    'jobs to wake': () => listJobsToWake(db, { freshS: 5, staleS: 60 }),
    'jobs to wake after Redis lost its data': () => resetEnqueuedTimes(db),
    'expired leases': () => listExpiredLeases(db),
    'expired jobs': () => listExpiredJobs(db),
    'rolled-up jobs': () => db.transaction().execute((tx) => rollUpOldJobs(tx, 100)),
    'old previews': () => deletePreviewRows(db),
    'due deliveries': () => listDueDestinations(db, { limit: 10, ofOne: 4 }),
    'a delivery': () => claimDelivery(db, 'destination', 10),
  };
};

describe('hot queries', () => {
  it('read no table of jobs sequentially and use every index', async () => {
    const before = await readStats();
    for (const [name, query] of Object.entries(hotQueries())) {
      const { scans } = await readStats();
      await query();
      expect([name, (await readStats()).scans - scans]).toEqual([name, 0]);
    }
    const after = await readStats();
    const unused = [...after.indexes].filter(([name, scans]) => scans === before.indexes.get(name));
    expect(unused.map(([name]) => name).filter((name) => !foreignKeys.has(name))).toEqual([]);
  });
});

describe('a page of batches', () => {
  it('reads the index of the account in the order of IDs', async () => {
    const before = await readStats('batches');
    await listBatches(single.db, { accountId: ownerId, isSandbox: false, limit: 10 });
    const after = await readStats('batches');
    expect(after.scans).toBe(before.scans);
    expect(after.indexes.get('batches_account')).toBe((before.indexes.get('batches_account') ?? 0) + 1);
  });
});

describe('deleting an API key', () => {
  it('reads rows of its account only', async () => {
    const key = { id: crypto.randomUUID(), accountId: ownerId, name: 'CI', kind: 'test' as const };
    const secret = { scopes: [], preview: 'upz_test_…', secretHash: Buffer.from(key.id) };
    await insertApiKey(single.db, { ...key, ...secret });
    const scans = () => readScans(['jobs', 'batches', 'api_keys']);
    const before = await scans();
    expect(await withoutScans(() => deleteApiKey(single.db, ownerId, key.id))).toBe(true);
    expect(await scans()).toEqual(before);
  });
});

describe('the packs of an account', () => {
  it('are found by an index', async () => {
    const before = await readScans(['allowances']);
    expect(await withoutScans(() => listOwnPacks(single.db, ownerId))).toEqual([]);
    expect(await readScans(['allowances'])).toEqual(before);
  });
});

describe('renewing a lease', () => {
  it('makes HOT updates of the lease and no update of the job', async () => {
    const read = async (table: string) => {
      await sql`select pg_stat_force_next_flush()`.execute(single.db);
      const { rows } = await sql<{ updates: number; hot: number }>`
        select n_tup_upd as updates, n_tup_hot_upd as hot from pg_stat_user_tables where relname = ${table}`.execute(
        single.db,
      );
      return { updates: Number(rows[0]?.updates), hot: Number(rows[0]?.hot) };
    };
    const [jobs, leases] = [await read('jobs'), await read('job_leases')];
    for (let progress = 1; progress <= 20; progress += 1)
      await renewLease({ ...ctx, db: single.db }, { jobId, attempt: 1, leaseS: 300, progress });
    expect(await read('jobs')).toEqual(jobs);
    expect(await read('job_leases')).toEqual({ updates: leases.updates + 20, hot: leases.hot + 20 });
  });
});
