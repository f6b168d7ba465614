import { createRequire } from 'node:module';
import { UprezError } from '@uprez/sdk-node';
import { CliError } from './cli-error.ts';
import { tellAccount } from './commands/account.ts';
import { logIn, logOut } from './commands/login.ts';
import { processImages, tellImages } from './commands/process.ts';
import { watchFolders } from './commands/watch.ts';
import { exitCodes } from './exit-codes.ts';
import { type Command, readArguments } from './read-arguments.ts';
import { makeUsage } from './usage.ts';
import type { World } from './world.ts';

/** Do what a command line says. Answers what the command ends with; sentences go to `world.err`. */
export async function runCli(args: string[], world: World): Promise<number> {
  try {
    return await run(readArguments(args), world);
  } catch (error) {
    if (world.signal.aborted) return exitCodes.interrupted;
    if (!(error instanceof CliError || error instanceof UprezError) && !isSystemError(error)) throw error;
    world.err(`${error.message}\n`);
    return error instanceof CliError ? error.exitCode : exitCodes.stopped;
  }
}

const readVersion = () => (createRequire(import.meta.url)('../package.json') as { version: string }).version;
const isSystemError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

function run(command: Command, world: World): Promise<number> | number {
  switch (command.name) {
    case 'help':
      world.out(makeUsage());
      return exitCodes.ok;
    case 'version':
      world.out(`${readVersion()}\n`);
      return exitCodes.ok;
    case 'login':
      return logIn(world, command);
    case 'logout':
      return logOut(world);
    case 'account':
      return tellAccount(world, command);
    case 'watch':
      return watchFolders(world, command, command);
    case 'process':
      return (command.work.dryRun ? tellImages : processImages)(world, command, command.work);
  }
}
