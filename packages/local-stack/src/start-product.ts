import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { progressPrinter } from '@uprez/models/progress-printer';
import { pullModel } from '@uprez/models/pull-model';
import { hostEnv, readStackConfig, type StackConfig } from './config.ts';
import { isPortFree } from './find-free-port.ts';
import { acquireLock } from './instance-lock.ts';
import { type Closer, closeAll } from './product/close-all.ts';
import { findPortHolder } from './product/find-port-holder.ts';
import { formatTable } from './product/format-table.ts';
import { type MailService, openDatabase, openMail, openQueueServer, type ServiceRow } from './product/open-backing.ts';
import { runSetup } from './product/run-setup.ts';
import { runStep } from './product/run-step.ts';
import { makeServiceEnv } from './product/service-env.ts';
import { type RunningServices, startServices, stopOrphanServices } from './product/start-services.ts';
import { readSecrets } from './secrets.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Run {
  rootDir: string;
  config: StackConfig;
  print: (line: string) => void;
  /** Aborted by a stop signal, or by a failure: then the reason is that Error. */
  stop: AbortController;
  closers: Closer[];
}

/** The reason of a stop that the user asked for. */
class Stopped extends Error {}

/**
 * Runs the whole product from its built files until a signal stops it: backing services, model, setup, the three
 * services. Stops in reverse: the services drain, then Redis, PostgreSQL last. Returns the exit code; errors are printed.
 */
export async function startProduct({ rootDir }: { rootDir: string }): Promise<number> {
  const print = (line: string) => console.log(line);
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    print(stop.signal.aborted ? 'already stopping, at most 10 s more' : `${signal}: stopping`);
    stop.abort(new Stopped(signal));
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  // Whoever read our output may be gone (`npm start | head`): an unheard write error would end us with all servers left.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const closers: Closer[] = [];
  try {
    const config = readStackConfig(rootDir, hostEnv());
    await startAll({ rootDir, config, print, stop, closers });
    await new Promise((resolve) => stop.signal.addEventListener('abort', resolve, { once: true }));
    stop.signal.throwIfAborted();
  } catch (error) {
    const reason = stop.signal.aborted ? stop.signal.reason : error;
    if (!(reason instanceof Stopped)) {
      console.error(`\nnpm start failed: ${reason instanceof Error ? reason.message : reason}`);
      return 1;
    }
  } finally {
    await closeAll(closers, print);
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  }
  print('stopped');
  return 0;
}

async function startAll(run: Run): Promise<void> {
  const { rootDir, config, print, stop, closers } = run;
  const { dataDir } = config;
  const lock = acquireLock(join(dataDir, 'start.lock'), `the data folder ${dataDir}`);
  closers.push({ name: 'the lock', close: async () => lock.release() });
  // It tells that the product is up, so it may exist only while that is true; a killed starter leaves it behind.
  const removeUrls = async () => {
    for (const file of [urlsFile(config), envFile(config)]) rmSync(file, { force: true });
  };
  await removeUrls();
  closers.push({ name: 'urls.json', close: removeUrls });
  for (const pid of await stopOrphanServices({ rootDir, dataDir })) print(`stopped process ${pid} of a killed start`);
  await requireFreePort(config.port);

  const secrets = readSecrets(join(dataDir, 'secrets.json'));
  const context = { config, secrets, print, onFailure: (error: Error) => stop.abort(error) };
  const database = await openDatabase(context);
  closers.push({ name: 'PostgreSQL', close: database.stop });
  const redis = await openQueueServer(context);
  closers.push({ name: 'Redis', close: redis.stop });
  const mail = await openMail(context);
  closers.push({ name: 'the mail page', close: mail.stop });
  stop.signal.throwIfAborted();

  const env = makeServiceEnv({
    config,
    secrets,
    databaseUrl: database.url,
    redisUrl: redis.url,
    mailEnv: mail.env,
  });
  const setup = { file: join(rootDir, 'services/dispatcher/dist/setup.js'), cwd: rootDir, env, signal: stop.signal };
  await runStep('setting up database and storage', print, () => runSetup(setup));
  await fetchModel(run);
  writeFileSync(envFile(config), JSON.stringify({ DATABASE_URL: database.url, REDIS_URL: redis.url }), { mode: 0o600 });
  const services = await startSupervised(run, env);
  announce(run, { services, mail, backing: [database.row, redis.row] });
}

const urlsFile = ({ dataDir }: StackConfig) => join(dataDir, 'urls.json');
/** With passwords: for commands of the same account, such as the ledger check. */
const envFile = ({ dataDir }: StackConfig) => join(dataDir, 'env.json');

async function requireFreePort(port: number): Promise<void> {
  if (await isPortFree(port)) return;
  const holder = findPortHolder(port) ?? 'a process of another account';
  throw new Error(`port ${port} is taken by ${holder}. Stop it, or choose another port: PORT=${port + 1} npm start`);
}

async function fetchModel({ config, stop }: Run): Promise<void> {
  const onProgress = progressPrinter(`fetching the network ${config.engine}`, process.stdout);
  await pullModel({ modelsDir: config.modelsDir, id: config.engine, onProgress, signal: stop.signal });
}

async function startSupervised(run: Run, env: NodeJS.ProcessEnv): Promise<RunningServices> {
  const { rootDir, config, print, stop, closers } = run;
  const services = await startServices({
    rootDir,
    dataDir: config.dataDir,
    env,
    onLine: (name, line) => print(`${name.padEnd(10)} | ${line}`),
    onGiveUp: (error) => stop.abort(error),
  });
  closers.push({ name: 'the services', close: services.stop });
  await runStep('waiting for the services', print, () => services.waitForAll(stop.signal));
  return services;
}

interface Started {
  services: RunningServices;
  mail: MailService;
  backing: ServiceRow[];
}

function announce({ config, print }: Run, { services: { metrics }, mail, backing }: Started): void {
  const urls = { app: config.publicUrl, mail: mail.url, metrics };
  writeFileSync(urlsFile(config), `${JSON.stringify(urls, null, 2)}\n`);
  const rows = [
    { service: 'app', backend: 'gateway', url: config.publicUrl, data: '' },
    mail.row,
    ...Object.entries(metrics).map(([name, url]) => ({
      service: name,
      backend: 'health',
      url: `${url}/readyz`,
      data: '',
    })),
    ...backing,
    { service: 'storage', backend: config.storage, url: '', data: config.storage === 'disk' ? config.dataDir : '' },
    { service: 'networks', backend: config.engine, url: '', data: config.modelsDir },
  ];
  print(`\n${formatTable(rows)}\n\nUprez is running: ${config.publicUrl} (Ctrl-C stops it)`);
}
