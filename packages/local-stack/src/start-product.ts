import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { listModels } from '@uprez/models/locate-model';
import { progressPrinter } from '@uprez/models/progress-printer';
import { pullModel } from '@uprez/models/pull-model';
import { paymentSettings } from '@uprez/runtime/payment-options';
import { prettyFactory } from 'pino-pretty';
import { hostEnv, readStackConfig, type StackConfig } from './config.ts';
import { requireFreePort } from './find-free-port.ts';
import { acquireLock } from './instance-lock.ts';
import {
  type MailService,
  openDatabase,
  openMailService,
  openQueueServer,
  openStripe,
  runStep,
  type ServiceRow,
} from './product/open-backing.ts';
import {
  type RunningServices,
  runSetup,
  type StartMode,
  startServices,
  stopOrphanServices,
} from './product/start-services.ts';
import { readSecrets, type Secrets } from './secrets.ts';

/** Only adds the process's name to lines that aren't JSON. */
function makeLogFormatter(colorize: boolean): (name: string, line: string) => string {
  const format = prettyFactory({
    colorize,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,service',
    singleLine: true,
  });
  return (name, line) => `${name.padEnd(10)} | ${line.startsWith('{') ? format(line).trimEnd() : line}`;
}

/**
 * Whether a line logs a request that had no server error. `npm start` omits such lines to keep its table of URLs
 * visible.
 */
const isRoutine = (line: string) => line.includes('"msg":"request completed"') && !/"status":5\d\d\b/.test(line);

type Closer = { name: string; close: () => Promise<void> };

/** Closes in reverse order. Prints errors and continues. */
async function closeAll(closers: Closer[], print: (line: string) => void): Promise<void> {
  for (const { name, close } of closers.reverse()) {
    try {
      await close();
    } catch (error) {
      print(`stopping ${name} failed: ${(error as Error).message}`);
    }
  }
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * In watch mode, Vite listens on PORT, and the gateway listens on PORT plus this offset. Mail and Stripe use the
 * offsets 25 to 27.
 */
const WATCHED_GATEWAY_OFFSET = 28;

interface StartContext {
  rootDir: string;
  mode: StartMode;
  config: StackConfig;
  print: (line: string) => void;
  onLine: (name: string, line: string) => void;
  /** After a failure, the reason is its Error. */
  stopController: AbortController;
  closers: Closer[];
}

class Stopped extends Error {}

/** Runs the whole product until a signal stops it. Prints errors and returns the exit code. */
export async function startProduct({ rootDir, mode }: { rootDir: string; mode: StartMode }): Promise<number> {
  const print = (line: string) => console.log(line);
  const stopController = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    print(stopController.signal.aborted ? 'already stopping, for at most 10 s' : `${signal}: stopping`);
    stopController.abort(new Stopped(signal));
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  // Ignores write errors, because the process that reads the output may have exited (`npm start | head`). An unhandled
  // write error would leave all servers running.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const closers: Closer[] = [];
  try {
    const config = readStackConfig(rootDir, hostEnv());
    const format = makeLogFormatter(process.stdout.isTTY);
    const onLine = (name: string, line: string) => {
      if (mode === 'watch' || !isRoutine(line)) print(format(name, line));
    };
    await startAll({ rootDir, mode, config, print, onLine, stopController, closers });
    await new Promise((resolve) => stopController.signal.addEventListener('abort', resolve, { once: true }));
    stopController.signal.throwIfAborted();
  } catch (error) {
    const reason = stopController.signal.aborted ? stopController.signal.reason : error;
    if (!(reason instanceof Stopped)) {
      console.error(`\nthe start failed: ${reason instanceof Error ? reason.message : reason}`);
      return 1;
    }
  } finally {
    await closeAll(closers, print);
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  }
  print('stopped');
  return 0;
}

async function startAll(run: StartContext): Promise<void> {
  const { rootDir, mode, config, print, stopController, closers } = run;
  const { dataDir } = config;
  const lock = acquireLock(join(dataDir, 'start.lock'), `the data folder ${dataDir}`);
  closers.push({ name: 'the lock', close: async () => lock.release() });
  // These files exist only while the product is running. Removes them at the start too, because a killed starter leaves
  // them behind.
  const removeUrls = async () => {
    for (const file of [urlsFile(config), envFile(config)]) rmSync(file, { force: true });
  };
  await removeUrls();
  closers.push({ name: 'urls.json', close: removeUrls });
  for (const pid of await stopOrphanServices({ rootDir, dataDir }))
    print(`stopped process ${pid}, left over from an earlier start`);
  const gatewayPort = mode === 'watch' ? config.port + WATCHED_GATEWAY_OFFSET : config.port;
  for (const port of new Set([config.port, gatewayPort])) await requireFreePort(port);

  const secrets = readSecrets(join(dataDir, 'secrets.json'));
  const context = {
    config,
    secrets,
    print,
    onLine: run.onLine,
    onFailure: (error: Error) => stopController.abort(error),
  };
  const database = await openDatabase(context);
  closers.push({ name: 'PostgreSQL', close: database.stop });
  const redis = await openQueueServer(context);
  closers.push({ name: 'Redis', close: redis.stop });
  const mail = await openMailService(context);
  closers.push({ name: 'the mail catcher', close: mail.stop });
  const stripe = await openStripe(context);
  closers.push({ name: 'the Stripe double', close: stripe.stop });
  stopController.signal.throwIfAborted();

  const env = {
    ...makeServiceEnv(config, secrets, gatewayPort),
    ...mail.env,
    ...stripe.env,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
  };
  const setup = {
    file: join(rootDir, 'services/dispatcher/dist/setup.js'),
    cwd: rootDir,
    env,
    signal: stopController.signal,
  };
  await runStep('setting up database and storage', print, () => runSetup(setup));
  await fetchModel(run);
  writeFileSync(envFile(config), JSON.stringify(selectCommandEnv(env)), { mode: 0o600 });
  const services = await startSupervised(run, env);
  announce(run, { services, mail, backing: [database.row, redis.row, stripe.row] });
  installOtherEngines(run);
}

const makeServiceEnv = (config: StackConfig, secrets: Secrets, gatewayPort: number) => ({
  SESSION_SECRET: secrets.sessionSecret,
  VAULT_SECRET: secrets.vaultSecret,
  URL_SECRET: secrets.urlSecret,
  ...config.env,
  DATA_DIR: config.dataDir,
  MODELS_DIR: config.modelsDir,
  AI_ENGINE: config.engine,
  PORT: String(gatewayPort),
  PUBLIC_URL: config.publicUrl,
  STORAGE: config.storage,
});

const urlsFile = ({ dataDir }: StackConfig) => join(dataDir, 'urls.json');
/** The file contains passwords. Commands that the same user runs, such as the ledger check, read it. */
const envFile = ({ dataDir }: StackConfig) => join(dataDir, 'env.json');
const selectCommandEnv = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    ['DATABASE_URL', 'REDIS_URL', 'PUBLIC_URL', 'VAULT_SECRET', ...paymentSettings].map((name) => [name, env[name]]),
  );

