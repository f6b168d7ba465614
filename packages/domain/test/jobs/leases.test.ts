import { limits } from '@uprez/contracts/policy/limits';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { deliverJob } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { claimNextJob, renewLease } from '../../src/jobs/attempts/claim-next-job.ts';
import { failExpiredLeases, failJob } from '../../src/jobs/attempts/fail-job.ts';

const ctx = fileFixture(openTestContext);
afterEach(async () => {
  expect((await checkLedger(ctx)).errors).toEqual([]);
  await ctx.db.deleteFrom('users').execute();
});

const row = (id: string) => ctx.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function startJob(): Promise<string> {
  await makeJob(ctx, await makeUser(ctx.db));
  return (await claimNextJob(ctx, { workerId: 'test', leaseS: 30 }))?.job.id ?? '';
}

/** Expires a lease, as when its worker stops. */
const goSilent = (id: string) =>
  ctx.db
    .updateTable('jobLeases')
    .set({ leaseUntil: sql<Date>`now() - interval '1 ms'` })
    .where('jobId', '=', id)
    .execute();

test('a job with an expired lease is retried, and fails after the third time with its unit released', async () => {
  const id = await startJob();
  for (let failures = 1; failures < limits.attempts; failures += 1) {
    await goSilent(id);
    expect(await failExpiredLeases(ctx, 0)).toBe(1);
    expect(await row(id)).toMatchObject({ status: 'queued', failures });
    expect((await claimNextJob(ctx, { workerId: 'test', leaseS: 30 }))?.job.attempt).toBe(failures + 1);
  }
  await goSilent(id);
  await failExpiredLeases(ctx, 0);
  expect(await row(id)).toMatchObject({ status: 'failed', failures: 3, errorCode: 'processing_crashed' });
  const units = await ctx.db.selectFrom('ledger').select('units').where('jobId', '=', id).execute();
  expect(units.reduce((sum, { units: n }) => sum + n, 0)).toBe(0);
});

test.each([
  ['exceeds its memory', [{ code: 'processing_memory' }, { code: 'processing_memory' }]],
  ['is too slow, but may finish', Array(2).fill({ code: 'processing_timeout', mayFinish: true })],
  ['crashes at the same stage', [{ stage: 'decode' }, { stage: 'decode' }]],
] as const)('a job that %s is retried once', async (_, failures) => {
  const id = await startJob();
  for (const [index, failure] of failures.entries()) {
    const attempt = { jobId: id, attempt: index + 1, code: 'processing_crashed', retryBaseS: 0 } as const;
    const job = await failJob(ctx, { ...attempt, ...failure });
    expect(job?.status).toBe(index === 0 ? 'queued' : 'failed');
    await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  }
});

test('a job that meets its time limit, and would meet it again, is not retried', async () => {
  for (const mayFinish of [false, undefined]) {
    const id = await startJob();
    const failure = { jobId: id, attempt: 1, code: 'processing_timeout', retryBaseS: 0, mayFinish } as const;
    expect(await failJob(ctx, failure)).toMatchObject({
      status: 'failed',
      failures: 1,
      errorCode: 'processing_timeout',
    });
  }
});

test('a job that crashes at different stages, or with its worker, is retried twice', async () => {
  for (const stages of [
    ['decode', 'encode', 'decode'],
    ['decode', undefined, 'decode'],
    [undefined, undefined, undefined],
  ]) {
    const id = await startJob();
    for (const [index, stage] of stages.entries()) {
      const attempt = { jobId: id, attempt: index + 1, code: 'processing_crashed', retryBaseS: 0, stage } as const;
      expect((await failJob(ctx, attempt))?.status).toBe(index < 2 ? 'queued' : 'failed');
      await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
    }
  }
});

test('a valid lease is not changed', async () => {
  const id = await startJob();
  expect(await failExpiredLeases(ctx, 0)).toBe(0);
  expect((await deliverJob(ctx, await row(id)))?.status).toBe('completed');
});

test('a worker that renews its lease before the sweep keeps its job', async () => {
  // After an outage of PostgreSQL all leases have expired, and workers and sweeps resume concurrently.
  const id = await startJob();
  await goSilent(id);
  expect(await renewLease(ctx, { jobId: id, attempt: 1, leaseS: 30 })).toBe(true);
  const swept = { jobId: id, attempt: 1, code: 'processing_crashed', retryBaseS: 0, leaseExpired: true } as const;
  expect(await failJob(ctx, swept)).toBeUndefined();
  expect(await row(id)).toMatchObject({ status: 'processing', failures: 0 });
});

test('concurrent sweeps count an expired lease once', async () => {
  const ids = [await startJob(), await startJob(), await startJob()];
  for (const id of ids) await goSilent(id);
  const counts = await Promise.all(Array.from({ length: 4 }, () => failExpiredLeases(ctx, 0)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  for (const id of ids) expect(await row(id)).toMatchObject({ status: 'queued', failures: 1 });
});

test('an image that kills every worker does not fail other jobs', async () => {
  const poison = await startJob();
  const good = await Promise.all([1, 2, 3].map(async () => makeJob(ctx, await makeUser(ctx.db))));
  for (let claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 }); claim; ) {
    if (claim.job.id !== poison) await deliverJob(ctx, claim.job);
    await goSilent(poison);
    await failExpiredLeases(ctx, 0);
    claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  }
  expect(await row(poison)).toMatchObject({ status: 'failed', errorCode: 'processing_crashed' });
  for (const { job } of good) expect((await row(job.id)).status).toBe('completed');
});
