import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import {
  balance,
  childrenOf,
  countByStatus,
  hasFileOfAttempt,
  jobRow,
  openWorkerFixtures,
  randomMoment,
  repeats,
  serviceOf,
  startWorker,
  submit,
  submitMany,
  waitForProcessing,
  waitForStatus,
} from './chaos.ts';

const { chaos, user } = openWorkerFixtures();

const kills = repeats(4, 200);

it(
  `loses no job and charges none twice when the worker is killed ${kills} times`,
  async () => {
    const { product } = chaos;
    const concurrency = { WORKER_CONCURRENCY: '4' };
    let worker = await startWorker(product, concurrency);
    let submitted = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const { queued = 0, processing = 0 } = await countByStatus(product, user);
      const missing = Math.max(0, 6 - queued - processing);
      await submitMany(user, missing, { width: 900, height: 600 });
      submitted += missing;
      await waitForProcessing(product, Math.min(4, missing + queued + processing));
      await randomMoment(700);
      await worker.end('SIGKILL');
      worker = await startWorker(product, concurrency);
    }
    await product.settle(60_000);
    const { completed = 0, failed = 0 } = await countByStatus(product, user);
    expect(completed + failed).toBe(submitted);
    expect(completed).toBeGreaterThan(0);
    expect(await balance(product, user)).toBe(-completed);
    const expired = /^scheduled_task_items_total\{task="requeue-expired-leases"\} [1-9]/m;
    expect(await serviceOf(product, 'dispatcher').metrics()).toMatch(expired);
  },
  repeats(600_000, 3_600_000),
);

it('completes running jobs or returns them to the queue on SIGTERM, without counting a failure', async () => {
  const { product } = chaos;
  const worker = await startWorker(product, { WORKER_CONCURRENCY: '2', DRAIN_S: '1' });
  await submitMany(user, 3, { width: 1_600, height: 1_200 });
  await waitForProcessing(product, 2);
  await worker.end('SIGTERM');
  expect(worker.process.exitCode).toBe(0);
  const { processing } = await countByStatus(product, user);
  expect(processing).toBe(0);
  await startWorker(product, { WORKER_CONCURRENCY: '2' });
  await product.settle(60_000);
  const rows = await product.db
    .selectFrom('jobs')
    .select(['status', 'failures'])
    .where('accountId', '=', user.user.id)
    .execute();
  expect(rows).toEqual(Array(3).fill({ status: 'completed', failures: 0 }));
});

it('keeps jobs queued without a worker and loses none without a dispatcher', async () => {
  const { product } = chaos;
  const worker = await startWorker(product);
  await serviceOf(product, 'dispatcher').end('SIGKILL');
  await submitMany(user, 3, { width: 1_200, height: 900 });
  await waitForProcessing(product, 1);
  await worker.end('SIGKILL');
  await startWorker(product);
  // Only a dispatcher expires the leases of the killed worker.
  await (await product.spawn('dispatcher')).ready();
  await product.settle(60_000);
  expect((await countByStatus(product, user)).completed).toBe(3);
});

const runs = repeats(1, 50);

it(
  `ignores the result of a worker that resumes after its lease expired (${runs} times)`,
  async () => {
    const { product } = chaos;
    for (let run = 1; run <= runs; run += 1) {
      const zombie = await startWorker(product);
      const id = await submit(user, { width: 1_600, height: 1_200 });
      await waitForStatus(product, id, 'processing');
      process.kill(zombie.pid, 'SIGSTOP');
      const second = await startWorker(product);
      await waitForStatus(product, id, 'completed');
      const delivered = await jobRow(product, id);
      process.kill(zombie.pid, 'SIGCONT');
      // SIGTERM lets the zombie finish its remaining work.
      await zombie.end('SIGTERM');
      await second.end('SIGTERM');
      await product.settle(30_000);
      const { status, attempt, version, resultId } = delivered;
      expect(attempt).toBeGreaterThan(1);
      expect(await jobRow(product, id)).toMatchObject({ status, attempt, version, resultId });
      expect(await balance(product, user)).toBe(-run);
    }
  },
  repeats(600_000, 3_600_000),
);

/**
 * Kills the child of the worker in each attempt of this job. Returns the number of kills. A child that dies while the
 * source is downloaded is replaced before the run, so this waits until the child has a file of the job open.
 */
async function poison(id: string): Promise<number> {
  let [kills, attempt] = [0, 0];
  await waitUntil(
    async () => {
      const row = await jobRow(chaos.product, id);
      if (row.status === 'failed' || row.status === 'completed') return true;
      if (row.status !== 'processing' || row.attempt === attempt) return false;
      const children = childrenOf(serviceOf(chaos.product, 'worker').pid);
      const child = children.find((pid) => hasFileOfAttempt(pid, row));
      if (child === undefined) return false;
      process.kill(child, 'SIGKILL');
      kills += 1;
      attempt = row.attempt;
      return false;
    },
    { timeoutMs: 240_000 },
  );
  return kills;
}

const good = repeats(8, 100);

it(`fails a job that kills its child after 2 or 3 attempts, releases its credit, and completes ${good} others`, async () => {
  const { product } = chaos;
  // With one slot, the child that is killed is the one that runs the poisoned job.
  await startWorker(product, { WORKER_CONCURRENCY: '1' });
  const poisoned = await submit(user, { width: 3_000, height: 2_000 });
  const [kills, others] = await Promise.all([poison(poisoned), submitMany(user, good, { width: 200, height: 150 })]);
  expect([2, 3]).toContain(kills);
  expect(await jobRow(product, poisoned)).toMatchObject({
    status: 'failed',
    errorCode: 'processing_crashed',
    // A crash at the same stage is retried once.
    failures: kills,
  });
  await product.settle(90_000);
  const rows = await Promise.all(others.map((id) => jobRow(product, id)));
  expect(rows.map((row) => row.status)).toEqual(others.map(() => 'completed'));
  expect(await balance(product, user)).toBe(-good);
}, 300_000);
