import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnv } from '@uprez/testing/config';
import { testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { type ApiProduct, pullTestModels, startApiProduct } from '@uprez/testing/products/start-test-product';
import { oldestNode } from '@uprez/testing/programs/node-programs';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import { waitUntil } from '@uprez/testing/wait-until';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openHurriedProxy } from '../../../../apps/web/test/support/open-hurried-proxy.ts';
import { POST } from '../../../../examples/nextjs/app/api/upscale/route.ts';
import { examplesDir, openServer } from '../support/open-server.ts';
import { sdkDir } from '../support/sdks.ts';

const runFile = promisify(execFile);
let api: ApiProduct;
let key: string;
let folder: string;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-examples-'));
  api = await startApiProduct({ MODELS_DIR: await pullTestModels(), LEASE_S: '30' });
  key = await api.makeKey();
});
afterAll(async () => {
  const report = await api?.product.settle(20_000);
  await api?.close();
  await fs.rm(folder, { recursive: true, force: true });
  expect(report.errors).toEqual([]);
});

/** New images, because the same image would return a stored result. */
let seed = 0;
const makePhoto = () => makeImage({ width: 40, height: 30, format: 'jpeg', seed: ++seed });
const sizeOf = async (image: Uint8Array) => {
  const { format, width, height } = await sharp(image).metadata();
  return [format, width, height];
};
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const makeForm = (fields: Record<string, Blob | string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};
const file = (content: Uint8Array | string, name: string) =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name);
const countJobs = async () => {
  const { db } = api.product;
  const { count } = await db.selectFrom('jobs').select(db.fn.countAll().as('count')).executeTakeFirstOrThrow();
  return Number(count);
};
const setting = (values: Record<string, string> = {}) => ({
  UPREZ_URL: api.product.url,
  UPREZ_API_KEY: key,
  ...values,
});

it('every example is in the table of the readme', async () => {
  const readme = await fs.readFile(path.join(examplesDir, 'README.md'), 'utf8');
  const entries = await fs.readdir(examplesDir, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isDirectory())) expect(readme).toContain(`(${name}`);
});

describe('the route handler of Next.js', () => {
  const upload = (body: BodyInit, values = {}) => {
    for (const [name, value] of Object.entries(setting(values))) vi.stubEnv(name, value);
    return POST(new Request('http://localhost/api/upscale', { method: 'POST', body }));
  };
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('returns the upscaled image', async () => {
    const response = await upload(makeForm({ image: file(await makePhoto(), 'photo.jpg') }));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(await sizeOf(await bytesOf(response))).toEqual(['jpeg', 80, 60]);
    const job = api.product.db.selectFrom('jobs').select('filename');
    const { filename } = await job.where('id', '=', response.headers.get('x-job-id') ?? '').executeTakeFirstOrThrow();
    expect(filename).toBe('photo.jpg');
  });

  it.each([
    ['a form without an image', () => makeForm({}), [400, 'image_missing']],
    ['a text instead of a file', () => makeForm({ image: 'photo.jpg' }), [400, 'image_missing']],
    ['an empty file', () => makeForm({ image: file('', 'photo.jpg') }), [400, 'image_missing']],
    ['a body that is no form', () => '{}', [400, 'image_missing']],
    ['a file that is no image', () => makeForm({ image: file('text', 'a.jpg') }), [415, 'unsupported_format']],
  ])('returns an error to %s', async (_name, make, expected) => {
    const before = await countJobs();
    const response = await upload(make());
    const { code, message } = (await response.json()) as { code: string; message: string };
    expect([response.status, code, message.length > 10]).toEqual([...expected, true]);
    expect(await countJobs()).toBe(before);
  });

  it('tells visitors nothing about an invalid API key, and the operator its error', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    const response = await upload(makeForm({ image: file(await makePhoto(), 'a.jpg') }), { UPREZ_API_KEY: `${key}x` });
    expect(response.status).toBe(502);
    expect(await response.text()).not.toMatch(/key|upz_/i);
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ code: 'bad_api_key' }));
  });
});

