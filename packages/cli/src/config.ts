import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/**
 * `configFile` is the file in which `uprez login` stores the API key. `stateDir` is the folder for the journals of
 * bucket outputs.
 */
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

/**
 * Reads the bucket settings that the S3 client doesn't read from the environment itself. `region` is undefined if the
 * client must look it up.
 */
export function readBucketSettings(): { region: string | undefined; hasEndpoint: boolean } {
  const { env } = process;
  // Hides the SDK's warning about the Node.js version, because users of the CLI can't act on it.
  env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const hasEndpoint = Boolean(env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL);
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION;
  // Other S3-compatible services ignore the region, but signatures require one.
  return { region: region ?? (hasEndpoint && !env.AWS_PROFILE ? 'us-east-1' : undefined), hasEndpoint };
}

export type CliContext = {
  env: Environment;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Terminal that shows the progress bar, or `undefined` if stderr isn't a terminal. */
  terminal: { write: (text: string) => unknown; columns: number } | undefined;
  input: Readable & { isTTY?: boolean };
  signal: AbortSignal;
};
