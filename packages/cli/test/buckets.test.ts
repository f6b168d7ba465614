import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { makeImage } from '@uprez/testing/make-image';
import { type ApiProduct, startApiProduct } from '@uprez/testing/products/start-test-product';
import { type S3Server, startS3Server } from '@uprez/testing/s3/s3-server';
import { waitUntil } from '@uprez/testing/wait-until';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CliOptions, runCli, startCli } from './support/run-cli.ts';

const account = { accessKeyId: 'TEST_ID', secretAccessKey: 'test/secret' };
let api: ApiProduct;
let s3: S3Server;
let client: S3Client;
let key: string;
let options: CliOptions;
beforeAll(async () => {
  s3 = await startS3Server({ accounts: { [account.accessKeyId]: account.secretAccessKey }, pageSize: 2 });
  client = new S3Client({
    ...{ endpoint: s3.endpoint, region: 'us-east-1', forcePathStyle: true, credentials: account },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  for (const Bucket of ['images', 'results']) await client.send(new CreateBucketCommand({ Bucket }));
  api = await startApiProduct();
});
afterAll(async () => {
  await api.close();
  client.destroy();
  await s3.close();
});

beforeEach(async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'uprez-buckets-'));
  key = await api.makeKey();
  options = {
    cwd,
    env: {
      ...{ UPREZ_API_KEY: key, UPREZ_URL: api.product.url, AWS_ENDPOINT_URL_S3: s3.endpoint },
      ...{ AWS_ACCESS_KEY_ID: account.accessKeyId, AWS_SECRET_ACCESS_KEY: account.secretAccessKey },
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  };
  return () => rm(cwd, { recursive: true, force: true });
});

const standard = ['--engine', 'standard'];
const uprez = (...args: string[]) => runCli([...args, ...standard], options);
const put = (Bucket: string, Key: string, Body: Buffer | string) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body }));
const putImage = async (name: string, seed: number) =>
  put('images', name, await makeImage({ width: 40, height: 30, seed }));
const read = async (Bucket: string, Key: string) => {
  const { Body, ContentType } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return { bytes: Buffer.from((await Body?.transformToByteArray()) ?? []), type: ContentType };
};
const exists = (Bucket: string, Key: string) =>
  client.send(new HeadObjectCommand({ Bucket, Key })).then(
    () => true,
    () => false,
  );
