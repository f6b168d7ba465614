import { maintenanceTimeouts, openDb } from '@uprez/db/open-db';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { exitWith, orExit } from '@uprez/runtime/or-exit';
import { openStorage } from '@uprez/storage/open-storage';
import { readCheckConfig } from './config.ts';

/** Print every inconsistency between the ledger, jobs, and storage; exit with 1 if there is one. Argument: seconds after which every job must have finished. */
const config = orExit(readCheckConfig);
const { db, close } = openDb({
  url: config.DATABASE_URL,
  poolSize: 4,
  onError: console.error,
  timeouts: maintenanceTimeouts,
});
const storage = openStorage(config.storage);
try {
  const unfinishedS = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
  const { jobs, objects, faults } = await checkLedger({ db, storage }, unfinishedS);
  for (const fault of faults) console.log(fault);
  console.log(`${jobs} jobs, ${objects} stored objects, ${faults.length} faults`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} catch (error) {
  exitWith(error);
} finally {
  await storage.close();
  await close();
}
