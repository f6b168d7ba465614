import { exitCodes } from './exit-codes.ts';

/** An error message for the user, and the exit code of the command. */
export class CliError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
