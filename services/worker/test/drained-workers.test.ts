import type { JobSettings } from '@uprez/contracts/schemas/admin/workers';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { waitUntil } from '@uprez/testing/wait-until';
import { beforeEach, expect, it } from 'vitest';
import {
  countByStatus,
  jobRow,
  openWorkerFixtures,
  startWorker,
  submit,
  submitMany,
  waitForProcessing,
  waitForStatus,
} from './chaos.ts';

const { chaos, user } = openWorkerFixtures();

const set = (settings: Partial<JobSettings>) => upsertSettings(chaos.product.db, 'jobs', settings);
beforeEach(() => set({}));

const waitForCount = (status: string, count: number) =>
  waitUntil(async () => (await countByStatus(chaos.product, user))[status] === count, {
    timeoutMs: 60_000,
    what: `${count} ${status} jobs`,
  });

it('finishes the running job of a drained worker, starts no other one, and resumes without a wake-up', async () => {
  const { product } = chaos;
  await startWorker(product, { WORKER_NAME: 'first' });
  const running = await submit(user, { width: 1_600, height: 1_200 });
  await waitForProcessing(product, 1);
  await set({ drainedWorkers: ['first'] });
  await submitMany(user, 2);
  await waitForStatus(product, running, 'completed');
  expect((await countByStatus(product, user)).queued).toBe(2);
  await set({ drainedWorkers: [] });
  await waitForCount('completed', 3);
});

it('keeps a worker drained that is killed and restarted, and its job is not lost', async () => {
  const { product } = chaos;
  const env = { WORKER_NAME: 'first' };
  const worker = await startWorker(product, env);
  const interrupted = await submit(user, { width: 1_600, height: 1_200 });
  await waitForProcessing(product, 1);
  await set({ drainedWorkers: ['first'] });
  await worker.end('SIGKILL');
  await startWorker(product, env);
  await waitForStatus(product, interrupted, 'queued');
  await startWorker(product, { WORKER_NAME: 'second' });
  await waitForStatus(product, interrupted, 'completed');
  expect(await jobRow(product, interrupted)).toMatchObject({ attempt: 2, failures: 1 });
});

it('starts no job of a paused engine until it resumes', async () => {
  const { product } = chaos;
  await set({ pausedEngines: ['standard'] });
  const worker = await startWorker(product);
  await submitMany(user, 2);
  const hasClaimed = async () => /job_claim_duration_seconds_count.*claimed="false"/.test(await worker.metrics());
  await waitUntil(hasClaimed, { what: 'a claim without a job' });
  expect((await countByStatus(product, user)).queued).toBe(2);
  await set({ pausedEngines: [] });
  await waitForCount('completed', 2);
});
