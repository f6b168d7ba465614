import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import { cancelSuspendedWork } from '@uprez/domain/admin/change-user';
import { cancelJob, deleteJob } from '@uprez/domain/jobs/delete-job';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { readQuota } from '@uprez/domain/usage/read-quota';
import { deliverJob, writeResult } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { backdateAttempt } from '@uprez/testing/use-seconds';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { claimNextJob } from '../../src/jobs/attempts/claim-next-job.ts';
import { beginResult, completeJob } from '../../src/jobs/attempts/complete-job.ts';
import { failJob, returnJob } from '../../src/jobs/attempts/fail-job.ts';

const ctx = fileFixture(openTestContext);
afterEach(async () => {
  expect((await checkLedger(ctx)).errors).toEqual([]);
  await ctx.db.deleteFrom('users').execute();
});

const claim = () => claimNextJob(ctx, { workerId: 'test', leaseS: 30 });

/** Starts a job that has been processing for `used` seconds. */
async function startJob({ used, seconds = 1 }: { used: number; seconds?: number }) {
  const actor = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, actor, { seconds });
  const claimed = await claim();
  if (claimed?.job.id !== job.id) throw new Error('another job was waiting');
  await backdateAttempt(ctx.db, job.id, used);
  return { actor, id: job.id };
}

async function entriesOf(jobId: string) {
  const rows = await ctx.db.selectFrom('ledger').selectAll().where('jobId', '=', jobId).orderBy('id').execute();
  return rows.map(({ kind, units, reason }) => ({ kind, units, reason }));
}

async function cancel({ actor, id }: Awaited<ReturnType<typeof startJob>>): Promise<JobRow> {
  const deletion = await deleteJob(ctx, { actor, id });
  expect(deletion.kind).toBe('cancelled');
  return deletion.job;
}

describe('canceling a processing job', () => {
  it('is free at first, also for long jobs', async () => {
    const started = [await startJob({ used: 0 }), await startJob({ used: 50, seconds: 1_000 })];
    for (const job of started) {
      expect(await cancel(job)).toMatchObject({ cancelUnits: 0, errorCode: 'cancelled', errorDetail: null });
      expect((await entriesOf(job.id)).map(({ kind }) => kind)).toEqual(['reserve', 'release']);
    }
  });

  it('settles the unit later, and states why', async () => {
    const started = await startJob({ used: 120 });
    expect(await cancel(started)).toMatchObject({
      cancelUnits: 1,
      errorCode: 'cancelled',
      errorDetail: expect.stringMatching(
        /^The job was canceled after 12\d seconds of processing\. You were charged 1 credit\.$/,
      ),
    });
    expect((await entriesOf(started.id))[1]).toEqual({
      ...{ kind: 'settle', units: 0 },
      reason: expect.stringMatching(/^Canceled after 12\d seconds of processing$/),
    });
    const { meters } = await readQuota(ctx, { actor: started.actor });
    expect(meters.find(({ meter }) => meter === 'standard')?.used).toBe(1);
  });

  it.each([
    ['failed', (jobId: string) => failJob(ctx, { jobId, attempt: 1, code: 'processing_crashed', retryBaseS: 0 })],
    ['was returned', (jobId: string) => returnJob(ctx, { jobId, attempt: 1, delayS: 0 })],
  ])('counts the seconds of the current attempt after one that %s', async (_, end) => {
    for (const { used, units } of [
      { used: 4, units: 0 },
      { used: 20, units: 1 },
    ]) {
      const started = await startJob({ used: 600 });
      await end(started.id);
      expect(await claim()).toMatchObject({ job: { id: started.id, attempt: 2 } });
      await backdateAttempt(ctx.db, started.id, used);
      const job = await cancel(started);
      expect(job).toMatchObject({ cancelUnits: units, errorCode: 'cancelled' });
      expect(job.errorDetail).toEqual(units ? expect.stringMatching(/after 2\d seconds/) : null);
      // The queue counts the seconds of all attempts.
      expect(job.usedSeconds).toBeGreaterThan(600 + used - 1);
    }
  });

  it('charges a job once when it is canceled and deleted', async () => {
    const started = await startJob({ used: 60 });
    await cancel(started);
    for (let times = 0; times < 2; times += 1)
      expect((await deleteJob(ctx, started)).job).toMatchObject({ status: 'expired', cancelUnits: 1 });
    expect((await entriesOf(started.id)).map(({ kind }) => kind)).toEqual(['reserve', 'settle']);
  });
});

