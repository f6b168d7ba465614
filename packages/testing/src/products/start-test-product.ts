import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { KeyKind } from '@uprez/contracts/policy/sandbox';
import type { KeyScope } from '@uprez/contracts/schemas/api-keys';
import type { Db } from '@uprez/db/database';
import { openDb } from '@uprez/db/open-db';
import { reconcileFiles } from '@uprez/domain/recovery/reconcile-files';
import { checkLedger, type LedgerReport } from '@uprez/domain/usage/check-ledger';
import { findFreePort } from '@uprez/local-stack/find-free-port';
import { pullModel } from '@uprez/models/pull-model';
import { parseSettings, storageOptions, storageSettings } from '@uprez/runtime/parse-settings';
import { openStorage } from '@uprez/storage/open-storage';
import type { Storage } from '@uprez/storage/storage';
import { inheritedEnv } from '../config.ts';
import { noteOpened } from '../note-opened.ts';
import { getServices, openTestDatabase } from '../open-test-database.ts';
import { openPrivatePostgres, openPrivateRedis } from '../services/open-embedded.ts';
import { signUp } from '../sign-up.ts';
import { waitUntil } from '../wait-until.ts';
import { checkDeliveries } from './check-deliveries.ts';
import { type ServiceName, type SpawnedService, spawnService } from './spawn-service.ts';

const rootDir = fileURLToPath(new URL('../../../..', import.meta.url));

type ServiceOptions = {
  services?: readonly ServiceName[];
  /** Settings in addition to the test defaults (short leases, sweeps, and retry delays). */
  env?: Record<string, string>;
  /** The checkout that contains the setup and the services. Defaults to this checkout. */
  checkout?: string;
};

export type ProductOptions = ServiceOptions & { databaseUrl: string; redisUrl: string };

export type TestProduct = Awaited<ReturnType<typeof startTestProduct>>;

/** Starts the services as processes on the given servers, with short intervals for tests. */
export async function startTestProduct(options: ProductOptions) {
  noteOpened('products');
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-test-product-'));
  const env = makeEnv(options, dataDir);
  const { checkout } = options;
  await setUp(env, checkout);
  const services: SpawnedService[] = [];
  const spawn = async (name: ServiceName, extra: Record<string, string> = {}, from = rootDir) => {
    const service = spawnService(name, { ...env, ...extra }, { checkout: from });
    services.push(service);
    return service;
  };
  const { db, close: closeDb } = openDb({ url: options.databaseUrl, poolSize: 4, onError: () => {} });
  const storage = openStorage(storageOptions(parseSettings(storageSettings, env)));
  for (const name of options.services ?? (['gateway', 'worker', 'dispatcher'] as const))
    await spawn(name, {}, checkout);
  const endAll = () => Promise.all(services.map((service) => service.end('SIGKILL')));
  await Promise.all(services.map((service) => service.ready())).catch(async (error: unknown) => {
    await endAll();
    throw error;
  });
  const gateway = services.find((service) => service.name === 'gateway');
  return {
    url: (await gateway?.publicUrl()) ?? '',
    db,
    storage,
    env,
    services,
    /** Starts another process of a service without waiting until it is ready. */
    spawn,
    /** Runs the setup of this checkout again. Returns its output. */
    setUp: () => setUp(env),
    /**
     * Waits until the product has settled, and returns the last report. By then, every job is finished, the ledger is
     * consistent, database rows and files match, and webhooks for jobs have been delivered or have failed. The product
     * must settle after each crash.
     */
    settle: (timeoutMs: number) => settle({ db, storage }, timeoutMs),
    close: async () => {
      await endAll();
      await closeDb();
      await storage.close();
      for (const folder of [dataDir, env.JOB_DIR ?? dataDir]) await fs.rm(folder, { recursive: true, force: true });
    },
  };
}

