import type { Tx } from '@uprez/db/database';
import { lockSetup } from '@uprez/db/locks';
import { migrate } from '@uprez/db/migrate';
import { maintenanceTimeouts, openDb } from '@uprez/db/open-db';
import { ensureInstanceFact } from '@uprez/db/queries/instance/instance';
import { ensureAdmin } from '@uprez/domain/accounts/ensure-admin';
import { exitWith, orExit } from '@uprez/runtime/or-exit';
import { openStorage } from '@uprez/storage/open-storage';
import { readSetupConfig } from './config.ts';

/** Prepare the schema, the storage, and the first administrator. Safe to repeat and to run concurrently. */
const config = orExit(readSetupConfig);
const { db, close } = openDb({
  url: config.DATABASE_URL,
  poolSize: 4,
  onError: console.error,
  timeouts: maintenanceTimeouts,
});
const storage = openStorage(config.storage);
try {
  const applied = await migrate(db);
  if (applied.length > 0) console.log(`Applied migrations: ${applied.join(', ')}`);
  await db.transaction().execute(async (tx) => {
    await lockSetup(tx);
    await connectStorage(tx);
    await createAdmin(tx);
  });
} catch (error) {
  exitWith(error);
} finally {
  await storage.close();
  await close();
}

/** Create the storage and record its id. Throws when the database was set up with another data folder. */
async function connectStorage(tx: Tx): Promise<void> {
  const { id } = await storage.ensure();
  const known = id && (await ensureInstanceFact(tx, 'storage_id', id));
  if (known !== id)
    throw new Error(
      `The database belongs to another data folder (${known}) than this one (${id}). Set DATA_DIR or DATABASE_URL.`,
    );
}

async function createAdmin(tx: Tx): Promise<void> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
  const { madeUpPassword } = await ensureAdmin({ db: tx }, { email, password });
  if (madeUpPassword) console.log(`First administrator: ${email}  password: ${madeUpPassword}  (shown once)`);
}
