import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '@uprez/client/api-error';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { balance, jobRow, openWorkerFixtures, startWorker, submit, waitForStatus } from './chaos.ts';

const { chaos, user } = openWorkerFixtures();

const slow = { width: 3_600, height: 2_400 };

it('stops a canceled job, closes its reservation, and runs the next one', async () => {
  const { product } = chaos;
  const worker = await startWorker(product);
  const id = await submit(user, slow);
  await waitForStatus(product, id, 'processing');
  const { data } = await user.client.deleteJob({ params: { id } });
  expect(data).toMatchObject({ id, status: 'cancelled' });
  const next = await submit(user, { width: 60, height: 40 });
  await waitForStatus(product, next, 'completed');
  const job = await jobRow(product, id);
  expect(job).toMatchObject({ status: 'cancelled', errorCode: 'cancelled', resultId: null });
  await product.settle(30_000);
  // On a slow machine, the free time may be over.
  expect(await balance(product, user)).toBe(-1 - job.cancelUnits);
  const outcome = /^job_duration_seconds_count\{.*outcome="(\w+)"\} 1$/gm;
  // The worker counts a job after it stored the status.
  const outcomes = await waitUntil(
    async () => {
      const found = [...(await worker.metrics()).matchAll(outcome)].map(([, name]) => name);
      return found.length === 2 && found;
    },
    { what: 'the durations of two jobs' },
  );
  expect(outcomes.toSorted()).toEqual(['canceled', 'completed']);
  await worker.end('SIGTERM');
  expect(worker.process.exitCode).toBe(0);
});

it('stops a job that exceeds its time limit, and responds with processing_timeout at once', async () => {
  const { product } = chaos;
  const worker = await startWorker(product, { MAX_JOB_S: '1' });
  const body = imageForm(await makeImage({ ...slow, format: 'jpeg' }), { scaleFactor: '4', engine: 'standard' });
  const error = await user.client
    .processImage({ body, headers: { prefer: 'wait=60' } })
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error('the request succeeded');
  expect(error).toMatchObject({ status: 422, code: 'processing_timeout' });
  expect(await jobRow(product, error.jobId ?? '')).toMatchObject({
    status: 'failed',
    failures: 1,
  });
  const metrics = await worker.metrics();
  for (const [limit, count] of Object.entries({ run_time: 1, lowered_runs: 0, attempts: 0, run_memory: 0 }))
    expect(metrics).toContain(`limits_met_total{limit="${limit}"} ${count}\n`);
  await product.settle(30_000);
  expect(await balance(product, user)).toBe(0);
  expect(worker.process.exitCode).toBeNull();
});

it('fails a job and releases its credit when its source is missing', async () => {
  const { product } = chaos;
  const id = await submit(user, { width: 60, height: 40 });
  const source = await product.db.selectFrom('objects').selectAll().where('jobId', '=', id).executeTakeFirstOrThrow();
  await product.storage.deleteMany([source.key]);
  await startWorker(product);
  await waitForStatus(product, id, 'failed');
  expect(await jobRow(product, id)).toMatchObject({ errorCode: 'processing_crashed', failures: 3 });
  expect(await balance(product, user)).toBe(0);
});

it('fails a queued job and releases its credit when the new plan of the account does not allow it', async () => {
  const { product } = chaos;
  const moveTo = (tier: Tier) => product.db.updateTable('users').set({ tier }).where('id', '=', user.user.id).execute();
  const image = { width: 60, height: 40 };
  await moveTo('pro');
  const before = await submit(user, image).then(() => balance(product, user));
  const barred = await submit(user, { ...image, fields: { format: 'avif' } });
  const allowed = await submit(user, image);
  expect(await balance(product, user)).toBe(before - 2);
  await moveTo('free');
  await startWorker(product);
  await waitForStatus(product, barred, 'failed');
  await waitForStatus(product, allowed, 'completed');
  expect(await jobRow(product, barred)).toMatchObject({
    attempt: 1,
    errorCode: 'plan_feature',
    errorDetail: expect.stringMatching(/^Your plan doesn't include AVIF\. .* Upgrade to Pro/),
  });
  expect((await user.client.getJob({ params: { id: barred } })).data.error?.code).toBe('plan_feature');
  const rows = await product.db.selectFrom('ledger').select(['kind', 'units']).where('jobId', '=', barred).execute();
  expect(rows.map(({ kind }) => kind)).toEqual(['reserve', 'release']);
  expect(rows.reduce((sum, { units }) => sum + units, 0)).toBe(0);
});

it('returns a job for which it can make no folder, and completes it later', async () => {
  const { product } = chaos;
  await startWorker(product);
  const jobDir = product.env.JOB_DIR ?? '';
  const folders = (await readdir(jobDir)).map((name) => join(jobDir, name));
  // A file in its place keeps the worker from making the folder again.
  const hide = async (path: string) => {
    await rename(path, `${path}.hidden`);
    await writeFile(path, '');
  };
  const show = async (path: string) => {
    await rm(path);
    await rename(`${path}.hidden`, path);
  };
  await Promise.all(folders.map(hide));
  const id = await submit(user, { width: 60, height: 40 });
  await waitUntil(
    async () => {
      const { status, attempt } = await jobRow(product, id);
      return status === 'queued' && attempt > 0;
    },
    { what: 'a returned job' },
  );
  await Promise.all(folders.map(show));
  await waitForStatus(product, id, 'completed');
  expect(await jobRow(product, id)).toMatchObject({ failures: 0 });
});