function makeEnv(options: ProductOptions, dataDir: string): Record<string, string> {
  return {
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    // Sets an empty folder, because children start faster without models. Tests that need models set another folder.
    MODELS_DIR: path.join(dataDir, 'models'),
    JOB_DIR: path.join(dataDir, '..', `${path.basename(dataDir)}-jobs`),
    WEB_DIR: path.join(rootDir, 'apps/web/dist'),
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl,
    QUEUE_PREFIX: `t${randomBytes(6).toString('hex')}`,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    URL_SECRET: randomBytes(32).toString('hex'),
    VAULT_SECRET: randomBytes(32).toString('hex'),
    // Raises the rate limits, because all tests in a file share an IP address.
    RATE_LIMIT_SCALE: '1000',
    LEASE_S: '2',
    SWEEP_S: '0.5',
    // Turns probes off, because tests would count their jobs and sign-ins. Tests for the status page turn probes on.
    PROBES: 'false',
    RETRY_BASE_S: '0.2',
    ...options.env,
  };
}

const runFile = promisify(execFile);

/**
 * Runs the product's setup and returns its output. Runs asynchronously, because servers that the setup uses may run in
 * this process.
 */
async function setUp(env: Record<string, string>, checkout = rootDir): Promise<string> {
  const file = path.join(checkout, 'services/dispatcher/dist/setup.js');
  return (await runFile(process.execPath, [file], { env: { ...inheritedEnv, ...env } })).stdout;
}

async function checkAll(ctx: { db: Db; storage: Storage }): Promise<LedgerReport> {
  const { errors, ...counts } = await checkLedger(ctx, 0);
  if (errors.length > 0) return { ...counts, errors };
  const { missing, orphans } = await reconcileFiles(ctx, { isApplied: false });
  return {
    ...counts,
    errors: [
      ...missing.map(({ key }) => `missing ${key}`),
      ...orphans.map((key) => `orphan ${key}`),
      ...(await checkDeliveries(ctx.db)),
    ],
  };
}

function settle(ctx: { db: Db; storage: Storage }, timeoutMs: number): Promise<LedgerReport> {
  let last: LedgerReport | undefined;
  return waitUntil(
    async () => {
      last = await checkAll(ctx);
      return last.errors.length === 0 && last;
    },
    { timeoutMs, everyMs: 250, what: 'a clean ledger' },
  ).catch((error: unknown) => {
    throw new Error(`${error}\n${last?.errors.join('\n')}`);
  });
}

/** Starts the product on a private database, which is dropped when the product closes. */
export async function startIsolatedProduct(options: ServiceOptions = {}): Promise<TestProduct> {
  const database = await openTestDatabase();
  const { redisUrl } = getServices();
  const product = await startTestProduct({ databaseUrl: database.url, redisUrl, ...options });
  return { ...product, close: () => product.close().then(database.close) };
}

type BenchOptions = ServiceOptions & { fsync?: boolean };

/**
 * Starts the product on a private PostgreSQL and Redis, which stop with it. For benchmarks, which Vitest doesn't run.
 */
export async function startBenchProduct({ fsync, ...options }: BenchOptions = {}) {
  const [postgres, redis] = [await openPrivatePostgres({ fsync }), await openPrivateRedis()];
  const product = await startTestProduct({ databaseUrl: postgres.url, redisUrl: redis.url, ...options });
  return {
    ...product,
    redis,
    close: async () => {
      await product.close();
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

const modelsDir = path.join(rootDir, '.data/test-models');

/**
 * Installs only `photo-fast`, because workers start more slowly with larger models. Returns the folder to set as
 * MODELS_DIR.
 */
export async function pullTestModels(): Promise<string> {
  await pullModel({ modelsDir, id: 'photo-fast' });
  return modelsDir;
}

type KeyFacts = { tier?: Tier; kind?: KeyKind; scopes?: KeyScope[]; monthlyCap?: number };
export type ApiProduct = Awaited<ReturnType<typeof startApiProduct>>;

/**
 * Starts a product that uses its own URL in links. `makeKey`: creates an account with an API key, and returns the key.
 */
export async function startApiProduct(env: Record<string, string> = {}) {
  const port = await findFreePort();
  const product = await startIsolatedProduct({
    env: { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, ...env },
  });
  return {
    product,
    makeKey: async ({ tier = 'api_pro', ...facts }: KeyFacts = {}) => {
      const { client, user } = await signUp(product.url);
      const values = { tier, emailVerified: true };
      await product.db.updateTable('users').set(values).where('id', '=', user.id).execute();
      return (await client.createApiKey({ body: { name: 'test', ...facts } })).data.key;
    },
    close: product.close,
  };
}
