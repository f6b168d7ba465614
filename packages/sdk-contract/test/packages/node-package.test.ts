import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { fileFixture } from '@uprez/testing/fixtures';
import { nodeProgram, nodeVersions } from '@uprez/testing/programs/node-programs';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import { publint } from 'publint';
import { build } from 'vite';
import { beforeAll, expect, it } from 'vitest';
import { openInstallFolder } from '../support/install-folder.ts';
import { openJobServer } from '../support/open-job-server.ts';
import { runIn, sdkDir } from '../support/sdks.ts';

const rootBin = (name: string) => fileURLToPath(new URL(`../../../../node_modules/.bin/${name}`, import.meta.url));
const server = fileFixture(openJobServer);
const folder = fileFixture(openInstallFolder);
let tarball = '';
const run = (command: readonly string[], env: Record<string, string> = {}) =>
  runIn('node', command, { cwd: folder.root, env });

const usage = `
const uprez = new Uprez({ apiKey: 'key', baseUrl: process.env.URL });
uprez.process(Buffer.from('image'), { scale: 2 }).toBuffer().then((bytes) => console.log(String(bytes), typeof verifyWebhook));
`;
const files = {
  'package.json': '{"private":true}',
  'run.mjs': `import { Uprez, verifyWebhook } from '@uprez/sdk-node';${usage}`,
  'run.cjs': `const { Uprez, verifyWebhook } = require('@uprez/sdk-node');${usage}`,
  'typed.mts': `import { Uprez, type Job } from '@uprez/sdk-node';
const job: Job = await new Uprez().process('a.jpg', { scale: 4 }).waitFor();
// @ts-expect-error: an unknown option
await new Uprez().process('a.jpg', { scales: 4 });
console.log(job.id);`,
  'typed.cts': `import sdk = require('@uprez/sdk-node');
import { errorCodes } from '@uprez/sdk-node/facts';
const error: sdk.ApiErrorCode = 'quota_exceeded';
console.log(new sdk.Uprez().jobs, errorCodes[error]);`,
  'browser.ts': `import { downloadResult, type Job } from '@uprez/sdk-node/browser';
export const read = async (job: Pick<Job, 'download_url'>): Promise<string> =>
  (await downloadResult(job.download_url ?? '', { onProgress: (bytes: number) => void bytes })).text();`,
};

beforeAll(async () => {
  await folder.write(files);
  await runIn('node', [rootBin('pnpm'), 'pack', '--pack-destination', folder.root]);
  const [name = ''] = (await fs.readdir(folder.root)).filter((one) => one.endsWith('.tgz'));
  tarball = path.join(folder.root, name);
  await run(['npm', 'install', '--offline', '--no-audit', '--no-fund', tarball]);
});

for (const version of nodeVersions)
  it.skipIf(isLeftOut(version))(`runs from ES modules and from CommonJS in ${version}`, async () => {
    for (const file of ['run.mjs', 'run.cjs'])
      expect(await run([nodeProgram(version), file], { URL: server.url })).toBe('image function\n');
  });

const runtimes = { deno: ['deno', 'run', '--allow-all', 'run.mjs'], bun: ['bun', 'run.mjs'] } as const;
for (const name of ['deno', 'bun'] as const)
  it.skipIf(isLeftOut(name))(`runs in ${name}`, async () => {
    expect(await run(runtimes[name], { URL: server.url })).toBe('image function\n');
  });

it('has types for ES modules, CommonJS, and browsers without the types of Node.js', async () => {
  const common = ['--noEmit', '--strict', '--ignoreConfig'];
  const roots = ['--typeRoots', path.join(sdkDir('node'), 'node_modules/@types')];
  await run([rootBin('tsc'), ...common, ...roots, '--types', 'node', '--module', 'nodenext', 'typed.mts', 'typed.cts']);
  const browser = ['--types', '', '--lib', 'ES2023,DOM', '--module', 'esnext', '--moduleResolution', 'bundler'];
  await run([rootBin('tsc'), ...common, ...browser, 'browser.ts']);
});

it('has nothing that publint and arethetypeswrong report', async () => {
  const { messages } = await publint({
    pack: { tarball: (await fs.readFile(tarball)).buffer as ArrayBuffer },
    strict: true,
  });
  expect(messages).toEqual([]);
  const checked = await checkPackage(createPackageFromTarballData(await fs.readFile(tarball)));
  // The module resolution of Node.js 10 doesn't know subpaths.
  const problems = checked.types
    ? checked.problems.filter((one) => !('resolutionKind' in one && one.resolutionKind === 'node10'))
    : ['no types'];
  expect(problems).toEqual([]);
});

it('contains what users need, and no sources, tests, or workspace versions', async () => {
  const installed = path.join(folder.root, 'node_modules/@uprez/sdk-node');
  expect((await fs.readdir(installed)).sort()).toEqual([
    ...['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'examples', 'package.json'],
  ]);
  const manifest = await fs.readFile(path.join(installed, 'package.json'), 'utf8');
  expect(JSON.parse(manifest)).not.toHaveProperty('dependencies');
  expect(manifest).not.toMatch(/workspace:|catalog:|@uprez\/source/);
});

it('bundles for browsers without modules of Node.js, and downloads a signed URL there', async () => {
  const output = path.join(folder.root, 'bundle');
  const lib = { entry: path.join(folder.root, 'browser.ts'), formats: ['es' as const], fileName: 'browser' };
  await build({ root: folder.root, configFile: false, logLevel: 'silent', build: { lib, outDir: output } });
  const [name = ''] = await fs.readdir(output);
  const code = await fs.readFile(path.join(output, name), 'utf8');
  expect(code).not.toMatch(/node:|require\(|process\.|Buffer|apiKey|authorization|__vite-browser-external/);
  const { read } = await import(path.join(output, name));
  await fetch(server.url, { method: 'POST', body: 'browser image' });
  expect(await read({ download_url: `${server.url}/file?sig=1` })).toBe('browser image');
});
