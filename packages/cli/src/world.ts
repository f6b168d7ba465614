import type { Readable } from 'node:stream';
import type { Environment } from './config.ts';
import type { Writers } from './report/lines.ts';

/** What a command works with: the terminal, the environment, and when to stop. */
export type World = Writers & {
  env: Environment;
  /** Where a bar can be drawn; undefined: nobody looks. */
  terminal: { write: (text: string) => unknown; columns: number } | undefined;
  input: Readable & { isTTY?: boolean };
  signal: AbortSignal;
};
