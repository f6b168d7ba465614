import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inheritedEnv } from '@uprez/testing/config';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { makeRedisOptions } from '@uprez/testing/redis';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../src/find-free-port.ts';
import { findProcess } from '../src/find-process.ts';
import { fixture, makeFolder } from './helpers.ts';

/** Starts the product in watch mode on servers of this test, and waits until it is ready. */
async function startWatching(dataDir: string, url: string) {
  const database = await openTestDatabase({ empty: true });
  onTestFinished(database.close);
  const redis = makeRedisOptions();
  const env = {
    ...inheritedEnv,
    PORT: new URL(url).port,
    DATA_DIR: dataDir,
    MODELS_DIR: fileURLToPath(new URL('../../../.data/models', import.meta.url)),
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    QUEUE_PREFIX: redis.prefix,
  };
  const child = spawn(process.execPath, [fixture('start-product.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGTERM'));
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('Uprez is running')) return child;
  throw new Error('The product did not start.');
}

it('serves the web app with hot reload and the API, and stops every process on Ctrl-C', async () => {
  const dataDir = makeFolder();
  const url = `http://localhost:${await findFreePort()}`;
  const child = await startWatching(dataDir, url);
  const page = await fetch(`${url}/pricing`, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('/@vite/client');
  const body = JSON.stringify({ email: 'grace@example.test', password: 'six feet under', firstName: 'Grace' });
  const headers = { origin: url, 'content-type': 'application/json' };
  expect((await fetch(`${url}/api/register`, { method: 'POST', headers, body })).status).toBe(201);
  const run = join(dataDir, 'run');
  const pids = readdirSync(run).map((name) => Number(readFileSync(join(run, name), 'utf8')));
  expect(pids).toHaveLength(4);
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
  expect(pids.filter(findProcess)).toEqual([]);
}, 180_000);
