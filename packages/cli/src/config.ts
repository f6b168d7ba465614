import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** `configFile`: where `uprez login` stores the API key. `stateDir`: folder for journals of buckets. */
export type Environment = ReturnType<typeof readEnvironment>;

export function readEnvironment() {
  const { UPREZ_API_KEY, UPREZ_URL, XDG_CONFIG_HOME, XDG_STATE_HOME, PATH } = process.env;
  return {
    apiKey: UPREZ_API_KEY || undefined,
    baseUrl: UPREZ_URL || undefined,
    configFile: join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'uprez', 'config.json'),
    stateDir: join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'uprez'),
    path: PATH ?? '',
  };
}

/** Reads what the S3 client doesn't read from the environment by itself. `region`: set if the client can't find one. */
export function readBucketSettings(): { region: string | undefined; hasEndpoint: boolean } {
  const { env } = process;
  // The program can't change the version of Node.js.
  env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const hasEndpoint = Boolean(env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL);
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION;
  // Other services ignore the region, but it is part of each signature.
  return { region: region ?? (hasEndpoint && !env.AWS_PROFILE ? 'us-east-1' : undefined), hasEndpoint };
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
