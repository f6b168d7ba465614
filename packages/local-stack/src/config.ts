import { join, resolve } from 'node:path';
import { parseSettings, storageOptions } from '@uprez/runtime/parse-settings';
import { type SettingName, settings } from '@uprez/runtime/settings';

export interface StackConfig {
  dataDir: string;
  modelsDir: string;
  engine: (typeof settings)['AI_ENGINE']['_output'];
  port: number;
  publicUrl: string;
  /** Set by the user. If undefined, an embedded server is started. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** The user's mail server. If undefined, the mail catcher receives all email. */
  smtpHost: string | undefined;
  storage: 'disk' | 's3';
  /** The environment of the user, which every service receives. */
  env: NodeJS.ProcessEnv;
}

/** Settings that services require and that the starter provides unless the user sets them. */
type Provided = 'DATABASE_URL' | 'REDIS_URL' | 'SESSION_SECRET' | 'URL_SECRET' | 'VAULT_SECRET';
const provided: readonly string[] = [
  'DATABASE_URL',
  'REDIS_URL',
  'SESSION_SECRET',
  'URL_SECRET',
  'VAULT_SECRET',
] satisfies Provided[];

/** Returns the environment of this process, for programs that need the settings of the user (PATH, proxies). */
export const hostEnv = (): NodeJS.ProcessEnv => process.env;

/**
 * Reads and validates all settings, including those that only services use. Paths are relative to `rootDir`. Throws one
 * error that lists every invalid setting.
 */
export function readStackConfig(rootDir: string, env: NodeJS.ProcessEnv): StackConfig {
  // An empty variable counts as not set, as in `PORT= npm start`.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const dataDir = resolve(rootDir, given.DATA_DIR ?? '.data');
  const modelsDir = given.MODELS_DIR ? resolve(rootDir, given.MODELS_DIR) : join(dataDir, 'models');
  const names = (Object.keys(settings) as SettingName[]).filter((name) => !provided.includes(name) || name in given);
  const parsed = parseSettings(names as Exclude<SettingName, Provided>[], given);
  storageOptions(parsed);
  return {
    dataDir,
    modelsDir,
    engine: parsed.AI_ENGINE,
    port: parsed.PORT,
    publicUrl: parsed.PUBLIC_URL ?? `http://localhost:${parsed.PORT}`,
    databaseUrl: given.DATABASE_URL,
    redisUrl: given.REDIS_URL,
    smtpHost: given.SMTP_HOST,
    storage: parsed.STORAGE ?? 'disk',
    env: given,
  };
}