it('suspending an account releases the units of its jobs, also late', async () => {
  const { actor, id } = await startJob({ used: 120 });
  await ctx.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', actor.accountId).execute();
  expect(await cancelSuspendedWork(ctx)).toBe(1);
  expect((await entriesOf(id))[1]).toEqual({
    kind: 'release',
    units: 1,
    reason: 'Refunded: this account is suspended',
  });
});

describe('canceling a queued job', () => {
  it('is free, also after an attempt that failed', async () => {
    const started = await startJob({ used: 60 });
    await failJob(ctx, { jobId: started.id, attempt: 1, code: 'processing_crashed', retryBaseS: 0 });
    expect((await cancel(started)).cancelUnits).toBe(0);
  });
});

it('charges exactly one unit when a late cancellation and a result race, 30 times', async () => {
  const ready = [];
  for (let index = 0; index < 30; index += 1) {
    const { id } = await startJob({ used: 60 });
    const slots = await beginResult(ctx, { jobId: id, attempt: 1 });
    if (!slots) throw new Error('nobody else has the job');
    ready.push({ id, delivery: await writeResult(ctx, { jobId: id, attempt: 1 }, slots) });
  }
  /** A result needs more queries than a cancellation before it has the row, so it gets a lead. */
  const waitQueries = async (count: number) => {
    for (let left = count; left > 0; left -= 1) await sql`select 1`.execute(ctx.db);
  };
  const statuses = await Promise.all(
    ready.map(async ({ id, delivery }, index) => {
      const job = await ctx.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const cancelLate = () => ctx.db.transaction().execute((tx) => cancelJob(tx, { ...job, updatedUs: 0 }));
      const both = await Promise.all<Pick<JobRow, 'status'> | undefined>(
        index % 2
          ? [cancelLate(), completeJob(ctx, delivery)]
          : [completeJob(ctx, delivery), waitQueries(index % 8).then(cancelLate)],
      );
      const winners = both.filter((row) => row !== undefined);
      expect(winners).toHaveLength(1);
      expect((await entriesOf(id)).map(({ kind, units }) => [kind, units])).toEqual([
        ['reserve', -1],
        ['settle', 0],
      ]);
      return winners[0]?.status;
    }),
  );
  // Both outcomes must occur, or there was no race.
  expect(new Set(statuses)).toEqual(new Set(['cancelled', 'completed']));
});

it('finds a canceled job whose ledger contradicts its charge', async () => {
  const started = await startJob({ used: 60 });
  await cancel(started);
  await ctx.db.updateTable('jobs').set({ cancelUnits: 0 }).where('id', '=', started.id).execute();
  expect((await checkLedger(ctx)).errors).toEqual([expect.stringContaining(`job ${started.id}`)]);
  await ctx.db.updateTable('jobs').set({ cancelUnits: 1 }).where('id', '=', started.id).execute();
});

it('never charges a delivered job again', async () => {
  const started = await startJob({ used: 60 });
  await deliverJob(ctx, { id: started.id, attempt: 1 });
  const deletion = await deleteJob(ctx, started);
  expect(deletion).toMatchObject({ kind: 'deleted', job: { cancelUnits: 0 } });
  expect((await entriesOf(started.id)).map(({ kind }) => kind)).toEqual(['reserve', 'settle']);
});
