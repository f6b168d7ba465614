import { join } from 'node:path';
import { findFreePort } from '../find-free-port.ts';
import { stopOrphanService } from '../stop-orphan-service.ts';
import { type SupervisedService, superviseService } from '../supervise.ts';
import { waitForReady } from '../wait-for-ready.ts';

const serviceNames = ['gateway', 'worker', 'dispatcher'] as const;
type ServiceName = (typeof serviceNames)[number];

export interface ServicesInput {
  rootDir: string;
  dataDir: string;
  env: NodeJS.ProcessEnv;
  onLine: (name: string, line: string) => void;
  onGiveUp: (error: Error) => void;
}

export interface RunningServices {
  /** Address of each service's /healthz, /readyz and /metrics. */
  metrics: Record<ServiceName, string>;
  services: SupervisedService[];
  waitForAll(signal: AbortSignal): Promise<void>;
  /** All at once: each drains its own work. */
  stop(): Promise<void>;
}

/** Networks are loaded and warmed before a worker is ready. */
const READY_TIMEOUT_MS = 120_000;

/**
 * The gateway only passes bytes on: with a small young generation their buffers are freed sooner (22 instead of 44 MB
 * more while 8 uploads of 50 MB stream at once).
 */
const nodeArgs: Partial<Record<ServiceName, string[]>> = { gateway: ['--max-semi-space-size=1'] };

const mainFile = (rootDir: string, name: string) => join(rootDir, 'services', name, 'dist/main.js');
const pidFile = (dataDir: string, name: string) => join(dataDir, 'run', `${name}.pid`);

/** Ends services whose starter was killed; `DATA_DIR` must be locked by the caller, so none has a living starter. */
export async function stopOrphanServices({
  rootDir,
  dataDir,
}: {
  rootDir: string;
  dataDir: string;
}): Promise<number[]> {
  const ended = await Promise.all(
    serviceNames.map((name) => stopOrphanService(pidFile(dataDir, name), mainFile(rootDir, name))),
  );
  return ended.filter((pid) => pid !== undefined);
}

/** Starts the three built services under supervision, each with a metrics port of its own. */
export async function startServices(input: ServicesInput): Promise<RunningServices> {
  const { rootDir, dataDir, env, onLine, onGiveUp } = input;
  const ports = { gateway: await findFreePort(), worker: await findFreePort(), dispatcher: await findFreePort() };
  const address = (name: ServiceName) => `http://127.0.0.1:${ports[name]}`;
  const services = serviceNames.map((name) =>
    superviseService(
      {
        name,
        file: mainFile(rootDir, name),
        cwd: rootDir,
        env: { ...env, METRICS_PORT: String(ports[name]) },
        pidFile: pidFile(dataDir, name),
        nodeArgs: nodeArgs[name] ?? [],
      },
      { onLine, onGiveUp },
    ),
  );
  return {
    metrics: { gateway: address('gateway'), worker: address('worker'), dispatcher: address('dispatcher') },
    services,
    waitForAll: async (signal) => {
      const timeoutMs = READY_TIMEOUT_MS;
      await Promise.all(
        serviceNames.map((name) => waitForReady(`${address(name)}/readyz`, { name, timeoutMs, signal })),
      );
    },
    stop: async () => {
      await Promise.all(services.map((service) => service.stop()));
    },
  };
}
