import { get, type RequestOptions } from 'node:http';
import { hostEnv } from '../config.ts';

/** Servers that the caller wants the tests to use, instead of their own. */
export function givenServices(): { databaseUrl: string | undefined; redisUrl: string | undefined } {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = hostEnv;
  return { databaseUrl: TEST_DATABASE_URL || undefined, redisUrl: TEST_REDIS_URL || undefined };
}

/** Where the Docker engine is asked for, as its own client does it. */
export function dockerHost(): string {
  return hostEnv.DOCKER_HOST || 'unix:///var/run/docker.sock';
}

const TIMEOUT_MS = 1_500;

/**
 * Tells whether a Docker engine answers. Asked before testcontainers is imported, which takes 0.4 s, while this takes
 * 8 ms. Engines behind TLS or SSH count as absent.
 */
export function probeDocker(): Promise<boolean> {
  const host = new URL(dockerHost());
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

const POSTGRES_IMAGE = 'postgres:18-alpine';
const REDIS_IMAGE = 'redis:7-alpine';

export interface ContainerService {
  url: string;
  close(): Promise<void>;
}

/** PostgreSQL in a container, without fsync. Only where `probeDocker` found an engine: the import itself is slow. */
export async function openPostgresContainer(): Promise<ContainerService> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const container = await new PostgreSqlContainer(POSTGRES_IMAGE)
    .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=200'])
    .start();
  return { url: container.getConnectionUri(), close: async () => void (await container.stop()) };
}

/** Redis in a container, as the product demands it: append-only file on, no eviction. */
export async function openRedisContainer(): Promise<ContainerService> {
  const { RedisContainer } = await import('@testcontainers/redis');
  const container = await new RedisContainer(REDIS_IMAGE)
    .withCommand(['redis-server', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'])
    .start();
  return { url: container.getConnectionUrl(), close: async () => void (await container.stop()) };
}
