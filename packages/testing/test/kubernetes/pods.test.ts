import { registerQueueMetrics } from '@uprez/dispatcher/register-metrics';
import { openMetrics } from '@uprez/runtime/open-metrics';
import { openOperatorServer } from '@uprez/runtime/open-operator-server';
import { hardLimitMs } from '@uprez/runtime/run-service';
import { settings } from '@uprez/runtime/settings';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifests, type PodName, readContainer, readImageEnv, readPod } from './read-base.ts';

const services = ['gateway', 'worker', 'dispatcher'] as const;
/** These start the children that process images, for which user namespaces must be allowed. */
const jailed: readonly PodName[] = ['gateway', 'worker'];

let operator: Awaited<ReturnType<typeof openOperatorServer>>;
beforeAll(async () => {
  operator = await openOperatorServer(
    { METRICS_HOST: '127.0.0.1', METRICS_PORT: 0 },
    { readiness: async () => ({ ready: true, checks: {} }), metrics: openMetrics() },
  );
});
afterAll(() => operator.close());

describe.each(services)('the pod of %s', (name) => {
  it('is probed at endpoints of the operator server, on its port', async () => {
    const { ports = [], image = '', startupProbe, livenessProbe, readinessProbe } = readContainer(name);
    const ofName = new Map(ports.map((port) => [port.name, port.containerPort]));
    const [startup, liveness, readiness] = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
    expect([startup?.path, liveness?.path, readiness?.path]).toEqual(['/healthz', '/healthz', '/readyz']);
    for (const get of [startup, liveness, readiness]) {
      expect(String(ofName.get(String(get?.port)))).toBe(readImageEnv(image).METRICS_PORT);
      expect((await fetch(`http://127.0.0.1:${operator.port}${get?.path}`)).status).toBe(200);
    }
  });

  it('has the time to close before it is killed', () => {
    const preStopS = readContainer(name).lifecycle?.preStop?.sleep?.seconds ?? 0;
    const graceS = readPod(name).terminationGracePeriodSeconds ?? 30;
    expect(graceS).toBeGreaterThan(preStopS + hardLimitMs / 1_000);
  });

  it('is spread over zones and nodes, and has a disruption budget', () => {
    const keys = readPod(name).topologySpreadConstraints?.map(({ topologyKey }) => topologyKey);
    expect(keys).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
    const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget') as unknown as IPodDisruptionBudget[];
    const selectors = budgets.map(({ spec }) => spec?.selector?.matchLabels?.['app.kubernetes.io/component']);
    expect(selectors.filter((one) => one === name)).toHaveLength(1);
  });
});

it('a worker returns a job that it cannot finish, before it is killed', () => {
  const drain = readContainer('worker').env?.find(({ name }) => name === 'DRAIN_S')?.value;
  // An aborted run may take 2 s to stop.
  expect(settings.DRAIN_S.parse(drain) + 5).toBeLessThan(hardLimitMs / 1_000);
});

describe.each([...services, 'setup'] as const)('the container of %s', (name) => {
  it('is confined', () => {
    const pod = readPod(name);
    const seccomp = jailed.includes(name)
      ? { type: 'Localhost', localhostProfile: 'profiles/uprez.json' }
      : { type: 'RuntimeDefault' };
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, seccompProfile: seccomp });
    expect(readContainer(name).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
  });

  it('requests processor time and memory, and has a memory limit', () => {
    const { requests, limits } = readContainer(name).resources ?? {};
    expect([requests?.cpu, requests?.memory, limits?.memory].every(Boolean)).toBe(true);
  });
});

it('every metric in the queries of the scaler is one of the dispatcher', async () => {
  const [scaler] = manifests.filter(({ kind }) => kind === 'ScaledObject');
  const queries = [...JSON.stringify(scaler).matchAll(/"query":"(.*?[^\\])"/g)].map(([, query = '']) => query);
  const used = queries.flatMap((query) => [...query.matchAll(/([a-z_]+)\{/g)].map(([, metric = '']) => metric));
  const metrics = openMetrics();
  // Families are listed although their samples can't be read.
  registerQueueMetrics({ db: undefined as never, metrics });
  const { body } = await metrics.render();
  expect(queries).toHaveLength(2);
  expect(used).toHaveLength(4);
  expect(used.filter((metric) => !body.includes(`# TYPE ${metric} gauge`))).toEqual([]);
});
