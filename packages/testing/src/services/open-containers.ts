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
