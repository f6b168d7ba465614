import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { readWorkerLoad, upsertWorker } from '@uprez/db/queries/jobs/workers';
import { afterSeconds } from '@uprez/db/times';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { type JobOptions, makeJob } from '@uprez/testing/make-job';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../support/accounts/admin-calls.ts';
import { finishJob } from '../../support/finish-job.ts';
import { startTestGateway } from '../../support/start-test-gateway.ts';

// Not shared: it lists the jobs of all accounts.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const viewer = fileFixture(() => signUpAdmin(gateway, 'viewer'));
const user = fileFixture(() => gateway.signUp());

beforeEach(async () => {
  for (const table of ['jobs', 'settings', 'workers'] as const) await gateway.ctx.db.deleteFrom(table).execute();
});

const submit = async (options?: JobOptions) =>
  (await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free }, options)).job.id;
const list = async (query: NonNullable<Parameters<typeof admin.client.adminListJobs>[0]>['query'] = {}) =>
  (await admin.client.adminListJobs({ query })).data;
const idsOf = async (query?: Parameters<typeof list>[0]) => (await list(query)).map(({ id }) => id);
const overview = async () => (await admin.client.adminJobOverview()).data;
const setJob = (id: string, values: object) =>
  gateway.ctx.db.updateTable('jobs').set(values).where('id', '=', id).execute();

/** Makes a job whose processing failed for good. */
async function makeDeadLetter(): Promise<string> {
  const id = await submit();
  const claim = await claimNextJob(gateway.ctx, { workerId: 'gone', leaseS: 30 });
  await setJob(id, { failures: 2, failureCause: 'limit' });
  const attempt = { jobId: id, attempt: claim?.job.attempt ?? 0, retryBaseS: 0 };
  await failJob(gateway.ctx, { ...attempt, code: 'processing_timeout' });
  return id;
}

describe('the list of jobs', () => {
  it('filters by status, engine, plan, error, account, and text, and counts all matches', async () => {
    const [standard, photo] = [await submit(), await submit({ engine: 'photo' })];
    expect(await idsOf()).toEqual([photo, standard]);
    expect(await idsOf({ sort: 'created' })).toEqual([standard, photo]);
    expect(await idsOf({ engine: 'photo' })).toEqual([photo]);
    expect(await idsOf({ status: 'failed' })).toEqual([]);
    expect(await idsOf({ tier: 'free', account: user.user.id })).toEqual([photo, standard]);
    expect(await idsOf({ tier: 'pro' })).toEqual([]);
    expect(await idsOf({ search: standard })).toEqual([standard]);
    expect(await idsOf({ search: user.user.email })).toHaveLength(2);
    expect(await idsOf({ search: 'IMAGE.p' })).toHaveLength(2);
    const page = await admin.client.adminListJobs({ query: { limit: 1 } });
    expect(page.headers.get('x-total-count')).toBe('2');
    const cursor = /cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
    expect(await idsOf({ limit: 1, cursor })).toEqual([standard]);
    await expect(list({ sort: 'created', cursor })).rejects.toMatchObject({ status: 422 });
  });

  it('filters by surface and the days (UTC) on which images ended or were delivered', async () => {
    const ended = async (at: string, values: object = {}) => {
      const id = await submit();
      await setJob(id, { status: 'expired', finishedAt: new Date(at), ...values });
      return id;
    };
    const [first, last] = [
      await ended('2026-11-03T00:00:00Z'),
      await ended('2026-11-04T23:59:59Z', { surface: 'api' }),
    ];
    const failed = await ended('2026-11-04T10:00:00Z', { status: 'failed', errorCode: 'corrupt_image' });
    await ended('2026-11-04T10:00:00Z', { kind: 'sandbox' });
    await ended('2026-11-05T00:00:00Z');
    await submit();
    const days = { from: '2026-11-03', to: '2026-11-04' };
    expect(await idsOf({ ...days, view: 'ended', sort: 'created' })).toEqual([first, last, failed]);
    expect(await idsOf({ ...days, view: 'ended', status: 'failed' })).toEqual([failed]);
    expect(await idsOf({ ...days, view: 'delivered', sort: 'created' })).toEqual([first, last]);
    expect(await idsOf({ ...days, view: 'delivered', surface: 'api' })).toEqual([last]);
    expect(await idsOf({ from: '2026-11-04', view: 'ended', surface: 'web', engine: 'standard' })).toHaveLength(2);
    await expect(list({ from: '2026-11-05', to: '2026-11-04' })).rejects.toMatchObject({ status: 422, param: 'to' });
    const url = `${gateway.url}/api/admin/jobs/export?format=json&view=delivered&surface=api&to=2026-11-04`;
    expect(await (await admin.fetch(url)).json()).toMatchObject([{ job: last }]);
  });

  it('has sandbox jobs in a view of their own only, and counts them nowhere', async () => {
    const dead = await makeDeadLetter();
    const [counted, waiting] = [await submit(), await submit()];
    const test = { kind: 'sandbox' };
    for (const id of [waiting, dead]) await setJob(id, test);
    await setJob(waiting, { createdAt: new Date(Date.now() - 3_600_000), notBefore: new Date(0) });
    expect(await idsOf()).toEqual([counted]);
    for (const view of ['dead', 'dead_today', 'finished_today', 'stuck'] as const)
      expect(await idsOf({ view })).toEqual([]);
    expect((await idsOf({ view: 'sandbox' })).toSorted()).toEqual([waiting, dead].toSorted());
    expect(await idsOf({ search: dead })).toEqual([dead]);
    expect((await admin.client.adminAttention()).data.jobs).toEqual({ stuck: 0, dead: 0 });
    const { counts, oldestWaitS } = await overview();
    expect(counts.map(({ status, count }) => [status, count])).toEqual([['queued', 1]]);
    expect(oldestWaitS).toBeLessThan(600);
    const load = await readWorkerLoad(gateway.ctx.db);
    expect(load[0]?.oldestWaitS).toBeLessThan(600);
  });

  it('masks email addresses for viewers, who do not find jobs by them', async () => {
    await submit();
    const [job] = (await viewer.client.adminListJobs({ query: {} })).data;
    expect(job?.account?.email).toContain('***');
    expect((await viewer.client.adminListJobs({ query: { search: user.user.email } })).data).toEqual([]);
  });

  it('exports the rows of its filter', async () => {
    const id = await submit({ engine: 'art' });
    await submit();
    const url = `${gateway.url}/api/admin/jobs/export?format=json&engine=art&columns=status,engine`;
    const rows = (await (await admin.fetch(url)).json()) as object[];
    expect(rows).toEqual([
      {
        job: id,
        kind: 'image',
        filename: 'image.png',
        status: 'queued',
        error: null,
        stuck: 'no',
        engine: 'art',
        paused: 'no',
      },
    ]);
  });
});

