import type { Readable } from 'node:stream';
import type { Environment } from './config.ts';
import type { Writers } from './report/report-lines.ts';

/** Input, output, environment, and abort signal of a command. */
export type CliContext = Writers & {
  env: Environment;
  /** Terminal for the progress bar. `undefined` if stderr isn't a terminal. */
  terminal: { write: (text: string) => unknown; columns: number } | undefined;
  input: Readable & { isTTY?: boolean };
  signal: AbortSignal;
};
