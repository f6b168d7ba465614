import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProcess } from '@uprez/local-stack/find-process';
import { openPostgres, type PostgresHandle } from '@uprez/local-stack/open-postgres';
import { openRedis, type RedisHandle } from '@uprez/local-stack/open-redis';
import { removePostgresData, removeRedisData } from '@uprez/local-stack/remove-data';
import { makeSecret } from '@uprez/local-stack/secrets';

/** Folder with the downloaded Redis, shared with `npm start`. */
const REDIS_BIN_DIR = fileURLToPath(new URL('../../../../.data/redis-server', import.meta.url));

/** `parent`: parent of the data folder. `fsync`: whether commits are flushed to disk, as in production. */
type PostgresOptions = { parent?: string | undefined; fsync?: boolean | undefined };

/** Opens a private embedded PostgreSQL, which tests may kill, restart, and fill up. `stop` deletes its data. */
export async function openPrivatePostgres(options: PostgresOptions = {}): Promise<PostgresHandle> {
  const { fsync = false, parent = fsync ? tmpdir() : findFastFolder() } = options;
  const folder = makeTestFolder(parent);
  return removedOnStop(folder, () =>
    openPostgres({ dataDir: join(folder, 'postgres'), password: makeSecret(), fsync }),
  );
}

/** Opens a private Redis, which tests may kill, restart, and empty. `stop` deletes its data. */
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

const MEMORY_FOLDER = '/dev/shm';
/** The `type` that `statfs` returns for tmpfs. */
const TMPFS = 0x01021994;
/** Free memory required to use the in-memory folder: more than the largest test database, in bytes. */
const SPARE_BYTES = 4 * 1024 ** 3;

/**
 * Returns a folder for data that may be lost. Prefers a folder in memory, because copying a database creates many small
 * files.
 */
function findFastFolder(): string {
  if (!existsSync(MEMORY_FOLDER)) return tmpdir();
  const { type, bavail, bsize } = statfsSync(MEMORY_FOLDER);
  const isRoomy = Math.min(bavail * bsize, process.availableMemory()) >= SPARE_BYTES;
  return type === TMPFS && isRoomy ? MEMORY_FOLDER : tmpdir();
}

const PREFIX = 'uprez-test-';

/** Its name contains the pid, which `sweepTestFolders` checks. */
function makeTestFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // If the tests run as root, PostgreSQL runs as another user, which must be able to access the folder.
  chmodSync(folder, 0o711);
  return folder;
}

async function removeTestFolder(folder: string): Promise<void> {
  await removePostgresData(join(folder, 'postgres'));
  await removeRedisData(join(folder, 'redis'));
  rmSync(folder, { recursive: true, force: true });
}

/** Stops the servers of killed test runs and deletes their folders. */
export async function sweepTestFolders(): Promise<void> {
  for (const parent of [tmpdir(), MEMORY_FOLDER].filter((folder) => existsSync(folder))) {
    for (const name of readdirSync(parent)) {
      const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
      const folder = join(parent, name);
      if (pid && !findProcess(pid) && isOurs(folder)) await removeTestFolder(folder);
    }
  }
}

function isOurs(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
}
