import { get, type RequestOptions } from 'node:http';
import { hostEnv } from '../config.ts';
import { openPrivatePostgres, openPrivateRedis, sweepTestFolders } from './open-embedded.ts';

/** `dataDir`: set only for an embedded PostgreSQL. */
type Service = { url: string; dataDir?: string; stop(): Promise<void> };

export type TestServices = Awaited<ReturnType<typeof openTestServices>>;

/**
 * Opens PostgreSQL and Redis for a test run. Uses TEST_DATABASE_URL and TEST_REDIS_URL if they are set, otherwise
 * containers, and otherwise embedded servers.
 */
export async function openTestServices() {
  await sweepTestFolders();
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = hostEnv;
  const useDocker = await probeDocker();
  const [database, redis] = await Promise.allSettled([
    openOne(TEST_DATABASE_URL, useDocker ? openPostgresContainer : openPrivatePostgres),
    openOne(TEST_REDIS_URL, useDocker ? openRedisContainer : openPrivateRedis),
  ]);
  if (database.status === 'rejected' || redis.status === 'rejected') {
    for (const result of [database, redis]) if (result.status === 'fulfilled') await result.value.stop();
    throw database.status === 'rejected' ? database.reason : (redis as PromiseRejectedResult).reason;
  }
  return {
    /** URL of PostgreSQL, with a role that can create databases. */
    databaseUrl: database.value.url,
    redisUrl: redis.value.url,
    /** Data folder of an embedded PostgreSQL. All tests share it, so tests that kill servers open private ones. */
    postgresDir: database.value.dataDir,
    close: async () => {
      await Promise.all([redis.value.stop(), database.value.stop()]);
    },
  };
}

async function openOne(givenUrl: string | undefined, open: () => Promise<Service>): Promise<Service> {
  return givenUrl ? { url: givenUrl, stop: async () => undefined } : open();
}

const TIMEOUT_MS = 1_500;

/** Takes 8 ms, whereas importing testcontainers takes 0.4 s. Engines behind TLS or SSH count as missing. */
function probeDocker(): Promise<boolean> {
  const host = new URL(hostEnv.DOCKER_HOST || 'unix:///var/run/docker.sock');
  if (host.protocol !== 'unix:' && host.protocol !== 'tcp:') return Promise.resolve(false);
  const address: RequestOptions =
    host.protocol === 'unix:' ? { socketPath: host.pathname } : { host: host.hostname, port: host.port || 2375 };
  return new Promise((resolve) => {
    const request = get({ ...address, path: '/_ping', timeout: TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
    request.on('timeout', () => request.destroy());
  });
}

/** Without fsync and autovacuum. Check `probeDocker` first: the import is slow. */
async function openPostgresContainer(): Promise<Service> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const container = await new PostgreSqlContainer('postgres:18-alpine')
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'autovacuum=off', '-c', 'max_connections=200'])
    .start();
  return { url: container.getConnectionUri(), stop: async () => void (await container.stop()) };
}

/** As the product requires it: with an append-only file and no eviction. */
async function openRedisContainer(): Promise<Service> {
  const { RedisContainer } = await import('@testcontainers/redis');
  const container = await new RedisContainer('redis:7-alpine')
    .withCommand(['redis-server', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'])
    .start();
  return { url: container.getConnectionUrl(), stop: async () => void (await container.stop()) };
}
