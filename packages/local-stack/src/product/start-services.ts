import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { countExits, type RestartOptions } from '../count-exits.ts';
import { findFreePort } from '../find-free-port.ts';
import { stopOrphan } from '../find-process.ts';
import { waitForReady } from '../poll-until.ts';

const serviceNames = ['gateway', 'worker', 'dispatcher'] as const;
type ServiceName = (typeof serviceNames)[number];
/** `web` is Vite, which serves the web app in watch mode only. */
const processNames = [...serviceNames, 'web'] as const;
type ProcessName = (typeof processNames)[number];

/** In `watch` mode, services restart and the web app reloads when a source file changes. */
export type StartMode = 'built' | 'watch';

interface ServicesInput extends SuperviseOptions {
  rootDir: string;
  dataDir: string;
  mode: StartMode;
  webPort: number;
  env: NodeJS.ProcessEnv;
}

export type RunningServices = Awaited<ReturnType<typeof startServices>>;

/** Allows time for a worker to load and warm up its models. */
const READY_TIMEOUT_MS = 120_000;

const pidFilePath = (dataDir: string, name: string) => join(dataDir, 'run', `${name}.pid`);

/**
 * Ends processes that a killed starter left behind, and returns their pids. The caller must hold the lock on `dataDir`.
 */
export async function stopOrphanServices({ rootDir, dataDir }: { rootDir: string; dataDir: string }) {
  const ended = await Promise.all(
    processNames.map((name) =>
      stopOrphan({ pidFile: pidFilePath(dataDir, name), marker: ` ${programPath(rootDir, name)}`, signal: 'SIGTERM' }),
    ),
  );
  return ended.filter((pid) => pid !== undefined);
}

/** Starts the processes of a mode and restarts them when they exit. Each service has its own metrics port. */
export async function startServices(input: ServicesInput) {
  const { rootDir, dataDir, mode, webPort, env } = input;
  const ports = { gateway: await findFreePort(), worker: await findFreePort(), dispatcher: await findFreePort() };
  const address = (name: ServiceName) => `http://${reachableHost(env.METRICS_HOST)}:${ports[name]}`;
  const services = Object.entries(listProcesses(rootDir, mode, webPort)).map(([name, args]) => {
    const metricsPort = String(ports[name as ServiceName] ?? '');
    const command = { name, args, cwd: rootDir, pidFile: pidFilePath(dataDir, name) };
    return superviseService({ ...command, env: { ...env, METRICS_PORT: metricsPort } }, input);
  });
  const readyUrls = new Map<string, string>(serviceNames.map((name) => [name, `${address(name)}/readyz`]));
  if (mode === 'watch') readyUrls.set('web', `http://localhost:${webPort}/`);
  return {
    /** The base URL of each service's /healthz, /readyz, and /metrics. */
    metrics: { gateway: address('gateway'), worker: address('worker'), dispatcher: address('dispatcher') },
    services,
    waitForAll: async (signal: AbortSignal) => {
      const timeoutMs = READY_TIMEOUT_MS;
      await Promise.all([...readyUrls].map(([name, url]) => waitForReady(url, { name, timeoutMs, signal })));
    },
    /** Stops all services in parallel. Each service drains its own work. */
    stop: async () => {
      await Promise.all(services.map((service) => service.stop()));
    },
  };
}

/**
 * Returns the host by which this machine can reach a server that listens on `address`, such as 127.0.0.1 for 0.0.0.0.
 */
function reachableHost(address = '127.0.0.1'): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return isIPv6(address) ? `[${address}]` : address;
}

/** An orphan is recognized by this prefix. */
function programPath(rootDir: string, name: ProcessName): string {
  return join(rootDir, name === 'web' ? 'apps/web/' : `services/${name}/`);
}

/**
 * The gateway mostly forwards bytes, and a small young generation frees their buffers sooner. 8 concurrent 50 MB
 * uploads then need 22 MB of memory instead of 44 MB.
 */
const serviceOptions: Record<ServiceName, string[]> = {
  gateway: ['--enable-source-maps', '--max-semi-space-size=1'],
  worker: ['--enable-source-maps'],
  dispatcher: ['--enable-source-maps'],
};

function listProcesses(rootDir: string, mode: StartMode, webPort: number): Partial<Record<ProcessName, string[]>> {
  const file = (name: ProcessName, path: string) => join(programPath(rootDir, name), path);
  const listServices = (options: string[], path: string) =>
    Object.fromEntries(serviceNames.map((name) => [name, [...options, ...serviceOptions[name], file(name, path)]]));
  if (mode === 'built') return listServices([], 'dist/main.js');
  const watch = ['--watch', '--watch-preserve-output', '--conditions=@uprez/source'];
  const viteOptions = ['--port', String(webPort), '--strictPort', '--clearScreen=false'];
  return {
    ...listServices(watch, 'src/main.ts'),
    web: [file('web', 'node_modules/vite/bin/vite.js'), 'apps/web', ...viteOptions],
  };
}

interface SetupCommand {
  file: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/**
 * Runs the product's setup: migrates the database, prepares storage, and creates the first administrator. Shows the
 * setup's output in the terminal, because it contains the first administrator's password. Throws if the setup fails.
 */
export async function runSetup({ file, cwd, env, signal }: SetupCommand): Promise<void> {
  const args = ['--enable-source-maps', file];
  const child = spawn(process.execPath, args, { cwd, env, signal, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code, ending] = await once(child, 'exit');
  if (code !== 0) throw new Error(`setup failed with ${ending ?? `code ${code}`}. See its output above.`);
}

interface ServiceCommand {
  name: string;
  /** For Node.js: its options, the file, and the file's arguments. */
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Exists while the process runs. If this starter is killed, the next starter finds the process by this file. */
  pidFile: string;
}

export interface SuperviseOptions extends RestartOptions {
  /** Between SIGTERM and SIGKILL. */
  graceMs?: number;
}

const GRACE_MS = 10_000;

/** Starts a service and restarts it when it exits, until it is stopped or exits five times within a minute. */
export function superviseService(command: ServiceCommand, options: SuperviseOptions) {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  const nextDelayMs = countExits(command.name, options);

  const run = () => {
    child = spawnService(command, options.onLine);
    child.once('exit', (code, signal) => onExit(signal ?? `code ${code}`));
  };
  const onExit = (ending: string) => {
    child = undefined;
    rmSync(command.pidFile, { force: true });
    if (stopping) return;
    const delayMs = nextDelayMs(ending);
    if (delayMs !== undefined) timer = setTimeout(run, delayMs);
  };

  run();
  return {
    name: command.name,
    /** Undefined between an exit and the restart that follows. */
    get pid() {
      return child?.pid;
    },
    /** After `graceMs`, sends SIGKILL to the service and its children. */
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      if (child) await stopService(child, options.graceMs ?? GRACE_MS);
    },
  };
}

function spawnService(command: ServiceCommand, onLine: SuperviseOptions['onLine']): ChildProcess {
  // Starts the service in its own session, so Ctrl-C reaches only the starter. Children of the service join its process
  // group, which can then be killed as a whole.
  const child = spawn(process.execPath, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => onLine(command.name, line));
  }
  mkdirSync(dirname(command.pidFile), { recursive: true });
  writeFileSync(command.pidFile, `${child.pid}\n`);
  return child;
}

async function stopService(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), graceMs);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(timer);
}