describe('the HTML form', () => {
  const site = testFixture(() =>
    openServer({
      cwd: path.join(examplesDir, 'html-form'),
      command: () => [oldestNode, 'server.mjs'],
      env: setting(),
    }),
  );
  /** Sends the form of the page as a browser does: its action, method, and the names of its fields. */
  const submit = async (image: File, scale: string) => {
    const html = await (await fetch(site.url)).text();
    const [, action = ''] = /<form action="(.*?)" method="post" enctype="multipart\/form-data">/.exec(html) ?? [];
    const [fileField = '', scaleField = ''] = [...html.matchAll(/ name="([a-z]+)"/g)].map(([, name]) => name).slice(1);
    expect(html).toContain(`<option value="${scale}">`);
    const body = makeForm({ [fileField]: image, [scaleField]: scale });
    return fetch(new URL(action, site.url), { method: 'POST', body, redirect: 'manual' });
  };

  it('leads to a page with the pre-signed URL of the result', async () => {
    const posted = await submit(file(await makePhoto(), 'photo.jpg'), '4');
    expect(posted.status).toBe(303);
    const jobUrl = new URL(posted.headers.get('location') ?? '', site.url);
    const html = await waitUntil(async () => {
      const page = await (await fetch(jobUrl)).text();
      return !page.includes('http-equiv="refresh"') && page;
    });
    expect(html).toContain('160 x 120 pixels');
    expect(html).not.toContain(key);
    const link = /<a href="(.*?)">Download/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(link).toMatch(new RegExp(`^${api.product.url}/v1/.*sig=`));
    expect(/<img src="(.*?)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')).toBe(link);
    const result = await fetch(link);
    expect(await sizeOf(await bytesOf(result))).toEqual(['jpeg', 160, 120]);
    // Browsers refuse images of other sites without this header.
    expect(result.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  it('returns pages for errors', async () => {
    const before = await countJobs();
    const text = await submit(file('<b>text</b>', '<b>.jpg'), '2');
    expect([text.status, await text.text()]).toEqual([415, expect.stringMatching(/<h1>.*supported image/s)]);
    expect((await submit(file('', ''), '2')).status).toBe(400);
    const url = `${site.url}/images`;
    expect((await fetch(url, { method: 'POST', body: 'image=1' })).status).toBe(400);
    expect((await fetch(`${url}/0199a3c4-5b7e-7c21-9d4e-2f6a8b1c3d5e`)).status).toBe(404);
    expect((await fetch(`${url}/..%2f`)).status).toBe(404);
    expect((await fetch(url, { method: 'PUT' })).status).toBe(405);
    expect(await countJobs()).toBe(before);
  });
});

describe.skipIf(isLeftOut('curl'))('the shell script', () => {
  const script = path.join(examplesDir, 'shell/upscale-folder.sh');
  const run = (env = {}, args = ['photos', 'large']) =>
    runFile('sh', [script, ...args], { cwd: folder, env: { ...inheritedEnv, ...setting(env) } }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }) as { code: number; stdout: string; stderr: string },
    );
  const at = (...names: string[]) => path.join(folder, ...names);
  const names = ['"a;b" [1-2] {x} %20 ü.PNG', 'photo.jpg'];
  beforeAll(async () => {
    await fs.mkdir(at('photos/folder.jpg'), { recursive: true });
    for (const name of names) await fs.writeFile(at('photos', name), await makePhoto());
    await fs.writeFile(at('photos/broken.jpg'), 'This is no image.');
    await fs.writeFile(at('photos/notes.txt'), 'This is no image.');
  });

  it('stops at an invalid API key', async () => {
    const { code, stderr } = await run({ UPREZ_API_KEY: `${key}x` });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^stopped at photos\/.*bad_api_key/)]);
    expect(await fs.readdir(at('large'))).toEqual([]);
  });

  it('saves every image, and reports those that failed', async () => {
    const { code, stdout, stderr } = await run();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^failed: photos\/broken.jpg: .*unsupported_format/);
    expect(stdout.match(/^saved: /gm)).toHaveLength(2);
    expect((await fs.readdir(at('large'))).sort()).toEqual(names.map((name) => `${name}.webp`));
    for (const name of names)
      expect(await sizeOf(await fs.readFile(at('large', `${name}.webp`)))).toEqual(['webp', 80, 60]);
  });

  it('skips saved results, and waits for results that are not ready', async () => {
    await fs.rm(at('photos/broken.jpg'));
    await fs.writeFile(at('photos/third.webp'), await makePhoto());
    const hurried = await openHurriedProxy(api.product.url);
    const before = await countJobs();
    const { code, stdout } = await run({ UPREZ_URL: hurried.url });
    await hurried.close();
    expect([code, stdout.match(/^exists: /gm)?.length]).toEqual([0, 2]);
    expect(stdout).toContain('saved: large/third.webp.webp');
    expect(await sizeOf(await fs.readFile(at('large/third.webp.webp')))).toEqual(['webp', 80, 60]);
    expect(await countJobs()).toBe(before + 1);
  });

  it('explains what is missing', async () => {
    expect(await run({}, ['photos'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage:') });
    expect((await run({ UPREZ_API_KEY: '' })).stderr).toContain('Set UPREZ_API_KEY');
    expect(await run({ UPREZ_URL: 'http://127.0.0.1:1' }, ['photos', 'other'])).toMatchObject({ code: 1 });
  });
});

describe.skipIf(isLeftOut('python'))('the notebook script', () => {
  it('compares the available engines by fidelity and time', async () => {
    await fs.writeFile(path.join(folder, 'portrait.jpg'), await makePhoto());
    const env = { PYTHONPATH: path.join(sdkDir('python'), 'src'), PYTHONDONTWRITEBYTECODE: '1', IMAGE: 'portrait.jpg' };
    const script = path.join(examplesDir, 'python/compare_engines.py');
    const { stdout } = await runFile('python3', [script], { cwd: folder, env: { ...inheritedEnv, ...setting(env) } });
    const read = (name: string) => fs.readFile(path.join(folder, 'engines', name), 'utf8');
    const [columns, ...rows] = (await read('engines.csv'))
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(columns).toEqual(['engine', 'fidelity', 'seconds', 'bytes', 'file']);
    expect(rows.map(([engine]) => engine).sort()).toEqual(['nearest', 'photo-fast', 'standard']);
    const jobs = await api.product.db.selectFrom('jobs').selectAll().where('filename', '=', 'portrait.jpg').execute();
    for (const [engine = '', fidelity, seconds, , file = ''] of rows) {
      const receipt = jobs.find((job) => job.receipt?.engine === engine)?.receipt;
      expect(Number(fidelity)).toBe(receipt?.fidelity?.score);
      expect(Number(seconds)).toBeGreaterThan(0);
      expect(await sizeOf(await fs.readFile(path.join(folder, 'engines', file)))).toEqual(['png', 80, 60]);
    }
    const scores = rows.map(([, fidelity]) => Number(fidelity));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const table = await read('engines.md');
    expect(table.split('\n').slice(0, 2)).toEqual([`| ${columns?.join(' | ')} |`, '| --- | --- | --- | --- | --- |']);
    expect(stdout).toContain(table);
    expect(stdout).toContain("photo: isn't available");
  });
});
