import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the command takes from its environment. */
export type Environment = {
  apiKey: string | undefined;
  baseUrl: string | undefined;
  /** Where `uprez login` keeps a key. */
  configFile: string;
  /** Folders of commands. */
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
