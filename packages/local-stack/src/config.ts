import { join, resolve } from 'node:path';
import { parseSettings } from '@uprez/runtime/parse-settings';
import { type SettingName, settings } from '@uprez/runtime/settings';
import { storageOptions } from '@uprez/runtime/storage-options';

/** The settings that the starter uses. */
export interface StackConfig {
  /** Absolute path. */
  dataDir: string;
  modelsDir: string;
  engine: (typeof settings)['AI_ENGINE']['_output'];
  port: number;
  publicUrl: string;
  /** Set by the user. If undefined, an embedded server is started. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  sessionSecret: string | undefined;
  urlSecret: string | undefined;
  vaultSecret: string | undefined;
  /** The user's mail server. If undefined, the mail catcher receives all email. */
  smtpHost: string | undefined;
  storage: 'disk' | 's3';
  /** The environment of the user, which every service receives. */
  env: NodeJS.ProcessEnv;
}

/** Settings that services require and that the starter provides unless the user sets them. */
const provided = [
  'DATABASE_URL',
  'REDIS_URL',
  'SESSION_SECRET',
  'URL_SECRET',
  'VAULT_SECRET',
] as const satisfies readonly SettingName[];
type Provided = (typeof provided)[number];

/** Returns the environment of this process, for programs that need the settings of the user (PATH, proxies). */
export function hostEnv(): NodeJS.ProcessEnv {
  return process.env;
}

/**
 * Reads and validates all settings, including those that only services use. Paths are relative to `rootDir`. Throws one
 * error that lists every invalid setting.
 */
export function readStackConfig(rootDir: string, env: NodeJS.ProcessEnv): StackConfig {
  // An empty variable counts as not set, as in `PORT= npm start`.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const dataDir = resolve(rootDir, given.DATA_DIR ?? '.data');
  const modelsDir = given.MODELS_DIR ? resolve(rootDir, given.MODELS_DIR) : join(dataDir, 'models');
  const all = Object.keys(settings) as SettingName[];
  const names = all.filter((name) => !isProvided(name) || given[name] !== undefined);
  const parsed = parseSettings(names, given) as Omit<ReturnType<typeof parseAll>, Provided>;
  storageOptions(parsed);
  return {
    dataDir,
    modelsDir,
    engine: parsed.AI_ENGINE,
    port: parsed.PORT,
    publicUrl: parsed.PUBLIC_URL ?? `http://localhost:${parsed.PORT}`,
    databaseUrl: given.DATABASE_URL,
    redisUrl: given.REDIS_URL,
    sessionSecret: given.SESSION_SECRET,
    urlSecret: given.URL_SECRET,
    vaultSecret: given.VAULT_SECRET,
    smtpHost: given.SMTP_HOST,
    storage: parsed.STORAGE ?? 'disk',
    env: given,
  };
}

const isProvided = (name: SettingName): name is Provided => (provided as readonly SettingName[]).includes(name);
const parseAll = (env: NodeJS.ProcessEnv) => parseSettings(Object.keys(settings) as SettingName[], env);
