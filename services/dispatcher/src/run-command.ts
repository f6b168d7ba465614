import type { Db } from '@uprez/db/database';
import { maintenanceTimeouts, openDb } from '@uprez/db/open-db';
import { exitWith } from '@uprez/runtime/run-service';
import { openStorage, type StorageOptions } from '@uprez/storage/open-storage';
import type { Storage } from '@uprez/storage/storage';

/** Runs a command with a database. Prints an error and exits with 1 when it fails. */
export async function runDatabaseCommand(
  { DATABASE_URL: url }: { DATABASE_URL: string },
  run: (db: Db) => Promise<void>,
) {
  const { db, close } = openDb({ url, poolSize: 4, onError: console.error, timeouts: maintenanceTimeouts });
  try {
    await run(db);
  } catch (error) {
    exitWith(error);
  } finally {
    await close();
  }
}

type CommandConfig = { DATABASE_URL: string; storage: StorageOptions };

/** Runs a command with a database and a storage. Prints an error and exits with 1 when it fails. */
export const runCommand = (config: CommandConfig, run: (ctx: { db: Db; storage: Storage }) => Promise<void>) =>
  runDatabaseCommand(config, async (db) => {
    const storage = openStorage(config.storage);
    try {
      await run({ db, storage });
    } finally {
      await storage.close();
    }
  });
