import { createHash, randomUUID } from 'node:crypto';
import { fileFixture } from '@uprez/testing/fixtures';
import { startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { externalS3 } from '@uprez/testing/s3/external-s3';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { jobRow, openChaos, submit, waitForStatus } from './chaos.ts';

const { endpoint, owner, stranger } = externalS3();
const bucket = `uprez-test-${randomUUID()}`;
const envOf = ({ accessKeyId, secretAccessKey }: typeof owner) => ({
  STORAGE: 's3',
  S3_ENDPOINT: endpoint,
  S3_PUBLIC_ENDPOINT: endpoint,
  S3_BUCKET: bucket,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
});
const chaos = fileFixture(() => openChaos({ env: envOf(owner) }));

/** Requests the download of a job's result. Returns the URL of the S3 server to which it redirects. */
async function signedUrlOf(id: string): Promise<string> {
  const { product, user } = chaos;
  const { data: job } = await user.client.getJob({ params: { id } });
  const redirect = await user.fetch(`${product.url}${job.downloadUrl}`, { redirect: 'manual' });
  expect(redirect.status).toBe(302);
  return redirect.headers.get('location') ?? '';
}

it('processes an image whose result has several parts, and delivers its result by signed URLs only', async () => {
  const { product, user } = chaos;
  // The result is larger than a part of 5 MiB.
  const id = await submit(user, { width: 1600, height: 1200, fields: { scaleFactor: '2', format: 'png' } });
  await waitForStatus(product, id, 'completed');
  const { resultId } = await jobRow(product, id);
  const row = await product.db.selectFrom('objects').selectAll().where('id', '=', resultId).executeTakeFirstOrThrow();
  expect(Number(row.size)).toBeGreaterThan(6 * 1024 * 1024);
  const url = await signedUrlOf(id);
  const answer = await fetch(url);
  const file = Buffer.from(await answer.arrayBuffer());
  expect(createHash('sha256').update(file).digest('hex')).toBe(row.sha256);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=image-\d+-2x\.png$/);
  const part = await fetch(url, { headers: { range: 'bytes=5242870-5242889' } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(file.subarray(5_242_870, 5_242_890))).toBe(true);
  const [address = ''] = url.split('?');
  const altered = [
    address,
    url.replace(`/${id}/1?`, `/${id}/2?`),
    url.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=604800'),
  ];
  for (const changed of altered) expect((await fetch(changed)).status, changed).toBeGreaterThanOrEqual(400);
  await product.settle(30_000);
});

it('deletes the objects of a deleted job from the server', async () => {
  const { product, user } = chaos;
  const id = await submit(user, { width: 300, height: 200 });
  await waitForStatus(product, id, 'completed');
  const url = await signedUrlOf(id);
  expect((await fetch(url)).status).toBe(200);
  await user.client.deleteJob({ params: { id } });
  await waitUntil(async () => (await fetch(url)).status === 404, { timeoutMs: 30_000, what: 'a deleted result' });
  await product.settle(30_000);
});

it.each([
  ['a wrong secret', { ...owner, secretAccessKey: 'wrong' }],
  ['a key without rights', stranger],
])('fails the setup with %s, and a gateway with it is not ready', async (_, key) => {
  await expect(startIsolatedProduct({ env: envOf(key), services: [] })).rejects.toThrow(/storage|S3|bucket/i);
  const gateway = await chaos.product.spawn('gateway', envOf(key));
  const address = await waitUntil(() => {
    const found = gateway.operatorAddress();
    return !found.endsWith('undefined') && found;
  });
  const ready = await fetch(`http://${address}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.text()).toMatch(/storage/);
  await gateway.end('SIGTERM');
});
