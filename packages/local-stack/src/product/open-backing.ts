import { join } from 'node:path';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { StackConfig } from '../config.ts';
import { countExits, type RestartOptions } from '../count-exits.ts';
import { choosePort } from '../find-free-port.ts';
import { openMailCatcher } from '../mail/open-mail-catcher.ts';
import { openPostgres } from '../open-postgres.ts';
import { openRedis } from '../open-redis.ts';
import type { Secrets } from '../secrets.ts';
import { openStripeDouble } from '../stripe/open-stripe-double.ts';

/** A row of the table printed after startup. */
export type ServiceRow = readonly [service: string, backend: string, url: string, data: string];

interface BackingService {
  /** Contains the password. Never printed. */
  url: string;
  row: ServiceRow;
  stop(): Promise<void>;
}

interface BackingContext {
  config: StackConfig;
  secrets: Secrets;
  print: (line: string) => void;
  /** Receives the exits and restarts of a server. */
  onLine: (name: string, line: string) => void;
  /** Called when a server that exits by itself isn't restarted again. */
  onFailure: (error: Error) => void;
}

/** Opens an embedded PostgreSQL below DATA_DIR, or uses DATABASE_URL. */
export async function openDatabase({ config, secrets, print, ...events }: BackingContext): Promise<BackingService> {
  if (config.databaseUrl) return makeExternalService('PostgreSQL', 'DATABASE_URL', config.databaseUrl);
  const dataFolder = join(config.dataDir, 'postgres');
  const password = secrets.postgresPassword;
  const open = (onUnexpectedExit: (ending: string) => void) =>
    openPostgres({ dataDir: dataFolder, password, onStep: print, onUnexpectedExit });
  const { server, stop } = await runStep('starting PostgreSQL', print, () =>
    superviseServer('PostgreSQL', open, events),
  );
  const { url, dataDir } = server;
  return { url, row: ['PostgreSQL', 'embedded', hidePassword(url), dataDir], stop };
}

/** Opens a local Redis below DATA_DIR, or uses REDIS_URL. */
export async function openQueueServer({ config, secrets, print, ...events }: BackingContext): Promise<BackingService> {
  if (config.redisUrl) return makeExternalService('Redis', 'REDIS_URL', config.redisUrl);
  const dataDir = join(config.dataDir, 'redis');
  const binDir = join(config.dataDir, 'redis-server');
  const open = (onUnexpectedExit: (ending: string) => void) =>
    openRedis({ dataDir, binDir, password: secrets.redisPassword, onStep: print, onUnexpectedExit });
  const { server, stop } = await runStep('starting Redis', print, () => superviseServer('Redis', open, events));
  return { url: server.url, row: ['Redis', 'embedded', hidePassword(server.url), dataDir], stop };
}

/** `url`: the page of the mail catcher. Undefined if SMTP_HOST is set. */
export type MailService = Omit<BackingService, 'url'> & { url?: string; env: Record<string, string> };

/** The ports of the mail page and its SMTP server, relative to PORT. */
const mailPagePortOffset = 25;
const mailServerPortOffset = 26;

/** Opens the mail catcher, or uses SMTP_HOST. */
export async function openMailService({ config, secrets }: BackingContext): Promise<MailService> {
  if (config.smtpHost) return { env: {}, row: ['mail', 'SMTP_HOST', config.smtpHost, ''], stop: async () => undefined };
  const { url, env, close } = await openMailCatcher({
    pagePort: config.port + mailPagePortOffset,
    smtpPort: config.port + mailServerPortOffset,
    user: 'uprez',
    password: secrets.smtpPassword,
  });
  return { url, env, row: ['mail', 'mail catcher', url, 'in memory'], stop: close };
}

const makeExternalService = (service: string, setting: string, url: string): BackingService => ({
  url,
  row: [service, setting, hidePassword(url), ''],
  stop: async () => undefined,
});

function hidePassword(url: string): string {
  const shown = new URL(url);
  if (shown.password) shown.password = '***';
  return shown.href;
}

const PROGRESS_DELAY_MS = 1_000;

/** Runs a startup step. Prints its name and duration if it takes more than a second. */
export async function runStep<T>(label: string, print: (line: string) => void, run: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let isPrinted = false;
  const timer = setTimeout(() => {
    isPrinted = true;
    print(`${label} ...`);
  }, PROGRESS_DELAY_MS);
  try {
    const result = await run();
    if (isPrinted) print(`${label}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}

interface SupervisedServer {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Opens an embedded server and, as for services, restarts it on the same port and data when it exits by itself. `open`
 * must pass the callback to the server.
 */
export async function superviseServer<T extends SupervisedServer>(
  name: string,
  open: (onUnexpectedExit: (ending: string) => void) => Promise<T>,
  options: RestartOptions,
) {
  const nextDelayMs = countExits(name, options);
  let timer: NodeJS.Timeout | undefined;
  let starting: Promise<void> | undefined;
  let stopping = false;
  const restart = async () => {
    try {
      await server.start();
      options.onLine(name, 'running again');
    } catch (error) {
      onExit((error as Error).message);
    }
  };
  const onExit = (ending: string) => {
    const delayMs = stopping ? undefined : nextDelayMs(ending);
    if (delayMs === undefined) return;
    timer = setTimeout(() => {
      starting = restart();
    }, delayMs);
  };
  const server = await open(onExit);
  return {
    server,
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      await starting;
      await server.stop();
    },
  };
}

/** `env`: the settings of services that use the double. Empty if the user's settings apply. */
type StripeService = Omit<BackingService, 'url'> & { env: Record<string, string> };

/** The port of the double, relative to PORT. */
const doublePortOffset = 27;
/** Not a generated secret, because publishable keys are public. */
const publishableKey = 'pk_test_local';

/** Opens the Stripe double below DATA_DIR, or uses Stripe's keys. In production, plans can't be bought without keys. */
export async function openStripe({
  config: { dataDir, payments, isProduction, port },
  secrets: { stripeSecretKey: secretKey, stripeWebhookSecret },
}: Pick<BackingContext, 'config' | 'secrets'>): Promise<StripeService> {
  const external = { env: {}, stop: async () => undefined };
  if (payments) return { ...external, row: ['Stripe', `${payments.mode} mode`, payments.apiUrl ?? '', ''] };
  if (isProduction) return { ...external, row: ['Stripe', 'not set up', '', ''] };
  const folder = join(dataDir, 'stripe');
  const double = await openStripeDouble({
    port: await choosePort(port + doublePortOffset),
    dataDir: folder,
    secretKey,
    publishableKey,
    destination: { url: `http://127.0.0.1:${port}${routes.stripeWebhook.path}`, secret: stripeWebhookSecret },
  });
  return {
    env: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
      STRIPE_API_URL: double.url,
    },
    row: ['Stripe', 'double, no real money', double.url, folder],
    stop: double.close,
  };
}
