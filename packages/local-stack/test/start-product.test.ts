import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { inheritedEnv } from '@uprez/testing/config';
import { pullTestModels } from '@uprez/testing/products/start-test-product';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../src/find-free-port.ts';
import { findProcess } from '../src/find-process.ts';
import { waitForReady } from '../src/poll-until.ts';
import { binDir, fixture, makeFolder } from './helpers.ts';

/** Starts the product in watch mode with embedded servers, and waits until it is ready. */
async function startWatching(dataDir: string, url: string) {
  if (existsSync(binDir)) symlinkSync(binDir, join(dataDir, 'redis-server'));
  const env = {
    ...inheritedEnv,
    PORT: new URL(url).port,
    DATA_DIR: dataDir,
    // The others would be downloaded during the test.
    AI_ENGINES: 'photo-fast',
    MODELS_DIR: await pullTestModels(),
  };
  const child = spawn(process.execPath, [fixture('start-product.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGTERM'));
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('Uprez is running')) return child;
  throw new Error('The product did not start.');
}

/** The number at the start of a pid file. */
const readPid = (file: string) => Number.parseInt(readFileSync(file, 'utf8'), 10);

/** Kills PostgreSQL and Redis, and waits until all services are ready with their successors. */
async function killServers(dataDir: string): Promise<void> {
  const servers = ['postgres/postmaster.pid', 'redis/redis.pid'].map((file) => join(dataDir, file));
  const pids = servers.map(readPid);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  const isRestarted = (file: string, at: number) => existsSync(file) && readPid(file) !== pids[at];
  await expect.poll(() => servers.every(isRestarted), { timeout: 20_000 }).toBe(true);
  const { metrics } = JSON.parse(readFileSync(join(dataDir, 'urls.json'), 'utf8'));
  for (const [name, url] of Object.entries(metrics)) await waitForReady(`${url}/readyz`, { name, timeoutMs: 30_000 });
}

it('serves the web app and the API, restarts killed servers, and stops every process on Ctrl-C', async () => {
  const dataDir = makeFolder();
  const url = `http://localhost:${await findFreePort()}`;
  const child = await startWatching(dataDir, url);
  const page = await fetch(`${url}/pricing`, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('/@vite/client');
  const body = JSON.stringify({ email: 'grace@example.test', password: 'six feet under', firstName: 'Grace' });
  const credentials = JSON.stringify({ email: 'grace@example.test', password: 'six feet under' });
  const headers = { origin: url, 'content-type': 'application/json' };
  expect((await fetch(`${url}/api/register`, { method: 'POST', headers, body })).status).toBe(201);
  const plans: PlanCard[] = await (await fetch(`${url}/api/plans`)).json();
  expect(plans.find(({ key }) => key === 'pro')?.priceId).toMatch(/^price_/);
  await killServers(dataDir);
  // Sign-in needs both servers: the account, and the counter of attempts.
  const signIn = async () => (await fetch(`${url}/api/login`, { method: 'POST', headers, body: credentials })).status;
  await expect.poll(signIn, { timeout: 20_000 }).toBe(200);
  const run = join(dataDir, 'run');
  const pids = readdirSync(run).map((name) => Number(readFileSync(join(run, name), 'utf8')));
  expect(pids).toHaveLength(4);
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
  expect(pids.filter(findProcess)).toEqual([]);
}, 240_000);
