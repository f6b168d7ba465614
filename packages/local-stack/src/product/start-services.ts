import { join } from 'node:path';
import { stopOrphan } from '../end-process.ts';
import { findFreePort } from '../find-free-port.ts';
import { type SupervisedService, type SuperviseOptions, superviseService } from '../supervise.ts';
import { waitForReady } from '../wait-for-ready.ts';
import {
  listProcesses,
  type ProcessOptions,
  processNames,
  programPath,
  type ServiceName,
  serviceNames,
} from './product-processes.ts';

export interface ServicesInput extends ProcessOptions, SuperviseOptions {
  dataDir: string;
  env: NodeJS.ProcessEnv;
}

export interface RunningServices {
  /** The base URL of each service's /healthz, /readyz, and /metrics. */
  metrics: Record<ServiceName, string>;
  services: SupervisedService[];
  waitForAll(signal: AbortSignal): Promise<void>;
  /** Stops all at once; each service drains its own work. */
  stop(): Promise<void>;
}

/** A worker loads and warms up its models before it is ready. */
const READY_TIMEOUT_MS = 120_000;

const pidFile = (dataDir: string, name: string) => join(dataDir, 'run', `${name}.pid`);

/** Ends processes that a killed starter left behind. The caller holds the lock of `dataDir`. */
export async function stopOrphanServices(input: { rootDir: string; dataDir: string }): Promise<number[]> {
  const ended = await Promise.all(
    processNames.map((name) =>
      stopOrphan({
        pidFile: pidFile(input.dataDir, name),
        marker: ` ${programPath(input.rootDir, name)}`,
        signal: 'SIGTERM',
      }),
    ),
  );
  return ended.filter((pid) => pid !== undefined);
}

/** Starts the processes of a mode under supervision. Each service has its own metrics port. */
export async function startServices(input: ServicesInput): Promise<RunningServices> {
  const { rootDir, dataDir, mode, webPort, env } = input;
  const ports = { gateway: await findFreePort(), worker: await findFreePort(), dispatcher: await findFreePort() };
  const address = (name: ServiceName) => `http://127.0.0.1:${ports[name]}`;
  const portOf = (name: string) => String(ports[name as ServiceName] ?? '');
  const services = listProcesses({ rootDir, mode, webPort }).map((process) =>
    superviseService(
      {
        ...process,
        cwd: rootDir,
        env: { ...env, METRICS_PORT: portOf(process.name) },
        pidFile: pidFile(dataDir, process.name),
      },
      input,
    ),
  );
  const readyUrls = new Map<string, string>(serviceNames.map((name) => [name, `${address(name)}/readyz`]));
  if (mode === 'watch') readyUrls.set('web', `http://localhost:${webPort}/`);
  return {
    metrics: { gateway: address('gateway'), worker: address('worker'), dispatcher: address('dispatcher') },
    services,
    waitForAll: async (signal) => {
      const timeoutMs = READY_TIMEOUT_MS;
      await Promise.all([...readyUrls].map(([name, url]) => waitForReady(url, { name, timeoutMs, signal })));
    },
    stop: async () => {
      await Promise.all(services.map((service) => service.stop()));
    },
  };
}
