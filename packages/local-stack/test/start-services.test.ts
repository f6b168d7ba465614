import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort, findPortHolder, isPortFree } from '../src/find-free-port.ts';
import { findProcess } from '../src/find-process.ts';
import { runSetup, startServices, stopOrphanServices } from '../src/product/start-services.ts';
import { fixture, makeFolder, spawnStarter } from './helpers.ts';

/** Creates a checkout in which each service is the fixture. */
function makeCheckout(): string {
  const rootDir = makeFolder();
  writeFileSync(join(rootDir, 'package.json'), '{"type":"module"}');
  for (const name of ['gateway', 'worker', 'dispatcher']) {
    mkdirSync(join(rootDir, 'services', name, 'dist'), { recursive: true });
    cpSync(fixture('service.mjs'), join(rootDir, 'services', name, 'dist/main.js'));
  }
  return rootDir;
}

it('starts three services with their own metrics ports and stops them', async () => {
  const rootDir = makeCheckout();
  const lines: string[] = [];
  const running = await startServices({
    rootDir,
    dataDir: join(rootDir, '.data'),
    mode: 'built',
    webPort: 0,
    env: {},
    onLine: (name, line) => lines.push(`${name}: ${line}`),
    onFailure: (error) => lines.push(error.message),
  });
  onTestFinished(running.stop);
  await running.waitForAll(AbortSignal.timeout(20_000));
  for (const [name, url] of Object.entries(running.metrics)) {
    await expect.poll(() => lines).toContain(`${name}: listening on ${new URL(url).port}`);
  }
  const pids = running.services.map((service) => service.pid as number);
  expect(new Set(pids).size).toBe(3);
  await running.stop();
  expect(pids.map(findProcess)).toEqual([undefined, undefined, undefined]);
});

it('stops services whose starter was killed', async () => {
  const rootDir = makeCheckout();
  const { output, kill } = await spawnStarter('services', rootDir);
  await kill();
  expect(output.pids.every((pid) => findProcess(pid))).toBe(true);
  const input = { rootDir, dataDir: join(rootDir, '.data') };
  expect((await stopOrphanServices(input)).sort()).toEqual([...output.pids].sort());
  expect(output.pids.some((pid) => findProcess(pid))).toBe(false);
});

it('does not stop another program whose pid is in a pid file', async () => {
  const rootDir = makeCheckout();
  mkdirSync(join(rootDir, '.data/run'), { recursive: true });
  writeFileSync(join(rootDir, '.data/run/worker.pid'), `${process.pid}\n`);
  expect(await stopOrphanServices({ rootDir, dataDir: join(rootDir, '.data') })).toEqual([]);
});

it('throws an error with the exit code when setup fails', async () => {
  const folder = makeFolder();
  const file = join(folder, 'setup.mjs');
  const { signal } = new AbortController();
  writeFileSync(file, 'process.exit(Number(process.env.CODE))');
  await runSetup({ file, cwd: folder, env: { CODE: '0' }, signal });
  await expect(runSetup({ file, cwd: folder, env: { CODE: '4' }, signal })).rejects.toThrow('setup failed with code 4');
});

it.skipIf(process.platform !== 'linux')('returns the process that listens on a port', async () => {
  const port = await findFreePort();
  expect(findPortHolder(port)).toBeUndefined();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  expect(await isPortFree(port)).toBe(false);
  expect(findPortHolder(port)).toMatch(new RegExp(`^process ${process.pid}: `));
});
