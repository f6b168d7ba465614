import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeImage } from '@uprez/testing/make-image';
import { type ApiProduct, startApiProduct } from '@uprez/testing/products/start-test-product';
import { nodeProgram, nodeVersions } from '@uprez/testing/programs/node-programs';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import { waitUntil } from '@uprez/testing/wait-until';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CliOptions, runCli, startCli } from './support/run-cli.ts';

let api: ApiProduct;
let options: CliOptions;
let key: string;
beforeAll(async () => {
  api = await startApiProduct();
});
afterAll(() => api.close());

beforeEach(async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'uprez-cli-'));
  key = await api.makeKey();
  options = { cwd, env: { UPREZ_API_KEY: key, UPREZ_URL: api.product.url } };
  return () => rm(cwd, { recursive: true, force: true });
});

const put = async (name: string, image: Buffer | string) => {
  const path = join(options.cwd, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, image);
  return path;
};
const putImage = async (name: string, seed = 1) => put(name, await makeImage({ width: 40, height: 30, seed }));
const sizeOf = async (name: string) => sharp(await readFile(join(options.cwd, name))).metadata();
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const uprez = (...args: string[]) => runCli(args, options);
const jobsOf = async () => {
  const answer = await fetch(`${api.product.url}/v1/jobs`, { headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { data: { id: string; status: string }[] }).data;
};
const used = async () => {
  const answer = await fetch(`${api.product.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } });
  const { quota } = (await answer.json()) as { quota: { used: number }[] };
  return quota.reduce((sum, meter) => sum + meter.used, 0);
};
const standard = ['--engine', 'standard'];

for (const version of nodeVersions)
  it.skipIf(isLeftOut(version))(`processes an image in ${version}`, async () => {
    await putImage('in/a.png');
    const ran = await runCli(['in', '-o', 'out', '--scale', '2', ...standard], {
      ...options,
      node: nodeProgram(version),
    });
    expect([ran.code, ran.err]).toEqual([0, '1 done; 1 credit charged.\n']);
    expect(await sizeOf('out/a.jpg')).toMatchObject({ width: 80, height: 60 });
  });

it('processes a folder except a broken file, and only the rest in the second run', async () => {
  await putImage('in/a.png', 1);
  await putImage('in/deep/a.png', 2);
  await put('in/broken.png', 'not an image');
  await put('in/notes.txt', 'ignored');
  const first = await uprez('in', '--out', 'out', '--scale', '3', '--json', ...standard);
  expect([first.code, first.err]).toEqual([1, '']);
  const events = lines(first.out);
  expect(events.at(-1)).toEqual({ event: 'summary', done: 2, skipped: 0, failed: 1, left: 0, charged: 2 });
  expect(events.find(({ event }) => event === 'failed')).toMatchObject({
    source: join(options.cwd, 'in/broken.png'),
    code: 'unsupported_format',
  });
  for (const name of ['out/a.jpg', 'out/deep/a.jpg'])
    expect(await sizeOf(name)).toMatchObject({ format: 'jpeg', width: 120, height: 90 });
  expect((await readdir(join(options.cwd, 'out'))).sort()).toEqual(['.uprez', 'a.jpg', 'deep']);
  const dry = await uprez('in', '--out', 'out', '--scale', '3', '--dry-run', ...standard);
  expect(dry.out).toMatch(/in\/a\.png .* already done/);
  expect(dry.out).toContain('This would cost 0 credits.');
  const { mtimeMs } = await stat(join(options.cwd, 'out/a.jpg'));

  await put('in/broken.png', await makeImage({ width: 10, height: 10 }));
  const second = await uprez('in', '--out', 'out', '--scale', '3', ...standard);
  expect([second.code, second.err]).toEqual([0, '1 done, 2 already done; 1 credit charged.\n']);
  expect((await stat(join(options.cwd, 'out/a.jpg'))).mtimeMs).toBe(mtimeMs);
  expect(await used()).toBe(3);
});

it('continues after being killed, without charging twice', async () => {
  for (let seed = 1; seed <= 8; seed += 1) await putImage(`in/p${seed}.png`, seed);
  const args = ['in', '-o', 'out', '-c', '3', ...standard];
  const results = () => readdir(join(options.cwd, 'out')).then((names) => names.filter((name) => /jpg$/.test(name)));
  for (let round = 1; round <= 3; round += 1) {
    const before = (await results().catch(() => [])).length;
    const running = startCli(args, options);
    const isDue = async () => (await jobsOf()).length > before + 1 || (await results().catch(() => [])).length > before;
    await waitUntil(isDue, { everyMs: 5, what: 'some work' });
    running.kill('SIGKILL');
    await running.ended;
  }
  const last = await uprez(...args);
  expect(last.code).toBe(0);
  expect(await results()).toHaveLength(8);
  for (const name of await results()) expect(await sizeOf(`out/${name}`)).toMatchObject({ width: 80, height: 60 });
  expect([await used(), (await jobsOf()).length]).toEqual([8, 8]);
  expect(await readdir(join(options.cwd, 'out/.uprez/parts'))).toEqual([]);
});

it('shows sizes and credits in a dry run, without processing', async () => {
  await putImage('in/a.png');
  await put('in/b.png', 'not an image');
  const { code, out } = await uprez('in', '--out', 'out', '--width', '100', '--dry-run', ...standard);
  expect(code).toBe(1);
  expect(out).toMatch(/in\/a\.png +40 x 30 +100 x 75 .* 1 +shared/);
  expect(out).toContain('This would cost 1 credit (shared, 5,000 left).');
  expect(out).toMatch(/in\/b\.png .*can't be read/);
  expect(await readdir(options.cwd)).toEqual(['in']);
  expect(await jobsOf()).toEqual([]);
  const json = lines((await uprez('in/a.png', '-n', '-o', 'out', '--json', '--scale', '2')).out);
  expect(json).toMatchObject([
    { event: 'estimate', width: 80, units: 1 },
    { event: 'summary', images: 1 },
  ]);
});

it('does not overwrite results with the same name or existing files', async () => {
  await putImage('one/x.png', 1);
  await putImage('two/x.png', 2);
  await put('two/x.webp', await makeImage({ width: 40, height: 30, format: 'webp', seed: 3 }));
  await put('out/y.jpg', 'precious');
  await putImage('y.png', 4);
  const first = await uprez('one/*.png', 'two', 'y.png', '-o', 'out', ...standard);
  expect(first.code).toBe(1);
  expect(first.err).toContain('"y.jpg" already exists. Add --force');
  expect(
    (await readdir(join(options.cwd, 'out'), { recursive: true })).filter((name) => /jpg$/.test(name)).sort(),
  ).toEqual(['two/x.jpg', 'x-webp.jpg', 'x.jpg', 'y.jpg']);
  expect(await readFile(join(options.cwd, 'out/y.jpg'), 'utf8')).toBe('precious');
  expect((await uprez('y.png', '-o', 'out', '--force', ...standard)).code).toBe(0);
  expect(await sizeOf('out/y.jpg')).toMatchObject({ width: 80 });
});

it('processes new images in a watched folder', async () => {
  await putImage('in/a.png', 1);
  const running = startCli(['watch', 'in', '-o', 'out', '--interval', '1', ...standard], options);
  const has = (name: string) =>
    stat(join(options.cwd, 'out', name)).then(
      () => true,
      () => false,
    );
  await waitUntil(() => has('a.jpg'), { what: 'the first result' });
  await putImage('in/b.png', 2);
  await waitUntil(() => has('b.jpg'), { what: 'the second result' });
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
});

it('stops on an invalid key; uses a stored key without showing it', async () => {
  await putImage('a.png');
  const wrong = { ...options, env: { ...options.env, UPREZ_API_KEY: 'upz_live_wrong' } };
  const refused = await runCli(['a.png', '-o', 'out'], wrong);
  expect([refused.code, refused.out]).toEqual([2, '']);
  expect(refused.err).toContain('Unauthorized: invalid API key.');

  const bare = { cwd: options.cwd, env: {} };
  expect((await runCli(['a.png', '-o', 'out'], bare)).err).toContain('uprez login');
  const stored = await runCli(['login', '--url', api.product.url], { ...bare, input: `${key}\n` });
  const file = join(options.cwd, '.config/uprez/config.json');
  expect([stored.code, (await stat(file)).mode & 0o777]).toEqual([0, 0o600]);
  const account = await runCli(['account'], bare);
  expect([account.code, account.out]).toEqual([0, expect.stringContaining('Plan: API Pro')]);
  const made = await runCli(['a.png', '-o', 'out', ...standard], bare);
  expect(made.code).toBe(0);
  const elsewhere = await runCli(['account', '--url', 'http://127.0.0.1:9'], bare);
  expect([elsewhere.code, elsewhere.err]).toEqual([2, expect.stringContaining('The stored API key is for')]);
  await chmod(file, 0o644);
  const loose = await runCli(['account'], bare);
  expect([loose.code, loose.err]).toEqual([2, expect.stringContaining('chmod 600')]);
  for (const { out, err } of [stored, account, made, loose]) expect(out + err).not.toContain(key);
});

it('stops when the limit of the key is reached, and leaves the rest', async () => {
  for (let seed = 1; seed <= 3; seed += 1) await putImage(`in/p${seed}.png`, seed);
  key = await api.makeKey({ monthlyCap: 1 });
  options = { cwd: options.cwd, env: { UPREZ_API_KEY: key, UPREZ_URL: api.product.url } };
  const { code, err } = await uprez('in', '-o', 'out', '-c', '1', ...standard);
  expect([code, err]).toEqual([3, expect.stringContaining('1 done, 2 left; 1 credit charged.\n')]);
  expect(err).toContain('monthly limit');
});

it('processes images locally if uprez-image is installed', async () => {
  await putImage('in/a.png');
  const without = { ...options.env, PATH: dirname(process.execPath) };
  const refused = await runCli(['in', '-o', 'out', '--local', ...standard], { ...options, env: without });
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('--local requires uprez-image')]);
  const env = { PATH: `${join(import.meta.dirname, '../../../node_modules/.bin')}:${process.env.PATH}` };
  const { code, err } = await runCli(['in', '-o', 'out', '--local', '--scale', '2', ...standard], { ...options, env });
  expect([code, err]).toEqual([0, '1 done; 0 credits charged.\n']);
  expect(await sizeOf('out/a.png')).toMatchObject({ format: 'png', width: 80, height: 60 });
});
