import { createHash } from 'node:crypto';
import type { V1Batch, V1Job } from '@uprez/contracts/v1/schemas';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { imageForm, signUp } from '@uprez/testing/sign-up';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';

const keys: Record<string, string> = {};
const product = fileFixture(() => startIsolatedProduct());
beforeAll(async () => {
  const { client, user } = await signUp(product.url);
  const values = { tier: 'api_basic', emailVerified: true } as const;
  await product.db.updateTable('users').set(values).where('id', '=', user.id).execute();
  for (const kind of ['live', 'test'] as const)
    keys[kind] = (await client.createApiKey({ body: { name: kind, kind } })).data.key;
});

const call = (path: string, init: RequestInit = {}, kind = 'live') =>
  fetch(product.url + path, { ...init, headers: { authorization: `Bearer ${keys[kind]}`, ...init.headers } });
const post = (path: string, body: BodyInit, kind?: string) => call(path, { method: 'POST', body }, kind);
/** Downloads a signed link without a key. */
const load = async (link: string | null) => {
  const { pathname, search } = new URL(link ?? '');
  return Buffer.from(await (await fetch(product.url + pathname + search)).arrayBuffer());
};

it('upscales an image within the request, and copies the stored result for the same image free of charge', async () => {
  const image = await makeImage({ width: 60, height: 40 });
  const send = (fields: object, filename?: string) =>
    post('/v1/process', imageForm(image, { engine: 'standard', ...fields }, filename));
  const first = await send({ scale: '3' });
  expect([first.status, first.headers.get('x-cache'), first.headers.get('x-credits-charged')]).toEqual([
    200,
    'miss',
    '1',
  ]);
  const job = (await first.json()) as V1Job;
  const bytes = await load(job.download_url);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 180, height: 120 });
  expect(job.processed_size).toEqual({ width: 180, height: 120, file_size: bytes.length });
  const again = await send({ scale_factor: '3.0' }, 'again.png');
  expect([again.headers.get('x-cache'), again.headers.get('x-credits-charged')]).toEqual(['hit', '0']);
  const repeated = (await again.json()) as V1Job;
  expect(repeated).toMatchObject({ filename: 'again.png', cached: true, credits: 0 });
  expect(repeated.id).not.toBe(job.id);
  const digest = (data: Buffer) => createHash('sha256').update(data).digest('hex');
  expect(digest(await load(repeated.download_url))).toBe(digest(bytes));
});

it('returns the same bytes for every alias of the scale parameter', async () => {
  const image = await makeImage({ width: 30, height: 20, seed: 7 });
  const digests = new Set<string>();
  for (const name of ['scaleFactor', 'scale', 'scale_factor', 'scale-factor', 'factor', 'x']) {
    const fields = { engine: 'standard', cache: 'false', [name]: '2.5' };
    const answer = await post('/v1/process', imageForm(image, fields));
    const { download_url } = (await answer.json()) as V1Job;
    digests.add(
      createHash('sha256')
        .update(await load(download_url))
        .digest('hex'),
    );
  }
  expect(digests.size).toBe(1);
});

it('the sandbox returns a small result free of charge, and delays slow.png', async () => {
  const image = await makeImage({ width: 400, height: 300, alpha: true });
  const answer = await post('/v1/process', imageForm(image, { engine: 'standard', scale: '4' }), 'test');
  const job = (await answer.json()) as V1Job;
  expect([answer.status, job.sandbox, answer.headers.get('x-credits-charged')]).toEqual([200, true, '0']);
  expect(await sharp(await load(job.download_url)).metadata()).toMatchObject({
    format: 'png',
    width: 512,
    height: 384,
  });
  const slow = await post('/v1/sandbox/process', imageForm(image, { engine: 'standard' }, 'slow.png'));
  expect(slow.status).toBe(200);
  const { id } = (await slow.json()) as V1Job;
  const times = ['createdAt', 'notBefore', 'startedAt'] as const;
  const row = await product.db.selectFrom('jobs').select(times).where('id', '=', id).executeTakeFirstOrThrow();
  const { createdAt, notBefore, startedAt } = row;
  expect(Number(notBefore) - Number(createdAt)).toBeGreaterThan(4_000);
  expect(Number(startedAt)).toBeGreaterThanOrEqual(Number(notBefore));
});

it('returns all results of a batch in one form', async () => {
  const form = new FormData();
  for (const seed of [1, 2])
    form.append('images', new Blob([new Uint8Array(await makeImage({ width: 30, height: 20, seed }))]), `p${seed}.png`);
  form.append('images', new Blob(['no image']), 'bad.png');
  form.set('engine', 'standard');
  const answer = await post('/v1/bulk', form);
  expect([answer.status, answer.headers.get('x-credits-charged')]).toEqual([200, '2']);
  const { items, zip_url, status } = (await answer.json()) as V1Batch;
  expect(status).toBe('finished');
  expect(items.map((item) => item.error?.code ?? item.status)).toEqual([
    'completed',
    'completed',
    'unsupported_format',
  ]);
  expect(await sharp(await load(items[1]?.download_url ?? null)).metadata()).toMatchObject({ width: 60, height: 40 });
  const zip = await call(new URL(zip_url).pathname);
  expect(zip.status).toBe(200);
  await zip.arrayBuffer();
});

it('leaves a consistent ledger', async () => {
  expect((await product.settle(20_000)).errors).toEqual([]);
});
