import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeImage } from '@uprez/testing/make-image';
import { type ApiProduct, startApiProduct } from '@uprez/testing/products/start-test-product';
import { startS3Server } from '@uprez/testing/s3/s3-server';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildAction, commit, git, runStep } from './support.ts';

let api: ApiProduct;
let root: string;
let action: string;
let workspace: string;
let tempDir: string;
let key: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'uprez-action-'));
  action = join(root, 'action');
  await buildAction(action);
  api = await startApiProduct();
});
afterAll(async () => {
  await api.close();
  await rm(root, { recursive: true, force: true });
});

let before: string;
const image = (seed: number) => makeImage({ width: 40, height: 30, seed });
beforeEach(async () => {
  const folder = await mkdtemp(join(root, 'job-'));
  [workspace, tempDir] = [join(folder, 'repo'), join(folder, 'temp')];
  await git(folder, 'init', '--quiet', '--initial-branch=main', 'repo');
  before = await commit(workspace, { 'site/old.png': await image(1), 'readme.txt': 'one' });
  key = await api.makeKey();
});

const step = (inputs: Record<string, string> = {}, event: object = { before }) =>
  runStep({
    ...{ action, workspace, tempDir, event },
    inputs: { 'api-key': key, 'base-url': api.product.url, options: 'engine: standard\nscale: 2', ...inputs },
  });
const used = async () => {
  const answer = await fetch(`${api.product.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } });
  const { quota } = (await answer.json()) as { quota: { used: number }[] };
  return quota.reduce((sum, meter) => sum + meter.used, 0);
};
const sizeOf = async (name: string) => sharp(await readFile(join(workspace, name))).metadata();

it('builds the same bundle from the same sources', async () => {
  const again = join(root, 'again');
  await buildAction(again);
  const names = (await readdir(action, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(names.length).toBeGreaterThan(3);
  for (const { name, parentPath } of names) {
    const path = join(parentPath, name);
    const [first, second] = await Promise.all([readFile(path), readFile(path.replace(action, again))]);
    expect(first.equals(second)).toBe(true);
    expect(first.includes(import.meta.dirname)).toBe(false);
  }
});

it('checks, limits, and upscales the changed images of a push', async () => {
  await commit(workspace, { 'site/a.png': await image(2), 'readme.txt': 'two' });
  const hostile = '::error::x|##[add-mask]<b>.png';
  await commit(workspace, {
    'site/deep/a.png': await image(3),
    [hostile]: await image(4),
    'skip/s.png': await image(5),
  });
  const paths = '**/*.png\n!skip/**';

  const check = await step({ mode: 'check', paths });
  expect(check).toMatchObject({ code: 0, outputs: { images: '3', units: '3', failed: '0', results: '[]' } });
  expect(check.summary).toContain('**3 images, 3 credits would cost.**');
  expect(check.summary).toContain('| site/deep/a.png | 40 x 30 | 80 x 60 |');
  const over = await step({ paths, 'max-units': '2' });
  expect(over).toMatchObject({ code: 1, outputs: { units: '3', results: '[]' } });
  expect(over.log).toContain('::error::The images would cost 3 credits. The limit is 2. Nothing was processed.');
  expect(over.summary).toContain('The limit is 2');
  expect([await used(), (await readdir(workspace)).includes('upscaled')]).toEqual([0, false]);

  const done = await step({ paths, 'max-units': '3' });
  expect(done).toMatchObject({ code: 0, outputs: { images: '3', units: '3', failed: '0' } });
  expect(JSON.parse(done.outputs.results ?? '').sort()).toEqual([
    `upscaled/${hostile.replace('png', 'jpg')}`,
    'upscaled/site/a.jpg',
    'upscaled/site/deep/a.jpg',
  ]);
  for (const name of ['site/a', 'site/deep/a'])
    expect(await sizeOf(`upscaled/${name}.jpg`)).toMatchObject({ format: 'jpeg', width: 80, height: 60 });
  expect(done.summary).toContain('**3 images, 3 credits charged.** Limit: 3 credits.');
  // The runner reads lines that start with two colons as commands. Its log hides masked values.
  const commands = done.log.split('\n').filter((line) => line.trim().startsWith('::'));
  expect(commands).toEqual([`::add-mask::${key}`]);
  expect(done.log).not.toContain('##[');
  expect(done.log.replace(commands[0] ?? '', '') + done.summary).not.toContain(key);
  expect(done.summary).not.toContain('<b>');

  // Results that are committed aren't images to upscale. A changed image replaces its result.
  const last = await commit(workspace, { 'readme.txt': 'three' });
  expect(await step({}, { before: await git(workspace, 'rev-parse', 'HEAD^') })).toMatchObject({
    code: 0,
    outputs: { images: '0', units: '0' },
    summary: expect.stringContaining('No images changed.'),
  });
  await commit(workspace, { 'site/a.png': await makeImage({ width: 20, height: 10, seed: 6 }) });
  expect(await step({}, { before: last })).toMatchObject({ code: 0, outputs: { images: '1', units: '1' } });
  expect(await sizeOf('upscaled/site/a.jpg')).toMatchObject({ width: 40 });
});

it('compares a pull request with its base, and fetches the base of a shallow checkout', async () => {
  await git(workspace, 'checkout', '--quiet', '-b', 'topic');
  await commit(workspace, { 'new.png': await image(2) });
  await git(workspace, 'checkout', '--quiet', 'main');
  const base = await commit(workspace, { 'main.png': await image(3) });
  await git(workspace, 'checkout', '--quiet', 'topic');
  const event = { pull_request: { base: { sha: base } } };
  expect(await step({ mode: 'check' }, event)).toMatchObject({ code: 0, outputs: { images: '1' } });

  await git(workspace, 'merge', '--quiet', '--no-edit', 'main');
  const [origin, shallow] = [workspace, join(tempDir, 'shallow')];
  await git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  await git(tempDir, 'clone', '--quiet', '--depth=1', `file://${origin}`, shallow);
  workspace = shallow;
  const { code, summary } = await step({ mode: 'check' }, event);
  expect([code, summary]).toEqual([0, expect.stringMatching(/new\.png/)]);
  expect(summary).not.toContain('main.png');
  await rm(origin, { recursive: true });
  const lost = await step({ mode: 'check' }, { before });
  expect([lost.code, lost.log]).toEqual([1, expect.stringContaining('Set "fetch-depth: 0" of actions/checkout.')]);
  const unrelated = await step({ mode: 'check' }, {});
  expect(unrelated.log).toContain('Set "fetch-depth: 2" of actions/checkout.');
  expect(await step({ mode: 'check', 'changed-only': 'false' })).toMatchObject({ outputs: { images: '3' } });
});

