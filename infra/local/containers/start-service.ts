import { resolve } from 'node:path';
import { must, type Program } from './podman.ts';
import type { HealthCheck, Service } from './read-compose.ts';

/** `name`: of the network, `none` for no network. */
type Project = { podman: Program; name: string; rootDir: string };

/** Returns the arguments of `podman create` that follow a service of a Compose file. */
function followService({ name: project, rootDir }: Project, name: string, service: Service): string[] {
  const list = <Item>(items: Item[] | undefined, make: (item: Item) => string) => (items ?? []).map(make);
  return [
    ...['--network', project, '--label', `uprez.test=${project}`],
    ...(project === 'none' ? [] : ['--network-alias', name]),
    ...list(Object.entries(service.environment ?? {}), ([key, value]) =>
      value === null ? '' : `--env=${key}=${value}`,
    ),
    ...list(service.volumes, (volume) => `--volume=${volume.includes(':') ? `${project}_${volume}` : volume}`),
    ...list(service.ports, (port) => `--publish=${port}`),
    ...list(service.cap_drop, (capability) => `--cap-drop=${capability.toLowerCase()}`),
    ...list(service.security_opt, (option) => `--security-opt=${securityOption(option, rootDir)}`),
    // Podman would add writable file systems, Docker doesn't.
    ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...(service.init ? ['--init'] : []),
    ...(service.stop_grace_period ? [`--stop-timeout=${Number.parseInt(service.stop_grace_period, 10)}`] : []),
    ...(service.shm_size ? [`--shm-size=${service.shm_size.replace('mb', 'm')}`] : []),
    ...(service.healthcheck ? followHealthCheck(service.healthcheck) : []),
    service.image,
    ...(service.command ?? []),
  ].filter(Boolean);
}

const securityOption = (option: string, rootDir: string) => {
  if (option === 'no-new-privileges:true') return 'no-new-privileges';
  return option.startsWith('seccomp:') ? `seccomp=${resolve(rootDir, option.slice('seccomp:'.length))}` : option;
};

function followHealthCheck({ test, interval, timeout, retries, ...check }: HealthCheck): string[] {
  if (check.disable) return ['--no-healthcheck'];
  // Podman 4 runs commands by a shell.
  const command = (test ?? []).slice(1).join(' ');
  const times = [`--health-interval=${interval}`, `--health-timeout=${timeout}`, `--health-retries=${retries}`];
  return [`--health-cmd=${command}`, ...times, `--health-start-period=${check.start_period}`];
}

/** Starts a container of a service and returns its ID. */
export async function startService(project: Project, name: string, service: Service): Promise<string> {
  const output = await must(project.podman, ['run', '--detach', ...followService(project, name, service)]);
  const id = /^[0-9a-f]{64}$/m.exec(output)?.[0];
  if (!id) throw new Error(`${name} did not start:\n${output}`);
  return id;
}

/** Runs a service in the foreground, with changed variables. Returns its exit code and output. */
export const runService = (project: Project, service: Service, environment: Record<string, string>) =>
  project.podman([
    'run',
    '--rm',
    ...followService(project, 'once', {
      ...service,
      environment: { ...service.environment, ...environment },
      ports: [],
    }),
  ]);
