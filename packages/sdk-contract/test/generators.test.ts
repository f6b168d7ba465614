import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inheritedEnv } from '@uprez/testing/config';
import { makeImage } from '@uprez/testing/make-image';
import { startApiProduct } from '@uprez/testing/products/start-test-product';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packagesDir } from './support/sdks.ts';

const modules = path.join(packagesDir, 'sdk-contract/node_modules');
const clientsDir = fileURLToPath(new URL('clients', import.meta.url));
const runFile = promisify(execFile);

let folder: string;
let product: Awaited<ReturnType<typeof startApiProduct>>;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-generators-'));
  await fs.cp(clientsDir, folder, { recursive: true });
  await fs.symlink(modules, path.join(folder, 'node_modules'));
  await fs.writeFile(path.join(folder, 'image.png'), await makeImage({ width: 40, height: 30, seed: 7 }));
  product = await startApiProduct();
});
afterAll(async () => {
  await product?.close();
  await fs.rm(folder, { recursive: true, force: true });
});

/** Runs a program of a package, in the folder. Returns its output. Throws if it fails. */
async function runTool(name: string, ...args: string[]): Promise<string> {
  const file = path.join(modules, '.bin', name);
  const { stdout, stderr } = await runFile(file, args, { cwd: folder, env: inheritedEnv }).catch((error) => {
    throw new Error(`${name} failed:\n${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

const tsconfig = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    rootDir: '.',
    outDir: 'dist',
  },
};
const orvalConfig = (input: string) => ({
  uprez: {
    input,
    output: {
      target: 'generated/orval.ts',
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
      override: { splitByContentType: true },
    },
  },
});

it('has a document from which generators make clients that compile and work', async () => {
  const { url } = product.product;
  const document = `${url}/v1/openapi.json`;
  await fs.writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const config = `export default ${JSON.stringify(orvalConfig(document))}`;
  await fs.writeFile(path.join(folder, 'orval.config.mjs'), config);
  await Promise.all([
    runTool('openapi-ts', '--input', document, '--output', 'generated/hey-api'),
    runTool('openapi-typescript', document, '--output', 'generated/schema.d.ts', '--default-non-nullable=false'),
    runTool('orval', '--config', 'orval.config.mjs'),
  ]);
  expect(await runTool('tsc', '--project', '.')).toBe('');
  const results = await Promise.all(
    ['hey-api', 'openapi-fetch', 'orval'].map(async (client) => {
      const args = ['run.mjs', client, url, await product.makeKey(), 'image.png'];
      const { stdout } = await runFile(process.execPath, args, { cwd: folder, env: inheritedEnv });
      return JSON.parse(stdout);
    }),
  );
  const seen = { id: expect.any(String), status: 'completed', width: 80, creditsUsed: 1, errorCode: 'job_not_found' };
  expect(results).toEqual([seen, seen, seen]);
});
