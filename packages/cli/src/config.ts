import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** `configFile`: where `uprez login` stores the API key. */
export type Environment = ReturnType<typeof readEnvironment>;

export function readEnvironment() {
  const { UPREZ_API_KEY, UPREZ_URL, XDG_CONFIG_HOME, PATH } = process.env;
  return {
    apiKey: UPREZ_API_KEY || undefined,
    baseUrl: UPREZ_URL || undefined,
    configFile: join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'uprez', 'config.json'),
    path: PATH ?? '',
  };
}

export type CliContext = {
  env: Environment;
  /** stdout, for results. */
  out: (text: string) => void;
  /** stderr, for everything else. */
  err: (text: string) => void;
  /** Terminal for the progress bar. `undefined` if stderr isn't a terminal. */
  terminal: { write: (text: string) => unknown; columns: number } | undefined;
  input: Readable & { isTTY?: boolean };
  signal: AbortSignal;
};
