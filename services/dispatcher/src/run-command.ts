import type { Db } from '@uprez/db/database';
import { maintenanceTimeouts, openDb } from '@uprez/db/open-db';
import { exitWith } from '@uprez/runtime/run-service';
import { openStorage, type StorageOptions } from '@uprez/storage/open-storage';
import type { Storage } from '@uprez/storage/storage';

type CommandConfig = { DATABASE_URL: string; storage: StorageOptions };

/** Run a command with a database and a storage. Prints an error and exits with 1 when it fails. */
export async function runCommand(config: CommandConfig, run: (ctx: { db: Db; storage: Storage }) => Promise<void>) {
  const url = config.DATABASE_URL;
  const { db, close } = openDb({ url, poolSize: 4, onError: console.error, timeouts: maintenanceTimeouts });
  const storage = openStorage(config.storage);
  try {
    await run({ db, storage });
  } catch (error) {
    exitWith(error);
  } finally {
    await storage.close();
    await close();
  }
}
