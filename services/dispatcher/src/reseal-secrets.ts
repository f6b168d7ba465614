import { resealSecrets } from '@uprez/domain/secrets/reseal-secrets';
import { openVault } from '@uprez/domain/vault';
import { exitOnError } from '@uprez/runtime/run-service';
import { readResealConfig } from './config.ts';
import { runDatabaseCommand } from './run-command.ts';

/**
 * Reseals stored secrets with the first VAULT_SECRET and prints the counts. Exits with 1 if some secrets can't be read.
 */
const config = exitOnError(readResealConfig);
await runDatabaseCommand(config, async (db) => {
  const { total, resealed, unreadable } = await resealSecrets({ db, vault: openVault(...config.VAULT_SECRET) });
  for (const name of unreadable) console.log(`${name}: sealed with another VAULT_SECRET`);
  console.log(`${resealed} of ${total} secrets resealed, ${unreadable.length} unreadable`);
  process.exitCode = unreadable.length > 0 ? 1 : 0;
});
