export const exitCodes = {
  ok: 0,
  /** Some images failed. The others are done. */
  someFailed: 1,
  /** The command line or the API key is invalid. Nothing was processed. */
  usage: 2,
  /** Processing stopped early: for example, the quota is used up, or the service can't be reached. */
  stopped: 3,
  interrupted: 130,
} as const;

/** An error message for the user, and the exit code of the command. */
export class CliError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