describe('stuck jobs', () => {
  it('are those whose lease ended two sweeps ago, and those that wait 5 minutes beside a free slot without a start', async () => {
    const leased = await submit();
    await claimNextJob(gateway.ctx, { workerId: 'w-1', leaseS: 30 });
    const waiting = await submit({ engine: 'photo' });
    const old = { createdAt: afterSeconds(-301), notBefore: afterSeconds(-301), updatedAt: afterSeconds(-301) };
    await setJob(waiting, old);
    expect(await idsOf({ view: 'stuck' })).toEqual([]);
    await gateway.ctx.db
      .updateTable('jobLeases')
      .set({ leaseUntil: afterSeconds(-11) })
      .execute();
    expect(await idsOf({ view: 'stuck' })).toEqual([leased]);
    const worker = { id: 'w-1', name: 'first', engines: ['standard'], device: 'cpu', slots: 1 };
    await upsertWorker(gateway.ctx.db, worker);
    expect(await idsOf({ view: 'stuck' })).toEqual([leased]);
    await upsertWorker(gateway.ctx.db, { ...worker, slots: 2 });
    expect((await idsOf({ view: 'stuck' })).sort()).toEqual([leased, waiting].sort());
    const started = await submit({ engine: 'photo' });
    await setJob(started, { status: 'failed', startedAt: afterSeconds(-59), finishedAt: afterSeconds(-1) });
    expect(await idsOf({ view: 'stuck' })).toEqual([leased]);
    await setJob(started, { startedAt: afterSeconds(-61) });
    expect((await overview()).stuck).toBe(2);
    expect((await admin.client.adminAttention()).data.jobs).toEqual({ stuck: 2, dead: 0 });
    await upsertSettings(gateway.ctx.db, 'jobs', { drainedWorkers: ['first'] });
    expect(await idsOf({ view: 'stuck' })).toEqual([leased]);
    await upsertSettings(gateway.ctx.db, 'jobs', { pausedEngines: ['photo'] });
    expect(await idsOf({ view: 'stuck' })).toEqual([leased]);
    expect(await list({ engine: 'photo', status: 'queued' })).toMatchObject([{ isPaused: true, isStuck: false }]);
  });
});