const call = async (path: string) => {
  const answer = await fetch(`${api.product.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return (await answer.json()) as { data: unknown[]; quota: { used: number }[] };
};
const countJobs = async () => (await call('/v1/jobs')).data.length;
const used = async () => (await call('/v1/account')).quota.reduce((sum, meter) => sum + meter.used, 0);

it('processes a prefix of several pages into another bucket, and skips results in the second run', async () => {
  for (const [index, name] of ['a', 'b & c', 'deep/a', 'deep/d'].entries()) await putImage(`p/${name}.png`, index);
  await put('images', 'p/notes.txt', 'ignored');
  await put('images', 'p/.hidden/x.png', 'ignored');
  await putImage('p-other/z.png', 9);
  await put('results', 'q/deep/d.jpg', 'precious');

  const dry = await uprez('process', 's3://images/p', 's3://results/q', '--scale', '3', '--dry-run');
  expect(dry.err).toBe('');
  expect(dry.out).toMatch(/s3:\/\/images\/p\/deep\/a\.png +40 x 30 +120 x 90/);
  expect(dry.out).toContain('This would cost 4 credits');
  const first = await uprez('process', 's3://images/p/', 's3://results/q/', '--scale', '3');
  expect([first.code, first.err]).toEqual([
    1,
    's3://images/p/deep/d.png: "deep/d.jpg" already exists. Add --force to overwrite it, or choose another output. (output_exists)\n' +
      '3 done, 1 failed; 3 credits charged.\n',
  ]);
  expect(first.out).toContain('s3://images/p/b & c.png -> s3://results/q/b & c.jpg (120 x 90, ');
  for (const name of ['a', 'b & c', 'deep/a']) {
    const { bytes, type } = await read('results', `q/${name}.jpg`);
    expect([type, await sharp(bytes).metadata()]).toEqual([
      'image/jpeg',
      expect.objectContaining({ format: 'jpeg', width: 120, height: 90 }),
    ]);
  }
  expect((await read('results', 'q/deep/d.jpg')).bytes.toString()).toBe('precious');
  expect(await exists('results', 'q/z.jpg')).toBe(false);

  // A changed object is processed again, as an own result. Without the journal, results are recognized, too.
  const second = await uprez('process', 's3://images/p', 's3://results/q', '--scale', '3');
  expect(second.err).toContain('3 already done, 1 failed; 0 credits charged.\n');
  await rm(join(options.cwd, '.local'), { recursive: true });
  const third = await uprez('process', 's3://images/p', 's3://results/q', '--scale', '3');
  expect(third.err).toContain('3 already done, 1 failed; 0 credits charged.\n');
  await putImage('p/a.png', 8);
  const fourth = await uprez('process', 's3://images/p', 's3://results/q', '--scale', '3', '--force', '--json');
  expect(fourth.code).toBe(0);
  expect(JSON.parse(fourth.out.trim().split('\n').at(-1) ?? '')).toMatchObject({ done: 4, failed: 0 });
  // The results of unchanged images are still stored, so they aren't charged again.
  expect(await used()).toBe(5);
  expect(await s3.openUploads('results')).toEqual([]);
});

it('continues after being killed, without charging twice', async () => {
  for (let seed = 1; seed <= 5; seed += 1) await putImage(`k/p${seed}.png`, seed);
  const args = ['s3://images/k', '--out', 's3://results/k', '-c', '2', ...standard];
  for (const jobs of [1, 3]) {
    const running = startCli(args, options);
    await waitUntil(async () => (await countJobs()) >= jobs, { everyMs: 5, what: 'jobs' });
    running.kill('SIGKILL');
    await running.ended;
  }
  const last = await runCli(args, options);
  expect([last.code, last.err]).toEqual([0, expect.stringMatching(/done.* charged\.\n$/)]);
  for (let seed = 1; seed <= 5; seed += 1)
    expect(await sharp((await read('results', `k/p${seed}.jpg`)).bytes).metadata()).toMatchObject({ width: 80 });
  expect([await used(), await countJobs()]).toEqual([5, 5]);
});

it('processes folders into buckets, and objects into folders', async () => {
  await mkdir(join(options.cwd, 'photos/deep'), { recursive: true });
  await writeFile(join(options.cwd, 'photos/deep/a.png'), await makeImage({ width: 40, height: 30, seed: 1 }));
  expect(await uprez('process', 'photos', 's3://results')).toMatchObject({
    code: 0,
    err: '1 done; 1 credit charged.\n',
  });
  expect(await exists('results', 'deep/a.jpg')).toBe(true);
  await put('images', 'm/broken.png', 'not an image');
  await putImage('m/one.png', 2);
  const mixed = await uprez('process', 's3://images/m/one.png', 's3://images/m/broken.png', 'large');
  expect([mixed.code, mixed.err]).toEqual([1, expect.stringContaining('1 done, 1 failed; 1 credit charged.\n')]);
  expect(mixed.err).toContain('s3://images/m/broken.png: ');
  expect(await sharp(await readFile(join(options.cwd, 'large/one.jpg'))).metadata()).toMatchObject({ width: 80 });
  expect(await readdir(join(options.cwd, 'large/.uprez/parts'))).toEqual([]);
});

const none = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' };
const badAccess: { condition: string; env: Record<string, string>; args: string[]; reason: string }[] = [
  {
    condition: 'a wrong secret',
    env: { AWS_SECRET_ACCESS_KEY: 'wrong' },
    args: ['s3://images/w', 's3://results'],
    reason: 'the credentials are invalid.',
  },
  {
    condition: 'an unknown key',
    env: { AWS_ACCESS_KEY_ID: 'UNKNOWN' },
    args: ['s3://images/w', 's3://results'],
    reason: 'the credentials are invalid.',
  },
  { condition: 'no credentials', env: none, args: ['s3://images/w', 'out'], reason: 'no credentials found.' },
  { condition: 'a missing input', env: {}, args: ['s3://nowhere/w', 's3://results'], reason: "it doesn't exist." },
  { condition: 'a missing output', env: {}, args: ['s3://images/w', 's3://nowhere'], reason: "it doesn't exist." },
];
it.each(badAccess)(
  'ends with exit code 4 for $condition, before anything is charged',
  async ({ env, args, reason }) => {
    await putImage('w/a.png', 1);
    options = { ...options, env: { ...options.env, ...env } };
    for (const dry of [[], ['--dry-run']]) {
      const { code, out, err } = await uprez('process', ...args, ...dry);
      expect([code, out, err.trim().split('\n')]).toEqual([4, '', [expect.stringContaining(reason)]]);
      expect(err).toMatch(/^The bucket "(images|nowhere)" can't be used: /);
      expect(err).not.toContain('test/secret');
    }
    expect([await used(), await countJobs()]).toEqual([0, 0]);
  },
);

it('ends with exit code 4 if results may not be written, before anything is charged', async () => {
  await putImage('w/a.png', 1);
  s3.setFailure('denied', (request) => request.startsWith('POST /results'));
  const { code, err } = await uprez('process', 's3://images/w', 's3://results/denied');
  s3.setFailure(undefined);
  expect([code, err]).toEqual([4, expect.stringContaining('The bucket "results" can\'t be used: access denied.')]);
  expect([await used(), await countJobs()]).toEqual([0, 0]);
});

it('stores the results of charged images in the next run if the access was lost meanwhile', async () => {
  await putImage('lost/a.png', 1);
  s3.setFailure('denied', (request) => request.startsWith('PUT /results/lost/'));
  const first = await uprez('process', 's3://images/lost', 's3://results/lost');
  s3.setFailure(undefined);
  expect([first.code, first.err]).toEqual([4, expect.stringContaining('access denied.')]);
  const second = await uprez('process', 's3://images/lost', 's3://results/lost');
  expect([second.code, second.err]).toEqual([0, '1 done; 0 credits charged.\n']);
  expect(await exists('results', 'lost/a.jpg')).toBe(true);
  expect([await used(), await countJobs()]).toEqual([1, 1]);
});

it('writes results of a watched folder to a bucket', async () => {
  await mkdir(join(options.cwd, 'inbox'));
  const running = startCli(['watch', 'inbox', '-o', 's3://results/watched', '--interval', '1', ...standard], options);
  await writeFile(join(options.cwd, 'inbox/a.png'), await makeImage({ width: 40, height: 30, seed: 1 }));
  await waitUntil(() => exists('results', 'watched/a.jpg'), { what: 'the result' });
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
});
