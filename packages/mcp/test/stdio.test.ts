import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { type ApiProduct, startApiProduct } from '@uprez/testing/products/start-test-product';
import { nodeProgram, nodeVersions } from '@uprez/testing/programs/node-programs';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import { waitUntil } from '@uprez/testing/wait-until';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStdioClient, textOf } from './support/open-stdio-client.ts';

const api = fileFixture<ApiProduct>(() => startApiProduct());
const paths = { folder: '', outside: '' };
const env: Record<string, string> = {};

beforeAll(async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'uprez-mcp-')));
  paths.folder = join(base, 'images');
  paths.outside = join(base, 'private');
  for (const folder of [paths.folder, paths.outside]) await mkdir(folder);
  for (const [n, folder] of [paths.folder, paths.outside].entries())
    await writeFile(join(folder, 'photo.png'), await makeImage({ width: 40, height: 30, seed: n + 1 }));
  await writeFile(join(paths.folder, 'notes.txt'), 'no image');
  await symlink(join(paths.outside, 'photo.png'), join(paths.folder, 'link.png'));
  await symlink(paths.outside, join(paths.folder, 'linked'));
  Object.assign(env, { UPREZ_API_KEY: await api.makeKey(), UPREZ_URL: api.product.url });
  return () => rm(base, { recursive: true, force: true });
});
const mcp = fileFixture(() => openStdioClient({ folders: [paths.folder], env }));

const local = { image_path: 'photo.png', engine: 'standard' };
const countJobs = async () => (await api.product.db.selectFrom('jobs').select('id').execute()).length;
const sizeOf = async (name: string) => sharp(await readFile(join(paths.folder, name))).metadata();
const dataOf = ({ structuredContent }: CallToolResult) => structuredContent as Record<string, unknown>;

it('lists its tools with arguments for files, and writes only messages to stdout', async () => {
  const { tools } = await mcp.client.listTools();
  const withFiles = tools.filter(({ inputSchema }) => /"(image|output)_path"/.test(JSON.stringify(inputSchema)));
  expect(withFiles.map(({ name }) => name)).toEqual([
    ...['upscale_image', 'resize_image', 'convert_image', 'estimate', 'save_result'],
  ]);
  for (const { annotations } of tools) expect(annotations?.destructiveHint).toBe(false);
  expect(mcp.errors).toEqual([]);
});

it('upscales a file into a new file, and says what it cost', async () => {
  const progress: Progress[] = [];
  const args = { ...local, scale_factor: 3, output_path: 'large.webp' };
  const result = await mcp.call('upscale_image', args, { onprogress: (one) => progress.push(one) });
  expect(result.isError, textOf(result)).toBeUndefined();
  const path = join(paths.folder, 'large.webp');
  expect(await sizeOf('large.webp')).toMatchObject({ format: 'webp', width: 120, height: 90 });
  expect(dataOf(result)).toMatchObject({ saved_to: path, credits_charged: 1, filename: 'photo.png' });
  expect(textOf(result)).toMatch(/Saved to \S+large\.webp\. Charged 1 credit\. 4,999 credits left\./);
  expect(result.content).toContainEqual(
    expect.objectContaining({ type: 'resource_link', uri: pathToFileURL(path).href, mimeType: 'image/webp' }),
  );
  const image = result.content.find((block) => block.type === 'image');
  expect(Buffer.from(image?.data ?? '', 'base64')).toEqual(await readFile(path));
  expect(progress.length).toBeGreaterThan(0);
  expect(progress.at(-1)).toMatchObject({ progress: 100, total: 100 });
});

it('resizes, converts, estimates, and saves results, and reads the account', async () => {
  const resized = await mcp.call('resize_image', { ...local, width: 20, output_path: 'small.png' });
  expect([resized.isError, (await sizeOf('small.png')).width]).toEqual([undefined, 20]);
  const uri = pathToFileURL(join(paths.folder, 'photo.png')).href;
  const converted = await mcp.call('convert_image', { image_path: uri, format: 'avif' });
  expect(dataOf(converted)).toMatchObject({ format: 'avif', processed_size: { width: 40, height: 30 } });
  // Models can't see AVIF.
  expect(converted.content.map(({ type }) => type)).toEqual(['text', 'resource_link', 'text']);
  const saved = await mcp.call('save_result', { job_id: dataOf(converted).id, output_path: 'photo.avif' });
  expect([dataOf(saved).saved_to, (await sizeOf('photo.avif')).format]).toEqual([
    join(paths.folder, 'photo.avif'),
    'heif',
  ]);
  const wrong = await mcp.call('save_result', { job_id: dataOf(converted).id, output_path: 'photo.gif' });
  expect(textOf(wrong)).toBe('The format is "avif", but "output_path" ends in ".gif". Change one of them.');
  const estimated = await mcp.call('estimate', { ...local, scale_factor: 2 });
  expect(dataOf(estimated)).toMatchObject({ width: 80, units: 1, original_size: { width: 40 } });
  expect(dataOf(await mcp.call('get_account'))).toMatchObject({ quota: [{ used: 3, left: 4_997 }] });
});

it('says that a copy of a stored result is free, and counts its credit as left', async () => {
  const args = { ...local, width: 25 };
  const first = dataOf(await mcp.call('resize_image', args));
  const repeated = await mcp.call('resize_image', args);
  const left = Number(dataOf(await mcp.call('estimate', local)).credits_remaining);
  expect(dataOf(repeated)).toMatchObject({ cached: true, credits_charged: 0, credits_remaining: left });
  expect([first.credits_charged, first.credits_remaining]).toEqual([1, left]);
  expect(textOf(repeated)).toContain(
    `Charged 0 credits because the result was stored. ${left.toLocaleString('en-US')} credits left.`,
  );
});

