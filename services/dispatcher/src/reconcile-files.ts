import { parseArgs } from 'node:util';
import { reconcileFiles } from '@uprez/domain/recovery/reconcile-files';
import { orExit } from '@uprez/runtime/run-service';
import { readCheckConfig } from './config.ts';
import { runCommand } from './run-command.ts';

/** Compares stored objects with their files after a restore. Prints the differences; `--apply` resolves them. */
const config = orExit(readCheckConfig);
const { apply } = orExit(() => parseArgs({ options: { apply: { type: 'boolean', default: false } } }).values);
await runCommand(config, async (ctx) => {
  const { checked, missing, orphans } = await reconcileFiles(ctx, { isApplied: apply });
  for (const { kind, key, jobId } of missing) console.log(`missing ${kind} ${key}${jobId ? ` of job ${jobId}` : ''}`);
  for (const key of orphans) console.log(`orphan ${key}`);
  console.log(`${checked} objects, ${missing.length} missing files, ${orphans.length} orphaned files`);
  if (!apply && missing.length + orphans.length > 0)
    console.log('Nothing was changed. Stop all services, and run the command again with --apply.');
});