it('fails with the reason for each image, for a wrong key, and for invalid inputs', async () => {
  await commit(workspace, { 'a.png': await image(2), 'broken.png': 'not an image' });
  const partial = await step();
  expect(partial).toMatchObject({ code: 1, outputs: { images: '2', units: '1', failed: '1' } });
  expect(partial.log).toMatch(/^::error file=broken\.png::.+/m);
  expect(partial.summary).toContain('1 of the images failed');
  expect(await sizeOf('upscaled/a.jpg')).toMatchObject({ width: 80 });

  const wrong = await step({ 'api-key': 'upz_live_wrong' });
  expect([wrong.code, wrong.log]).toEqual([1, expect.stringContaining('::error::Unauthorized: invalid API key.')]);
  for (const [inputs, sentence] of [
    [{ 'api-key': '' }, 'The input "api-key" is missing.'],
    [{ mode: 'dry' }, 'The input "mode" must be one of: process, check.'],
    [{ 'max-units': 'many' }, 'The input "max-units" must be a whole number from 0.'],
    [{ options: 'out: /etc' }, 'The input "options" has an unknown line: "out: /etc".'],
    [{ options: 'scale: huge' }, '--scale must be a number from 0.01 to 128.'],
  ] as const) {
    const { code, log } = await step(inputs as Record<string, string>);
    expect([code, log]).toEqual([1, expect.stringContaining(`::error::${sentence}`)]);
  }
  expect(await used()).toBe(1);
});

it('writes results to a bucket', async () => {
  const s3 = await startS3Server();
  await fetch(`${s3.endpoint}/results`, { method: 'PUT' });
  const env = { AWS_ENDPOINT_URL_S3: s3.endpoint, AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  const inputs = { 'api-key': key, 'base-url': api.product.url, options: 'engine: standard' };
  const upscale = (out: string) => runStep({ action, workspace, tempDir, env, inputs: { ...inputs, out } });
  const missing = await upscale('s3://missing/p');
  expect([missing.code, missing.log]).toEqual([1, expect.stringContaining('The bucket "missing" can\'t be used: it')]);
  expect(await used()).toBe(0);
  // Without a commit to compare with, the images of the first commit are those of the repository.
  const done = await upscale('s3://results/p');
  expect(done).toMatchObject({ code: 0, outputs: { results: '["s3://results/p/site/old.jpg"]' } });
  const result = await fetch(`${s3.endpoint}/results/p/site/old.jpg`);
  expect(await sharp(Buffer.from(await result.arrayBuffer())).metadata()).toMatchObject({ width: 80 });
  await s3.close();
});
