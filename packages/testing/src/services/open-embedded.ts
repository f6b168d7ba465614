import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPostgres, type PostgresHandle } from '@uprez/local-stack/open-postgres';
import { openRedis, type RedisHandle } from '@uprez/local-stack/open-redis';
import { makeSecret } from '@uprez/local-stack/secrets';
import { makeTestFolder, removeTestFolder } from './test-folder.ts';

/** A downloaded Redis is kept in the checkout, where `npm start` has it too. */
const REDIS_BIN_DIR = fileURLToPath(new URL('../../../../.data/redis-server', import.meta.url));

/**
 * Opens an embedded PostgreSQL of the caller's own, without fsync, which it may kill, restart and fill up. `stop`
 * removes its data, also after a kill.
 */
export async function openPrivatePostgres(): Promise<PostgresHandle> {
  const folder = makeTestFolder();
  return removedOnStop(folder, () =>
    openPostgres({ dataDir: join(folder, 'postgres'), password: makeSecret(), fsync: false }),
  );
}

/** Opens a Redis of the caller's own, which it may kill, restart and empty. `stop` removes its data. */
export async function openPrivateRedis(): Promise<RedisHandle> {
  const folder = makeTestFolder();
  return removedOnStop(folder, () =>
    openRedis({ dataDir: join(folder, 'redis'), binDir: REDIS_BIN_DIR, password: makeSecret() }),
  );
}

async function removedOnStop<T extends { stop(): Promise<void> }>(folder: string, open: () => Promise<T>): Promise<T> {
  try {
    const handle = await open();
    const { stop } = handle;
    handle.stop = async () => {
      await stop();
      await removeTestFolder(folder);
    };
    return handle;
  } catch (error) {
    await removeTestFolder(folder);
    throw error;
  }
}