async function fetchModel({ config, stopController }: StartContext): Promise<void> {
  const onProgress = progressPrinter(`downloading the model ${config.engine}`, process.stdout);
  await pullModel({ modelsDir: config.modelsDir, id: config.engine, onProgress, signal: stopController.signal });
}

function installOtherEngines({ rootDir, config, closers, onLine }: StartContext): void {
  const engines = config.otherEngines.filter((id) => !listModels(config.modelsDir).includes(id));
  if (engines.length === 0) return;
  const env = { ...hostEnv(), MODELS_DIR: config.modelsDir };
  const installation = installEngines({ rootDir, engines, env, onLine: (line) => onLine('models', line) });
  closers.push({ name: 'the installation of engines', close: installation.stop });
}

async function startSupervised(run: StartContext, env: NodeJS.ProcessEnv): Promise<RunningServices> {
  const { rootDir, mode, config, print, stopController, closers } = run;
  // In watch mode, a changed service restarts only after its old process has exited, so draining must be short.
  const drain = mode === 'watch' ? { DRAIN_S: '1' } : {};
  const services = await startServices({
    rootDir,
    dataDir: config.dataDir,
    mode,
    webPort: config.port,
    env: { ...drain, ...env },
    onLine: run.onLine,
    onFailure: (error) => stopController.abort(error),
  });
  closers.push({ name: 'the services', close: services.stop });
  await runStep('waiting for the services', print, () => services.waitForAll(stopController.signal));
  return services;
}

type Started = { services: RunningServices; mail: MailService; backing: ServiceRow[] };

function announce({ config, print }: StartContext, { services: { metrics }, mail, backing }: Started): void {
  const urls = { app: config.publicUrl, mail: mail.url, metrics };
  writeFileSync(urlsFile(config), `${JSON.stringify(urls, null, 2)}\n`);
  const table = formatTable([
    ['service', 'backend', 'URL', 'data folder'],
    ['app', 'gateway', config.publicUrl, ''],
    mail.row,
    ...Object.entries(metrics).map(([name, url]): ServiceRow => [name, 'health', `${url}/readyz`, '']),
    ...backing,
    ['storage', config.storage, '', config.storage === 'disk' ? config.dataDir : ''],
    ['models', config.engine, '', config.modelsDir],
  ]);
  print(`\n${table}\n\nUprez is running: ${config.publicUrl} (press Ctrl+C to stop)`);
}

function formatTable(rows: readonly ServiceRow[]): string {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

interface Installation {
  rootDir: string;
  engines: readonly string[];
  env: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
}

/**
 * Installs engines' models in a separate process, because converting a model blocks the thread for seconds. Prints
 * errors instead of throwing, because the product works without these engines.
 */
export function installEngines({ rootDir, engines, env, onLine }: Installation) {
  const child = spawn(process.execPath, [join(rootDir, 'packages/models/dist/cli.js'), ...engines], {
    cwd: rootDir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
  const exited = once(child, 'exit').catch((error: Error) => onLine(error.message));
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
