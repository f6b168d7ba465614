import { setTimeout as delay } from 'node:timers/promises';
import { must, type Program } from './podman.ts';
import type { Compose } from './read-compose.ts';
import { startService } from './start-service.ts';

type Options = { podman: Program; name: string; rootDir: string; compose: Compose; scale: Record<string, number> };
export type Project = Awaited<ReturnType<typeof startProject>>;

/** Starts the services of a Compose file in the order of `depends_on`, and waits for its conditions and all health checks. */
export async function startProject({ compose, scale, ...project }: Options) {
  const { podman, name } = project;
  const ids: Record<string, string[]> = {};
  await must(podman, ['network', 'create', name]);
  const remove = async () => {
    for (const id of Object.values(ids).flat()) await podman(['rm', '--force', '--volumes', '--time=5', id]);
    for (const volume of Object.keys(compose.volumes)) await podman(['volume', 'rm', `${name}_${volume}`]);
    await podman(['network', 'rm', name]);
  };
  const starting = new Map<string, Promise<void>>();
  const start = (service: string): Promise<void> => {
    const begun = starting.get(service) ?? startWithDependencies(service);
    starting.set(service, begun);
    return begun;
  };
  async function startWithDependencies(service: string) {
    const definition = compose.services[service];
    if (!definition) throw new Error(`${service} isn't a service`);
    for (const [dependency, { condition }] of Object.entries(definition.depends_on ?? {})) {
      await start(dependency);
      for (const id of ids[dependency] ?? []) await waitFor(podman, id, condition);
    }
    ids[service] = [];
    for (let count = 0; count < (scale[service] ?? 1); count += 1)
      ids[service].push(await startService(project, service, definition));
  }
  try {
    for (const service of Object.keys(compose.services)) await start(service);
    const completing = listCompleting(compose);
    for (const service of Object.keys(ids).filter((one) => !completing.has(one)))
      for (const id of ids[service] ?? []) await waitForHealth(podman, id);
  } catch (error) {
    await remove();
    throw error;
  }
  return { ...project, compose, ids, remove };
}

async function waitFor(podman: Program, id: string, condition: string): Promise<void> {
  if (condition === 'service_healthy') return waitForHealth(podman, id);
  if (condition !== completes) throw new Error(`this test doesn't follow ${condition}`);
  const code = (await must(podman, ['wait', id])).split('\n').at(-1);
  if (code !== '0') throw await describeEnd(podman, id, code);
}

const completes = 'service_completed_successfully';

/** The services that end before others start. */
const listCompleting = ({ services }: Compose): Set<string> =>
  new Set(
    Object.values(services).flatMap(({ depends_on = {} }) =>
      Object.keys(depends_on).filter((name) => depends_on[name]?.condition === completes),
    ),
  );

/** Runs the health check of a container until it succeeds. A running one without a check is healthy, an exited one never. */
export async function waitForHealth(podman: Program, id: string, limitMs = 120_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline) {
    const [{ State, Config }] = JSON.parse(await must(podman, ['inspect', '--type=container', id])) as [Inspected];
    if (State.Status === 'exited') throw await describeEnd(podman, id, State.ExitCode);
    const [kind = 'NONE'] = Config.Healthcheck?.Test ?? [];
    if (State.Status === 'running' && kind === 'NONE') return;
    if (kind !== 'NONE' && (await podman(['healthcheck', 'run', id])).code === 0) return;
    await delay(1_000);
  }
  throw new Error(`a container isn't healthy:\n${(await podman(['logs', '--tail=30', id])).output}`);
}

const describeEnd = async (podman: Program, id: string, code: number | string | undefined) =>
  new Error(`a container ended with code ${code}:\n${(await podman(['logs', id])).output.slice(-3000)}`);

type Inspected = {
  Config: { Healthcheck?: { Test?: string[] } };
  State: { Status: string; ExitCode: number };
};
