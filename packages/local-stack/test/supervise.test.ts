import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../src/find-free-port.ts';
import { findProcess } from '../src/find-process.ts';
import { waitForReady } from '../src/poll-until.ts';
import { type SuperviseOptions, superviseService } from '../src/product/start-services.ts';
import { fixture, makeFolder } from './helpers.ts';

async function supervise(env: NodeJS.ProcessEnv = {}, options: Partial<SuperviseOptions> = {}) {
  const folder = makeFolder();
  const port = await findFreePort();
  const lines: string[] = [];
  const errors: Error[] = [];
  const events = join(folder, 'events');
  const pidFile = join(folder, 'run/fixture.pid');
  const service = superviseService(
    {
      name: 'fixture',
      args: [fixture('service.mjs')],
      cwd: folder,
      env: { METRICS_PORT: String(port), EVENTS: events, ...env },
      pidFile,
    },
    { onLine: (_name, line) => lines.push(line), onFailure: (error) => errors.push(error), backoffMs: 5, ...options },
  );
  onTestFinished(() => service.stop());
  const url = `http://127.0.0.1:${port}/readyz`;
  const ready = () => waitForReady(url, { name: 'fixture', timeoutMs: 10_000 });
  return { service, lines, errors, events, pidFile, ready };
}

it('forwards the output by line, writes a pid file, and stops with SIGTERM', async () => {
  const { service, lines, errors, events, pidFile, ready } = await supervise();
  await ready();
  const pid = Number(readFileSync(pidFile, 'utf8'));
  expect(pid).toBe(service.pid);
  await expect.poll(() => lines).toContainEqual(expect.stringMatching(/^listening on/));
  await service.stop();
  expect(readFileSync(events, 'utf8')).toBe(`started ${pid}\nsigterm ${pid}\n`);
  expect(findProcess(pid)).toBeUndefined();
  expect(existsSync(pidFile)).toBe(false);
  expect(errors).toEqual([]);
});

it('restarts a killed service', async () => {
  const { service, lines, ready } = await supervise();
  await ready();
  const first = service.pid as number;
  process.kill(first, 'SIGKILL');
  await expect.poll(() => service.pid !== first && service.pid).toBeTruthy();
  await ready();
  expect(lines).toContain('exited with SIGKILL, restarting in 0.005 s');
});

it('stops restarting a service that exits five times within a minute', async () => {
  const { errors, events, lines } = await supervise({ FAIL_AT_ONCE: '1' });
  await expect.poll(() => errors, { timeout: 10_000 }).toHaveLength(1);
  expect(errors[0]?.message).toBe('fixture exited 5 times within a minute, most recently with code 3');
  expect(readFileSync(events, 'utf8').match(/started/g)).toHaveLength(5);
  expect(lines).toContain('cannot start');
});

it('does not restart a service that is stopped during the delay', async () => {
  const { service, events, ready } = await supervise({}, { backoffMs: 60_000 });
  await ready();
  process.kill(service.pid as number, 'SIGKILL');
  await expect.poll(() => service.pid).toBeUndefined();
  await service.stop();
  expect(readFileSync(events, 'utf8').match(/started/g)).toHaveLength(1);
});

it('kills a service that ignores SIGTERM after the grace period', async () => {
  const { service, ready } = await supervise({ IGNORE_SIGTERM: '1' }, { graceMs: 200 });
  await ready();
  const pid = service.pid as number;
  await service.stop();
  expect(findProcess(pid)).toBeUndefined();
});

it('reports the last response of a service that does not become ready', async () => {
  const url = `http://127.0.0.1:${await findFreePort()}/readyz`;
  const waiting = waitForReady(url, { name: 'worker', timeoutMs: 100 });
  await expect(waiting).rejects.toThrow(`worker is not ready after 0.1 s. Last response of ${url}: none`);
});
