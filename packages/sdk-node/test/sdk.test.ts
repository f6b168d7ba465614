import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { makeImage } from '@uprez/testing/make-image';
import { type ApiProduct, startApiProduct } from '@uprez/testing/products/start-test-product';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiError, JobFailedError, Uprez } from '../src/index.ts';

let api: ApiProduct;
let client: Uprez;
let folder: string;
beforeAll(async () => {
  api = await startApiProduct();
  const apiKey = await api.makeKey({ scopes: ['process', 'read', 'webhooks'] });
  client = new Uprez({ apiKey, baseUrl: api.product.url });
  folder = await mkdtemp(join(tmpdir(), 'uprez-sdk-'));
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

const standard = { engine: 'standard' } as const;
const rejection = (work: PromiseLike<unknown>) => Promise.resolve(work).catch((error: unknown) => error);

it('processes a file and writes the result', async () => {
  const path = join(folder, 'photo.png');
  await writeFile(path, await makeImage({ width: 60, height: 40 }));
  const seen: number[] = [];
  const target = join(folder, 'large.webp');
  const onProgress = ({ progress }: { progress: number }) => seen.push(progress);
  const job = await client.process(path, { ...standard, scale: 3, format: 'webp' }).toFile(target, { onProgress });
  expect(job).toMatchObject({ status: 'completed', filename: 'photo.png' });
  expect(await sharp(await readFile(target)).metadata()).toMatchObject({ format: 'webp', width: 180, height: 120 });
  expect(seen.at(-1)).toBe(100);
  const streamed = await client.process(path, { ...standard, scale: 3, format: 'webp' }).toStream();
  expect(await buffer(streamed)).toEqual(await readFile(target));
  const again = await client.process(path, { ...standard, scale: 3, format: 'webp', filename: 'again.png' }).waitFor();
  expect(again).toMatchObject({ filename: 'again.png', credits: 0, cached: true });
  expect(again.id).not.toBe(job.id);
});

it('waits for the result in the request', async () => {
  const image = await makeImage({ width: 20, height: 20 });
  const job = await client.process(image, { ...standard, filename: 'a.png' }, { waitSeconds: 30 });
  expect(job.status).toBe('completed');
  expect((await client.jobs.delete(job.id)) as object).toMatchObject({ job_id: job.id });
  const gone = await rejection(client.jobs.download(job.id).toBuffer());
  expect(gone).toMatchObject({ name: 'ApiError', code: 'result_expired' });
});

it('throws errors with a code for rejected requests and failed jobs', async () => {
  const image = await makeImage({ width: 20, height: 20 });
  const refused = await rejection(client.process(image, { scale: 999 }));
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ code: 'invalid_parameter', param: 'scale', maxScale: 128 });
  const sandbox = new Uprez({ apiKey: await api.makeKey({ kind: 'test' }), baseUrl: api.product.url });
  const failed = await rejection(
    sandbox.process(image, { ...standard, filename: 'error-processing_crashed.png' }).waitFor(),
  );
  expect(failed).toBeInstanceOf(JobFailedError);
  expect(failed).toMatchObject({ code: 'processing_crashed', job: { sandbox: true } });
});

it('throws file_too_large while the file is still being sent', async () => {
  const path = join(folder, 'huge.png');
  await writeFile(path, '');
  await truncate(path, 110 * 1024 ** 2);
  expect(await rejection(client.process(path))).toMatchObject({ status: 413, code: 'file_too_large' });
});

it('completes the other items of a batch when one file is invalid', async () => {
  const good = await makeImage({ width: 30, height: 20, seed: 2 });
  const images = [
    { name: 'good.png', image: good },
    { name: 'bad.png', image: Buffer.from('not an image') },
  ];
  const made = await client.batches.process(images, { ...standard, scale: 2 });
  const batch = await client.batches.waitFor(made);
  expect(batch.items.map(({ error, status }) => error?.code ?? status)).toEqual(['completed', 'unsupported_format']);
  const zip = join(folder, 'all.zip');
  await client.batches.zip(batch.id).toFile(zip);
  expect((await readFile(zip)).subarray(0, 2).toString()).toBe('PK');
  const { data } = await client.batches.manifest(batch.id);
  expect(data.map(({ name }) => name)).toEqual(['good.png', 'bad.png']);
});

it('returns the account, engines, an estimate, a dry run, and events', async () => {
  expect(await client.account()).toMatchObject({ plan: { key: 'api_pro' }, key: { kind: 'live' } });
  expect((await client.engines()).data.map(({ name }) => name)).toContain('standard');
  const estimate = await client.estimate({ width: 100, height: 50, scale: 2, ...standard });
  expect(estimate).toMatchObject({ width: 200, height: 100, units: 1 });
  const image = await makeImage({ width: 30, height: 20, seed: 3 });
  expect(await client.dryRun(image, { ...standard, width: 90 })).toMatchObject({
    dry_run: true,
    width: 90,
    height: 60,
  });
  const types = [];
  for await (const event of client.events.all({ limit: 2 })) types.push(event.type);
  expect(types).toContain('batch.completed');
  expect(types.length).toBeGreaterThan(2);
});

it('calls every webhook endpoint', async () => {
  expect(await rejection(client.webhooks.create({ url: 'https://127.0.0.1/hook' }))).toMatchObject({
    code: 'url_not_allowed',
  });
  const { data } = await client.webhooks.list();
  expect(data.filter(({ kind }) => kind === 'endpoint')).toEqual([]);
  const id = '0199a3c4-5b7e-7c21-9d4e-2f6a8b1c3d5e';
  const calls: (() => Promise<unknown>)[] = [
    () => client.webhooks.get(id),
    () => client.webhooks.update(id, { is_active: false }),
    () => client.webhooks.rotate(id, { overlap_hours: 0 }),
    () => client.webhooks.test(id),
    () => client.webhooks.resend(id, new Date()),
    () => client.webhooks.deliveries(id, { limit: 1 }),
    () => client.webhooks.delivery({ id, deliveryId: id }),
    () => client.webhooks.resendDelivery({ id, deliveryId: id }),
    () => client.webhooks.delete(id),
  ];
  for (const call of calls) expect(await rejection(call())).toMatchObject({ status: 404, code: 'webhook_not_found' });
});
