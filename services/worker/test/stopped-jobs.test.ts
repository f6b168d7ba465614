import { ApiError } from '@uprez/client/api-error';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { balance, jobRow, openChaos, serviceOf, submit, waitForStatus } from './chaos.ts';

const chaos = fileFixture(() => openChaos({ services: ['gateway', 'dispatcher'] }));

const slow = { width: 3_600, height: 2_400 };

it('stops a cancelled job, releases its credit, and runs the next one', async () => {
  const { product, user } = chaos;
  const worker = await product.spawn('worker');
  await worker.ready();
  const id = await submit(user, slow);
  await waitForStatus(product, id, 'processing');
  const { data } = await user.client.deleteJob({ params: { id } });
  expect(data).toMatchObject({ id, status: 'cancelled' });
  const next = await submit(user, { width: 60, height: 40 });
  await waitForStatus(product, next, 'completed');
  expect(await jobRow(product, id)).toMatchObject({ status: 'cancelled', errorCode: 'cancelled', resultId: null });
  await product.settle(30_000);
  expect(await balance(product)).toBe(-1);
  await worker.end('SIGTERM');
  expect(worker.process.exitCode).toBe(0);
}, 120_000);

it('stops a job that exceeds its time limit, and responds with processing_timeout after three attempts', async () => {
  const { product, user } = chaos;
  const before = await balance(product);
  const worker = await product.spawn('worker', { MAX_JOB_S: '1' });
  await worker.ready();
  const body = imageForm(await makeImage({ ...slow, format: 'jpeg' }), { scaleFactor: '4', engine: 'standard' });
  const error = await user.client
    .processImage({ body, headers: { prefer: 'wait=60' } })
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error('the request succeeded');
  expect(error).toMatchObject({ status: 422, code: 'processing_timeout' });
  expect(await jobRow(product, error.jobId ?? '')).toMatchObject({ status: 'failed', failures: 3 });
  await product.settle(30_000);
  expect(await balance(product)).toBe(before);
  expect(serviceOf(product, 'worker').process.exitCode).toBeNull();
}, 120_000);

it('fails a job and releases its credit when its source is missing', async () => {
  const { product, user } = chaos;
  const before = await balance(product);
  const id = await submit(user, { width: 60, height: 40 });
  const source = await product.db.selectFrom('objects').selectAll().where('jobId', '=', id).executeTakeFirstOrThrow();
  await product.storage.deleteMany([source.key]);
  const worker = await product.spawn('worker');
  await waitForStatus(product, id, 'failed');
  await worker.end('SIGTERM');
  expect(await jobRow(product, id)).toMatchObject({ errorCode: 'processing_crashed', failures: 3 });
  expect(await balance(product)).toBe(before);
}, 60_000);
