import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StackConfig } from '../config.ts';
import { endProcess } from '../end-process.ts';
import { findFreePort } from '../find-free-port.ts';
import { findProcess } from '../find-process.ts';
import type { Secrets } from '../secrets.ts';
import { type SupervisedService, superviseService } from '../supervise.ts';
import { waitForReady } from '../wait-for-ready.ts';
import {
  listProcesses,
  processNames,
  programPath,
  type ServiceName,
  type StartMode,
  serviceNames,
} from './product-processes.ts';

export interface ServiceEnvInput {
  config: StackConfig;
  secrets: Secrets;
  databaseUrl: string;
  redisUrl: string;
  /** Where the gateway listens. */
  gatewayPort: number;
  /** The mail settings, unless the user set them. */
  mailEnv: Record<string, string>;
}

/** Returns the environment of setup and services: that of the user, completed by the starter. */
export function makeServiceEnv({
  config,
  secrets,
  databaseUrl,
  redisUrl,
  mailEnv,
  gatewayPort,
}: ServiceEnvInput): NodeJS.ProcessEnv {
  return {
    ...config.env,
    ...mailEnv,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    DATA_DIR: config.dataDir,
    MODELS_DIR: config.modelsDir,
    AI_ENGINE: config.engine,
    PORT: String(gatewayPort),
    PUBLIC_URL: config.publicUrl,
    STORAGE: config.storage,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    SESSION_SECRET: config.sessionSecret ?? secrets.sessionSecret,
    VAULT_SECRET: config.vaultSecret ?? secrets.vaultSecret,
    URL_SECRET: config.urlSecret ?? secrets.urlSecret,
  };
}

export interface ServicesInput {
  rootDir: string;
  dataDir: string;
  mode: StartMode;
  /** Where Vite listens in watch mode. */
  webPort: number;
  env: NodeJS.ProcessEnv;
  onLine: (name: string, line: string) => void;
  onGiveUp: (error: Error) => void;
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
    processNames.map((name) => stopOrphanService(pidFile(input.dataDir, name), programPath(input.rootDir, name))),
  );
  return ended.filter((pid) => pid !== undefined);
}

/**
 * Ends the process that a killed starter left behind, found by its pid file, if it still runs a program whose path
 * begins with `program`. Returns the pid that it ended.
 */
async function stopOrphanService(pidFile: string, program: string): Promise<number | undefined> {
  if (!existsSync(pidFile)) return undefined;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  const isOurs = findProcess(pid)?.commandLine.includes(` ${program}`) ?? false;
  if (isOurs) await endProcess(pid, 'SIGTERM');
  rmSync(pidFile, { force: true });
  return isOurs ? pid : undefined;
}

/** Starts the processes of a mode under supervision. Each service has its own metrics port. */
export async function startServices(input: ServicesInput): Promise<RunningServices> {
  const { rootDir, dataDir, mode, webPort, env, onLine, onGiveUp } = input;
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
      { onLine, onGiveUp },
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
