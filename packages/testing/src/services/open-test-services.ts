import type { PostgresHandle } from '@uprez/local-stack/open-postgres';
import type { RedisHandle } from '@uprez/local-stack/open-redis';
import { givenServices, openPostgresContainer, openRedisContainer, probeDocker } from './open-containers.ts';
import { openPrivatePostgres, openPrivateRedis, sweepTestFolders } from './open-embedded.ts';

export interface TestServices {
  /** Of a role that may create databases. */
  databaseUrl: string;
  redisUrl: string;
  /** Only where embedded. Shared by all tests: a test that kills takes a private one. */
  postgres: PostgresHandle | undefined;
  redis: RedisHandle | undefined;
  close(): Promise<void>;
}

interface Opened<Handle> {
  url: string;
  handle?: Handle;
  close(): Promise<void>;
}

/** Opens PostgreSQL and Redis for one test run: TEST_DATABASE_URL and TEST_REDIS_URL, else containers, else embedded. */
export async function openTestServices(): Promise<TestServices> {
  await sweepTestFolders();
  const given = givenServices();
  const useDocker = await probeDocker();
  const [database, redis] = await Promise.allSettled([
    openOne(given.databaseUrl, useDocker ? openPostgresContainer : undefined, openPrivatePostgres),
    openOne(given.redisUrl, useDocker ? openRedisContainer : undefined, openPrivateRedis),
  ]);
  if (database.status === 'rejected' || redis.status === 'rejected') {
    for (const result of [database, redis]) if (result.status === 'fulfilled') await result.value.close();
    throw database.status === 'rejected' ? database.reason : (redis as PromiseRejectedResult).reason;
  }
  return {
    databaseUrl: database.value.url,
    redisUrl: redis.value.url,
    postgres: database.value.handle,
    redis: redis.value.handle,
    close: async () => {
      await Promise.all([redis.value.close(), database.value.close()]);
    },
  };
}

async function openOne<Handle extends { url: string; stop(): Promise<void> }>(
  givenUrl: string | undefined,
  openContainer: (() => Promise<Opened<Handle>>) | undefined,
  openEmbedded: () => Promise<Handle>,
): Promise<Opened<Handle>> {
  if (givenUrl) return { url: givenUrl, close: async () => undefined };
  if (openContainer) return openContainer();
  const handle = await openEmbedded();
  return { url: handle.url, handle, close: () => handle.stop() };
}
