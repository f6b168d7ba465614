import { parseArgs } from 'node:util';
import { findInstanceFact } from '@uprez/db/queries/instance/instance';
import { reconcileFiles } from '@uprez/domain/recovery/reconcile-files';
import { exitOnError } from '@uprez/runtime/run-service';
import { readCheckConfig } from './config.ts';
import { runCommand } from './run-command.ts';

/**
 * Compares database rows with stored files after a restore, and prints the differences. `--apply` resolves them.
 * `--force` resolves them even if none of the files has a row.
 */
const config = exitOnError(readCheckConfig);
const flag = { type: 'boolean', default: false } as const;
const { apply, force } = exitOnError(() => parseArgs({ options: { apply: flag, force: flag } }).values);
await runCommand(config, async (ctx) => {
  await ctx.storage.check(await findInstanceFact(ctx.db, 'storage_id'));
  const { checked, missing, orphans } = await reconcileFiles(ctx, { isApplied: apply, isForced: force });
  for (const { kind, key, jobId } of missing) console.log(`missing ${kind} ${key}${jobId ? ` of job ${jobId}` : ''}`);
  for (const key of orphans) console.log(`orphan ${key}`);
  console.log(`${checked} objects, ${missing.length} missing files, ${orphans.length} orphaned files`);
  if (!apply && missing.length + orphans.length > 0)
    console.log('Nothing was changed. Stop all services, and run the command again with --apply.');
});
