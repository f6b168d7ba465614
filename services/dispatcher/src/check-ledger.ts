import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { exitOnError } from '@uprez/runtime/run-service';
import { readCheckConfig } from './config.ts';
import { runCommand } from './run-command.ts';

/**
 * Prints every inconsistency between the ledger, jobs, and storage, and exits with 1 if it finds any. Optional
 * argument: the time, in seconds, after which every job must have finished.
 */
await runCommand(exitOnError(readCheckConfig), async (ctx) => {
  const unfinishedS = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
  const { jobs, objects, errors } = await checkLedger(ctx, unfinishedS);
  for (const error of errors) console.log(error);
  console.log(`${jobs} jobs, ${objects} stored objects, ${errors.length} errors`);
  process.exitCode = errors.length > 0 ? 1 : 0;
});
