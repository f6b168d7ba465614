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
  /** When a server exits or is restarted. */
  onLine: (name: string, line: string) => void;
  /** Called when a server has exited too often and isn't restarted again. */
  onFailure: (error: Error) => void;
}

/** Starts an embedded PostgreSQL with its data below DATA_DIR, unless DATABASE_URL is set. */
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

/** Starts a local Redis with its data below DATA_DIR, unless REDIS_URL is set. */
export async function openQueueServer({ config, secrets, print, ...events }: BackingContext): Promise<BackingService> {
  if (config.redisUrl) return makeExternalService('Redis', 'REDIS_URL', config.redisUrl);
  const dataDir = join(config.dataDir, 'redis');
  const binDir = join(config.dataDir, 'redis-server');
  const open = (onUnexpectedExit: (ending: string) => void) =>
    openRedis({ dataDir, binDir, password: secrets.redisPassword, onStep: print, onUnexpectedExit });
  const { server, stop } = await runStep('starting Redis', print, () => superviseServer('Redis', open, events));
  return { url: server.url, row: ['Redis', 'embedded', hidePassword(server.url), dataDir], stop };
}

/** `url`: URL of the mail catcher's page, or undefined if SMTP_HOST is set. */
export type MailService = Omit<BackingService, 'url'> & { url?: string; env: Record<string, string> };

/** Added to PORT. */
const mailPagePortOffset = 25;
const mailServerPortOffset = 26;

/** Opens the mail catcher, unless SMTP_HOST is set. */
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

/** Runs a startup step. If the step takes more than a second, prints its name and duration. */
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
 * Opens an embedded server. If the server exits unexpectedly, restarts it on the same port and with the same data,
 * under the same limits as services. `open` must pass its callback to the server.
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

/** `env`: environment variables for services that use the double. Empty if the double isn't started. */
type StripeService = Omit<BackingService, 'url'> & { env: Record<string, string> };

const doublePortOffset = 27;
/** Fixed instead of generated, because publishable keys are public. */
const publishableKey = 'pk_test_local';

/**
 * Starts the Stripe double with its data below DATA_DIR, unless Stripe keys are set. In production, the double is never
 * started, so plans can't be bought without keys.
 */
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
