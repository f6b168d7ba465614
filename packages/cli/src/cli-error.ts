import { exitCodes } from './exit-codes.ts';

/** A sentence for whoever typed the command, and what the command ends with. */
export class CliError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
