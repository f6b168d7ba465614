import { join } from 'node:path';
import type { StackConfig } from '../config.ts';
import { openMailCatcher } from '../mail/open-mail-catcher.ts';
import { openPostgres } from '../open-postgres.ts';
import { openRedis } from '../open-redis.ts';
import type { Secrets } from '../secrets.ts';
import { runStep } from './run-step.ts';

/** One line of the table that ends the start. */
export interface ServiceRow {
  service: string;
  backend: string;
  url: string;
  data: string;
}

export interface BackingService {
  /** With password: for the services, never for the table. */
  url: string;
  row: ServiceRow;
  stop(): Promise<void>;
}

export interface BackingContext {
  config: StackConfig;
  secrets: Secrets;
  print: (line: string) => void;
  /** The server ended by itself: the product cannot go on. */
  onFailure: (error: Error) => void;
}

/** PostgreSQL: the one of DATABASE_URL, else embedded below DATA_DIR. */
export async function openDatabase({ config, secrets, print, onFailure }: BackingContext): Promise<BackingService> {
  if (config.databaseUrl) return describeGiven('PostgreSQL', 'DATABASE_URL', config.databaseUrl);
  const handle = await runStep('starting PostgreSQL', print, () =>
    openPostgres({
      dataDir: join(config.dataDir, 'postgres'),
      password: secrets.postgresPassword,
      onStep: print,
      onUnexpectedExit: (ending) => onFailure(new Error(`PostgreSQL (embedded) ended by itself with ${ending}`)),
    }),
  );
  const row = { service: 'PostgreSQL', backend: 'embedded', url: hidePassword(handle.url), data: handle.dataDir };
  return { url: handle.url, row, stop: handle.stop };
}

/** Redis: the one of REDIS_URL, else a local server below DATA_DIR. */
export async function openQueueServer({ config, secrets, print, onFailure }: BackingContext): Promise<BackingService> {
  if (config.redisUrl) return describeGiven('Redis', 'REDIS_URL', config.redisUrl);
  const dataDir = join(config.dataDir, 'redis');
  const handle = await runStep('starting Redis', print, () =>
    openRedis({
      dataDir,
      binDir: join(config.dataDir, 'redis-server'),
      password: secrets.redisPassword,
      onStep: print,
      onUnexpectedExit: (ending) => onFailure(new Error(`Redis (embedded) ended by itself with ${ending}`)),
    }),
  );
  const row = { service: 'Redis', backend: 'embedded', url: hidePassword(handle.url), data: dataDir };
  return { url: handle.url, row, stop: handle.stop };
}

export interface MailService {
  /** Of the page that shows caught mails; undefined where the user gave a mail server. */
  url?: string;
  env: Record<string, string>;
  row: ServiceRow;
  stop(): Promise<void>;
}

/** The ports of the mail page and of the server behind it, above the product's own. */
const mailPagePort = 25;
const mailServerPort = 26;

/** Mail: to the server of SMTP_HOST, else caught here and shown on a page. */
export async function openMail({ config, secrets }: BackingContext): Promise<MailService> {
  if (config.smtpHost) {
    const row = { service: 'mail', backend: 'SMTP_HOST', url: config.smtpHost, data: '' };
    return { env: {}, row, stop: async () => undefined };
  }
  const catcher = await openMailCatcher({
    pagePort: config.port + mailPagePort,
    smtpPort: config.port + mailServerPort,
    user: 'uprez',
    password: secrets.smtpPassword,
  });
  const row = { service: 'mail', backend: 'caught here', url: catcher.url, data: 'in memory' };
  return { url: catcher.url, env: catcher.env, row, stop: catcher.close };
}

function describeGiven(service: string, setting: string, url: string): BackingService {
  return { url, row: { service, backend: setting, url: hidePassword(url), data: '' }, stop: async () => undefined };
}

function hidePassword(url: string): string {
  const shown = new URL(url);
  if (shown.password) shown.password = '***';
  return shown.href;
}
