import {
  mailSettings,
  parseSettings,
  publicUrlOf,
  storageOptions,
  storageSettings,
} from '@uprez/runtime/parse-settings';

const shared = [...storageSettings, 'LOG_LEVEL', 'DATABASE_URL', 'DATABASE_POOL'] as const;

/** Read the dispatcher's settings. Throws SettingsError with all invalid ones. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const names = [
    ...shared,
    ...mailSettings,
    'PORT',
    'PUBLIC_URL',
    'VAULT_SECRET',
    'METRICS_HOST',
    'METRICS_PORT',
    'REDIS_URL',
    'QUEUE_PREFIX',
    'SWEEP_S',
    'RETRY_BASE_S',
    'UNFINISHED_S',
  ] as const;
  const config = parseSettings(names, env);
  return { ...config, PUBLIC_URL: publicUrlOf(config), storage: storageOptions(config) };
}
export type Config = ReturnType<typeof readConfig>;

/** Settings of the setup: database, storage, and the first administrator. */
export function readSetupConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = parseSettings([...shared, 'ADMIN_EMAIL', 'ADMIN_PASSWORD'] as const, env);
  return { ...config, storage: storageOptions(config) };
}

export function readCheckConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = parseSettings(shared, env);
  return { ...config, storage: storageOptions(config) };
}
