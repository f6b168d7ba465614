import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readiness } from '@uprez/contracts/schemas/health';
import type { Metrics } from './open-metrics.ts';

export type OperatorServer = Awaited<ReturnType<typeof openOperatorServer>>;

type OperatorAddress = { METRICS_HOST: string; METRICS_PORT: number };
type OperatorEndpoints = { readiness: () => Promise<Readiness>; metrics: Pick<Metrics, 'render' | 'gauge'> };

/** Serves /healthz, /readyz, and /metrics on a port that isn't public. Also reports each /readyz check as a metric. */
export async function openOperatorServer(
  { METRICS_HOST: host, METRICS_PORT: port }: OperatorAddress,
  { readiness, metrics }: OperatorEndpoints,
) {
  metrics.gauge({ ...checkFamily, labels: ['check'] }, async () => {
    const { checks } = await readiness();
    // Omit `jail`, because it's a kind of isolation, not the result of a check.
    const { jail: _, ...states } = checks;
    return Object.entries(states).map(([check, state]) => ({ labels: { check }, value: state === 'ok' ? 1 : 0 }));
  });
  const answer = async (path: string | undefined): Promise<{ status: number; type: string; body: string }> => {
    if (path === '/healthz') return json(200, { status: 'ok' });
    if (path === '/metrics') return { status: 200, ...(await metrics.render()) };
    if (path !== '/readyz') return json(404, { code: 'not_found' });
    const state = await readiness();
    return json(state.ready ? 200 : 503, state);
  };
  const server = http.createServer((request, response) => {
    answer(request.url?.split('?')[0])
      .catch((error: unknown) => json(503, { ready: false, checks: { service: String(error) } }))
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const checkFamily = { name: 'readiness_check', help: 'Checks of /readyz: 1 if the check passes, 0 if it fails.' };

function json(status: number, body: unknown) {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}
