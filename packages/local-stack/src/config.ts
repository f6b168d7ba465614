import { join, resolve } from 'node:path';
import { parseSettings } from '@uprez/runtime/parse-settings';
import { type SettingName, settings } from '@uprez/runtime/settings';
import { storageOptions } from '@uprez/runtime/storage-options';

/** The settings that the starter itself uses; `env` is what every service gets. */
export interface StackConfig {
  /** Absolute. */
  dataDir: string;
  modelsDir: string;
  engine: (typeof settings)['AI_ENGINE']['_output'];
  port: number;
  publicUrl: string;
  /** Given by the user; undefined: an embedded server is started. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  sessionSecret: string | undefined;
  urlSecret: string | undefined;
  vaultSecret: string | undefined;
  /** The mail server given by the user; undefined: mails are caught here. */
  smtpHost: string | undefined;
  storage: 'disk' | 's3';
  /** The user's environment as it is; every service gets all of it. */
  env: NodeJS.ProcessEnv;
}

/** Required by the services, and made by the starter where the user gives none. */
const madeHere = [
  'DATABASE_URL',
  'REDIS_URL',
  'SESSION_SECRET',
  'URL_SECRET',
  'VAULT_SECRET',
] as const satisfies readonly SettingName[];
type MadeHere = (typeof madeHere)[number];

/** The environment this process was started with, for programs that need the user's own settings (PATH, proxies). */
export function hostEnv(): NodeJS.ProcessEnv {
  return process.env;
}

/**
 * Reads all settings, also those that only the services use, so that a wrong one stops the start before anything runs.
 * Paths are relative to `rootDir`. Throws one error that lists every wrong setting.
 */
export function readStackConfig(rootDir: string, env: NodeJS.ProcessEnv): StackConfig {
  // An empty variable means "not set", as in `PORT= npm start`.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const dataDir = resolve(rootDir, given.DATA_DIR ?? '.data');
  const modelsDir = given.MODELS_DIR ? resolve(rootDir, given.MODELS_DIR) : join(dataDir, 'models');
  const all = Object.keys(settings) as SettingName[];
  const names = all.filter((name) => !isMadeHere(name) || given[name] !== undefined);
  const parsed = parseSettings(names, given) as Omit<ReturnType<typeof parseAll>, MadeHere>;
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

const isMadeHere = (name: SettingName): name is MadeHere => (madeHere as readonly SettingName[]).includes(name);
const parseAll = (env: NodeJS.ProcessEnv) => parseSettings(Object.keys(settings) as SettingName[], env);