describe('the overview', () => {
  it('counts jobs by status, engine, and plan, and each number leads to its rows', async () => {
    await submit({ engine: 'photo' });
    await submit({ engine: 'photo' });
    const done = await submit();
    await setJob(done, { createdAt: afterSeconds(-60) });
    await upsertSettings(gateway.ctx.db, 'jobs', { pausedEngines: ['photo'] });
    await finishJob(gateway.ctx, done);
    const { counts, ...rest } = await overview();
    expect(counts).toEqual([
      { status: 'completed', engine: 'standard', tier: 'free', count: 1 },
      { status: 'queued', engine: 'photo', tier: 'free', count: 2 },
    ]);
    expect(rest).toMatchObject({ oldestWaitS: null, startsPerMinute: 1, stuck: 0, deadToday: 0 });
    for (const { count, tier, ...filter } of counts)
      expect(await list({ ...filter, tier: tier ?? 'visitor' })).toHaveLength(count);
    expect(await idsOf({ view: 'just_started' })).toEqual([done]);
    expect(await idsOf({ tier: 'visitor' })).toEqual([]);
    await setJob(done, { startedAt: afterSeconds(-61) });
    expect(await idsOf({ view: 'just_started' })).toEqual([]);
    await setJob(done, { accountId: null });
    expect(await idsOf({ tier: 'visitor' })).toEqual([done]);
  });

  it('lists workers with their slots and last sign', async () => {
    const worker = { name: 'first', engines: ['standard', 'photo'], device: 'cpu', slots: 2 };
    await upsertWorker(gateway.ctx.db, { id: 'w-1', ...worker });
    await upsertWorker(gateway.ctx.db, { id: 'w-2', ...worker });
    await gateway.ctx.db
      .updateTable('workers')
      .set({ lastSignAt: afterSeconds(-16) })
      .where('id', '=', 'w-2')
      .execute();
    await submit();
    await claimNextJob(gateway.ctx, { workerId: 'w-1', leaseS: 30 });
    await upsertSettings(gateway.ctx.db, 'jobs', { drainsAll: true });
    const { workers, settings } = await overview();
    expect(settings.drainsAll).toBe(true);
    expect(workers).toMatchObject([
      { id: 'w-1', ...worker, busySlots: 1, isLive: true, isDraining: true },
      { id: 'w-2', ...worker, busySlots: 0, isLive: false, isDraining: true },
    ]);
  });
});

describe('a job', () => {
  it('has its error, times, ledger entries, and original, but no image', async () => {
    const id = await makeDeadLetter();
    expect(await idsOf({ view: 'dead' })).toEqual([id]);
    expect(await idsOf({ view: 'dead_today' })).toEqual([id]);
    expect(await idsOf({ error: 'processing_timeout' })).toEqual([id]);
    expect(await idsOf({ error: 'corrupt_image' })).toEqual([]);
    const unknown = list({ error: 'none' as ErrorCode });
    await expect(unknown).rejects.toMatchObject({ status: 422, param: 'error' });
    expect((await overview()).deadToday).toBe(1);
    expect((await admin.client.adminAttention()).data.jobs).toEqual({ stuck: 0, dead: 1 });
    const { data } = await admin.client.adminGetJob({ params: { id } });
    expect(data).toMatchObject({
      ...{ status: 'failed', errorCode: 'processing_timeout', attempt: 1, failures: 3, lease: null, receipt: null },
      storedSource: { expiresAt: expect.any(String) },
      source: { width: 8, height: 8, format: 'png' },
    });
    expect(data.ledger.map(({ kind, units }) => [kind, units])).toEqual([
      ['reserve', -1],
      ['release', 1],
    ]);
    const text = JSON.stringify(data);
    for (const part of ['thumbhash', 'http', 'uploads/', 'results/']) expect(text).not.toContain(part);
    await setJob(id, { finishedAt: afterSeconds(-86_500) });
    expect(await idsOf({ view: 'dead_today' })).toEqual([]);
  });

  it('has its receipt without the small version of the image, and is not found under another ID', async () => {
    const id = await submit();
    await finishJob(gateway.ctx, id);
    const { data } = await admin.client.adminGetJob({ params: { id } });
    expect(data.receipt).toMatchObject({ engine: 'standard', width: 16 });
    expect(data.receipt).not.toHaveProperty('thumbhash');
    for (const other of ['none', user.user.id])
      await expect(admin.client.adminGetJob({ params: { id: other } })).rejects.toMatchObject({
        code: 'job_not_found',
      });
  });
});
