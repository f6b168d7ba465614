import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort, isPortFree } from '../src/find-free-port.ts';
import { findProcess } from '../src/find-process.ts';
import { findPortHolder } from '../src/product/find-port-holder.ts';
import { runSetup } from '../src/product/run-setup.ts';
import { startServices, stopOrphanServices } from '../src/product/start-services.ts';
import { fixture, makeFolder, spawnStarter } from './helpers.ts';

/** A checkout whose three services are the fixture. */
function makeCheckout(): string {
  const rootDir = makeFolder();
  writeFileSync(join(rootDir, 'package.json'), '{"type":"module"}');
  for (const name of ['gateway', 'worker', 'dispatcher']) {
    mkdirSync(join(rootDir, 'services', name, 'dist'), { recursive: true });
    cpSync(fixture('service.mjs'), join(rootDir, 'services', name, 'dist/main.js'));
  }
  return rootDir;
}

test('the three services get metrics ports of their own, get ready, and end together', async () => {
  const rootDir = makeCheckout();
  const lines: string[] = [];
  const running = await startServices({
    rootDir,
    dataDir: join(rootDir, '.data'),
    mode: 'built',
    webPort: 0,
    env: {},
    onLine: (name, line) => lines.push(`${name}: ${line}`),
    onGiveUp: (error) => lines.push(error.message),
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

test('services whose starter was killed are found by their pid files and ended', async () => {
  const rootDir = makeCheckout();
  const { told, kill } = await spawnStarter('services', rootDir);
  await kill();
  expect(told.pids.every((pid) => findProcess(pid))).toBe(true);
  const input = { rootDir, dataDir: join(rootDir, '.data') };
  expect((await stopOrphanServices(input)).sort()).toEqual([...told.pids].sort());
  expect(told.pids.some((pid) => findProcess(pid))).toBe(false);
});

test('a pid file that names some other program ends nothing', async () => {
  const rootDir = makeCheckout();
  mkdirSync(join(rootDir, '.data/run'), { recursive: true });
  writeFileSync(join(rootDir, '.data/run/worker.pid'), `${process.pid}\n`);
  expect(await stopOrphanServices({ rootDir, dataDir: join(rootDir, '.data') })).toEqual([]);
});

test('setup that fails is an error with its code', async () => {
  const folder = makeFolder();
  const file = join(folder, 'setup.mjs');
  const { signal } = new AbortController();
  writeFileSync(file, 'process.exit(Number(process.env.CODE))');
  await runSetup({ file, cwd: folder, env: { CODE: '0' }, signal });
  await expect(runSetup({ file, cwd: folder, env: { CODE: '4' }, signal })).rejects.toThrow('setup failed with code 4');
});

test.skipIf(process.platform !== 'linux')('the holder of a busy port is named', async () => {
  const port = await findFreePort();
  expect(findPortHolder(port)).toBeUndefined();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  expect(await isPortFree(port)).toBe(false);
  expect(findPortHolder(port)).toMatch(new RegExp(`^process ${process.pid}: `));
});
