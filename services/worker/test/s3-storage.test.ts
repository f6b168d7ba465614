import { createHash } from 'node:crypto';
import { fileFixture } from '@uprez/testing/fixtures';
import { startS3Server } from '@uprez/testing/s3/s3-server';
import { expect, it } from 'vitest';
import { jobRow, openChaos, submit, waitForStatus } from './chaos.ts';

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
}, 90_000);