describe('a path that is not accepted', () => {
  it.each([
    [
      'another folder',
      () => ({ image_path: join(paths.outside, 'photo.png') }),
      /is outside the allowed folders: \/.*images\.$/,
    ],
    ['the parent folder', () => ({ image_path: '../private/photo.png' }), /is outside the allowed folders/],
    ['a link to another folder', () => ({ image_path: 'link.png' }), /"link\.png" is outside the allowed folders/],
    ['no file', () => ({ image_path: 'none.png' }), /^File not found: "none\.png"\. Allowed folders: /],
    ['no image', () => ({ image_path: 'notes.txt' }), /is not an image in a supported format: jpeg, png/],
    ['a folder', () => ({ image_path: '.' }), /is not an image in a supported format/],
    [
      'an existing file',
      () => ({ ...local, output_path: 'photo.png' }),
      /photo\.png" already exists and is never overwritten/,
    ],
    ['a result elsewhere', () => ({ ...local, output_path: '/tmp/out.png' }), /is outside the allowed folders/],
    ['a result behind a link', () => ({ ...local, output_path: 'linked/out.png' }), /is outside the allowed folders/],
    [
      'a missing folder',
      () => ({ ...local, output_path: 'none/out.png' }),
      /^The folder of "output_path" doesn't exist/,
    ],
    ['no extension', () => ({ ...local, output_path: 'out' }), /must end in the extension of a format: png, jpg/],
    ['another format', () => ({ ...local, output_path: 'a.png', format: 'webp' }), /^The format is "webp", but/],
    ['a late wait', () => ({ ...local, wait_seconds: 100 }), /^"wait_seconds" must be from 0 to 60/],
    [
      'a path as a URL',
      () => ({ image_url: join(paths.outside, 'photo.png') }),
      /must be a URL that begins with https/,
    ],
  ])('%s: returns an error and charges nothing', async (_, makeArgs, text) => {
    const [jobs, files] = [await countJobs(), await readdir(paths.folder)];
    const result = await mcp.call('upscale_image', makeArgs());
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(text)]);
    expect([await countJobs(), await readdir(paths.folder)]).toEqual([jobs, files]);
  });
});

it('uses the folders of its client, and none if the client names none', async () => {
  const roots = await openStdioClient({ roots: [pathToFileURL(paths.outside).href], env });
  expect((await roots.call('estimate', local)).isError).toBeUndefined();
  expect(textOf(await roots.call('estimate', { image_path: join(paths.folder, 'photo.png') }))).toContain('is outside');
  await roots.close();
  const bare = await openStdioClient({ env });
  expect(textOf(await bare.call('estimate', { image_path: '/etc/passwd' }))).toMatch(
    /^This server may not access files\./,
  );
  await bare.close();
});

it('lists its tools without settings, and says which are missing', async () => {
  const bare = await openStdioClient({ env: { UPREZ_URL: api.product.url } });
  expect(textOf(await bare.call('get_account'))).toBe('Missing API key. Pass "apiKey", or set UPREZ_API_KEY.');
  await bare.close();
  const wrong = await openStdioClient({ env: { ...env, UPREZ_API_KEY: 'upz_live_wrong' } });
  const refused = textOf(await wrong.call('get_account'));
  expect(refused).toMatch(
    /^Unauthorized: invalid API key\. Create a key on the "API Keys" page .*\ncode: bad_api_key\n/,
  );
  expect(refused).not.toContain('upz_live_wrong');
  await wrong.close();
});

for (const version of nodeVersions)
  it.skipIf(isLeftOut(version))(`answers calls in ${version}`, async () => {
    const { call, close, errors } = await openStdioClient({ folders: [paths.folder], env, node: nodeProgram(version) });
    try {
      await call('resize_image', { ...local, width: 20, output_path: `${version}.png` });
      expect([await sizeOf(`${version}.png`), errors]).toMatchObject([{ width: 20, height: 15 }, []]);
    } finally {
      await close();
    }
  });

it('cancels the job of a canceled call while that is free, and keeps the job of a closed client', async () => {
  await waitUntil(
    async () =>
      !(await api.product.db.selectFrom('jobs').select('id').where('status', '=', 'processing').executeTakeFirst()),
  );
  for (const service of api.product.services) if (service.name === 'worker') await service.end('SIGTERM');
  const findLast = () =>
    api.product.db.selectFrom('jobs').select(['id', 'status']).orderBy('createdAt', 'desc').executeTakeFirstOrThrow();
  const other = await openStdioClient({ folders: [paths.folder], env });
  const controller = new AbortController();
  const jobs = await countJobs();
  const canceled = other.call('resize_image', { ...local, width: 11 }, { signal: controller.signal });
  canceled.catch(() => {});
  await waitUntil(async () => (await countJobs()) > jobs);
  controller.abort('no longer needed');
  await expect(canceled).rejects.toThrow();
  const found = await waitUntil(async () => {
    const job = await findLast();
    return job.status === 'cancelled' && job;
  });
  expect(dataOf(await mcp.call('get_job', { job_id: found.id }))).toMatchObject({ status: 'cancelled', credits: 0 });

  const left = other.call('resize_image', { ...local, width: 12 });
  left.catch(() => {});
  await waitUntil(async () => (await countJobs()) > jobs + 1);
  await other.close();
  expect(await findLast()).toMatchObject({ status: 'queued' });
});
