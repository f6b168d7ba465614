import type { Readiness } from '@uprez/contracts/schemas/health';
import { afterEach, expect, test } from 'vitest';
import { openMetrics } from './open-metrics.ts';
import { type OperatorServer, openOperatorServer } from './open-operator-server.ts';

let server: OperatorServer | undefined;
afterEach(() => server?.close());

async function ask(path: string, readiness: () => Promise<Readiness> = async () => ({ ready: true, checks: {} })) {
  server = await openOperatorServer(
    { METRICS_HOST: '127.0.0.1', METRICS_PORT: 0 },
    { readiness, metrics: openMetrics() },
  );
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

test('/healthz returns 200', async () => {
  expect(await ask('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
});

test.each([
  [true, 200],
  [false, 503],
])('/readyz with ready: %s returns %i with every check', async (ready, status) => {
  const answer = await ask('/readyz?verbose', async () => ({ ready, checks: { database: 'ok', redis: 'down' } }));
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text)).toEqual({ ready, checks: { database: 'ok', redis: 'down' } });
});

test('/readyz returns 503 when its checks throw', async () => {
  const answer = await ask('/readyz', () => Promise.reject(new Error('no pool')));
  expect(answer.status).toBe(503);
  expect(JSON.parse(answer.text)).toMatchObject({ ready: false });
});

test('metrics contain the state of each check', async () => {
  const checks = { database: 'ok', redisSettings: 'appendonly is no', jail: 'full' };
  const { text } = await ask('/metrics', async () => ({ ready: false, checks }));
  const states = text.match(/^readiness_check\{.*$/gm);
  expect(states).toEqual(['readiness_check{check="database"} 1', 'readiness_check{check="redisSettings"} 0']);
});

test('metrics have the format of Prometheus, and other paths return 404', async () => {
  const { type, text } = await ask('/metrics');
  expect(type).toMatch(/^text\/plain; version=0\.0\.4/);
  for (const family of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    expect(text).toMatch(new RegExp(`^${family} [0-9.e+-]+`, 'm'));
  await server?.close();
  expect((await ask('/metrics/../secrets')).status).toBe(404);
});

test.skipIf(process.platform !== 'linux').each([
  ['127.0.0.1', false],
  ['0.0.0.0', true],
])('a server on %s is reachable at another address of this machine: %s', async (host, isReachable) => {
  const readiness = async () => ({ ready: true, checks: {} });
  server = await openOperatorServer({ METRICS_HOST: host, METRICS_PORT: 0 }, { readiness, metrics: openMetrics() });
  const answer = fetch(`http://127.0.0.2:${server.port}/healthz`).then(({ ok }) => ok);
  expect(await answer.catch(() => false)).toBe(isReachable);
});

test('closing the server frees its port, even with an open connection', async () => {
  await ask('/healthz');
  const port = server?.port ?? 0;
  await server?.close();
  const again = await openOperatorServer(
    { METRICS_HOST: '127.0.0.1', METRICS_PORT: port },
    {
      readiness: async () => ({ ready: true, checks: {} }),
      metrics: openMetrics(),
    },
  );
  expect(again.port).toBe(port);
  await again.close();
});
