import { createRequire } from 'node:module';
import { UprezError } from '@uprez/sdk-node';
import { CliError, exitCodes } from './cli-error.ts';
import { estimateImages } from './commands/estimate-images.ts';
import { listen } from './commands/listen.ts';
import { logIn, logOut, showAccount } from './commands/log-in.ts';
import { processImages, watchFolders } from './commands/process-images.ts';
import type { CliContext } from './config.ts';
import { makeUsage } from './flags.ts';
import { type Command, parseArguments } from './parse-arguments.ts';

/** Runs a command line and returns the exit code. Errors are written to `context.err`. */
export async function runCli(args: string[], context: CliContext): Promise<number> {
  try {
    return await run(parseArguments(args), context);
  } catch (error) {
    if (context.signal.aborted) return exitCodes.interrupted;
    if (!(error instanceof CliError || error instanceof UprezError) && !isSystemError(error)) throw error;
    context.err(`${error.message}\n`);
    return error instanceof CliError ? error.exitCode : exitCodes.stopped;
  }
}

const readVersion = () => (createRequire(import.meta.url)('../package.json') as { version: string }).version;
const isSystemError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

function run(command: Command, context: CliContext): Promise<number> | number {
  switch (command.name) {
    case 'help':
      context.out(makeUsage());
      return exitCodes.ok;
    case 'version':
      context.out(`${readVersion()}\n`);
      return exitCodes.ok;
    case 'login':
      return logIn(context, command);
    case 'logout':
      return logOut(context);
    case 'account':
      return showAccount(context, command);
    case 'listen':
      return listen(context, command, command.options);
    case 'watch':
      return watchFolders(context, command, command);
    case 'process':
      return (command.options.dryRun ? estimateImages : processImages)(context, command, command.options);
  }
}
