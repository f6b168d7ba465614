import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Writers } from './report/report-lines.ts';

export type Environment = {
  apiKey: string | undefined;
  baseUrl: string | undefined;
  /** File in which `uprez login` stores the API key. */
  configFile: string;
  path: string;
};

export function readEnvironment(): Environment {
  const { UPREZ_API_KEY, UPREZ_URL, XDG_CONFIG_HOME, PATH } = process.env;
  return {
    apiKey: UPREZ_API_KEY || undefined,
    baseUrl: UPREZ_URL || undefined,
    configFile: join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'uprez', 'config.json'),
    path: PATH ?? '',
  };
}

export type CliContext = Writers & {
  env: Environment;
  /** Terminal for the progress bar. `undefined` if stderr isn't a terminal. */
  terminal: { write: (text: string) => unknown; columns: number } | undefined;
  input: Readable & { isTTY?: boolean };
  signal: AbortSignal;
};
