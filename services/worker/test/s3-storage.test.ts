import { createHash } from 'node:crypto';
import { fileFixture } from '@uprez/testing/fixtures';
import { startS3Server } from '@uprez/testing/s3/s3-server';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { jobRow, openChaos, serviceOf, startWorker, submit, waitForStatus } from './chaos.ts';

const server = fileFixture(() => startS3Server());
const chaos = fileFixture(() =>
  openChaos({
    env: {
      STORAGE: 's3',
      S3_ENDPOINT: server.endpoint,
      S3_PUBLIC_ENDPOINT: server.endpoint,
      S3_BUCKET: 'images',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      DRAIN_S: '1',
    },
  }),
);

it('stores uploads and results on S3 and redirects downloads to it', async () => {
  const { product, user } = chaos;
  const id = await submit(user, { width: 300, height: 200 });
  await waitForStatus(product, id, 'completed');
  const { data: job } = await user.client.getJob({ params: { id } });
  const redirect = await user.fetch(`${product.url}${job.downloadUrl}`, { redirect: 'manual' });
  expect(redirect.status).toBe(302);
  const location = redirect.headers.get('location') ?? '';
  expect(location.startsWith(`${server.endpoint}/images/results/${id}/1?`)).toBe(true);
  const file = Buffer.from(await (await fetch(location)).arrayBuffer());
  const { resultId } = await jobRow(product, id);
  const row = await product.db.selectFrom('objects').selectAll().where('id', '=', resultId).executeTakeFirstOrThrow();
  expect(createHash('sha256').update(file).digest('hex')).toBe(row.sha256);
  await product.settle(30_000);
});

it('returns a job to the queue while the storage is unavailable, without counting a failure', async () => {
  const { product, user } = chaos;
  const id = await submit(user, { width: 300, height: 200 });
  server.setFailure('unavailable', (request) => /^(PUT|POST) \/images\/results/.test(request));
  await expect.poll(async () => (await jobRow(product, id)).attempt, { timeout: 30_000 }).toBeGreaterThan(1);
  server.setFailure(undefined);
  await waitForStatus(product, id, 'completed');
  expect((await jobRow(product, id)).failures).toBe(0);
  await product.settle(30_000);
});

it('a stopping worker returns a job while its result is stored too slowly, without counting a failure', async () => {
  const { product, user } = chaos;
  server.setFailure('hang', (request) => request.startsWith('PUT /images/results/'));
  // The server sees that the worker left, and stores nothing, only if it has read the whole request.
  const id = await submit(user, { width: 30, height: 20 });
  const result = product.db.selectFrom('objects').select('id').where('jobId', '=', id).where('kind', '=', 'result');
  await waitUntil(async () => (await result.execute()).length > 0, { what: 'a result that is being stored' });
  const worker = serviceOf(product, 'worker');
  await worker.end('SIGTERM');
  expect(worker.process.exitCode).toBe(0);
  expect(await jobRow(product, id)).toMatchObject({ status: 'queued', attempt: 1, failures: 0 });
  server.setFailure(undefined);
  await startWorker(product);
  await waitForStatus(product, id, 'completed');
  await product.settle(30_000);
});
