import { mailSettings, publicUrlOf } from '@uprez/runtime/mail-settings';
import { parseSettings } from '@uprez/runtime/parse-settings';
import { storageOptions, storageSettings } from '@uprez/runtime/storage-options';

const shared = [...storageSettings, 'LOG_LEVEL', 'DATABASE_URL', 'DATABASE_POOL'] as const;

/** The dispatcher's settings, read once. Throws SettingsError with every wrong one. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const names = [
    ...shared,
    ...mailSettings,
    'PORT',
    'PUBLIC_URL',
    'VAULT_SECRET',
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

/** What setup needs: database, storage, and who the first administrator is. */
export function readSetupConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = parseSettings([...shared, 'ADMIN_EMAIL', 'ADMIN_PASSWORD'] as const, env);
  return { ...config, storage: storageOptions(config) };
}

/** What the ledger check needs: database and storage. */
export function readCheckConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = parseSettings(shared, env);
  return { ...config, storage: storageOptions(config) };
}
