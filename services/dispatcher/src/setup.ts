import { migrate } from '@uprez/db/migrate';
import { openDb } from '@uprez/db/open-db';
import { withAdvisoryLock } from '@uprez/db/queries/instance/advisory-lock';
import { ensureInstanceFact } from '@uprez/db/queries/instance/instance';
import { ensureAdmin } from '@uprez/domain/accounts/ensure-admin';
import { exitWith, orExit } from '@uprez/runtime/or-exit';
import { openStorage } from '@uprez/storage/open-storage';
import { readSetupConfig } from './config.ts';

/**
 * What must be there before the services start: the newest schema, the storage, the first administrator. Safe to run
 * again, and by several at once.
 */
const config = orExit(readSetupConfig);
const { db, close } = openDb({ url: config.DATABASE_URL, poolSize: 4, onError: console.error });
const storage = openStorage(config.storage);
try {
  await withAdvisoryLock(db, { name: 'setup', wait: true }, async () => {
    const applied = await migrate(db);
    if (applied.length > 0) console.log(`Applied migrations: ${applied.join(', ')}`);
    const { id } = await storage.ensure();
    const known = id && (await ensureInstanceFact(db, 'storage_id', id));
    if (known !== id)
      throw new Error(
        `The database belongs to another data folder (${known}) than this one (${id}). Set DATA_DIR or DATABASE_URL.`,
      );
    const { madeUpPassword } = await ensureAdmin(
      { db },
      { email: config.ADMIN_EMAIL, password: config.ADMIN_PASSWORD },
    );
    if (madeUpPassword)
      console.log(`First administrator: ${config.ADMIN_EMAIL}  password: ${madeUpPassword}  (shown once)`);
  });
} catch (error) {
  exitWith(error);
} finally {
  await storage.close();
  await close();
}
