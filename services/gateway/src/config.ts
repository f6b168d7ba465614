import path from 'node:path';
import { parseSettings } from '@uprez/runtime/parse-settings';
import { storageOptions, storageSettings } from '@uprez/runtime/storage-options';

const names = [
  ...storageSettings,
  'LOG_LEVEL',
  'PORT',
  'PUBLIC_URL',
  'TRUST_PROXY',
  'METRICS_PORT',
  'DATABASE_URL',
  'DATABASE_POOL',
  'REDIS_URL',
  'QUEUE_PREFIX',
  'SESSION_SECRET',
  'URL_SECRET',
  'WEB_DIR',
  'JAIL',
  'AI_ENGINE',
  'MAX_JOB_S',
] as const;

/** The gateway's settings, read once. Throws SettingsError with every wrong one. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = parseSettings(names, env);
  return {
    ...config,
    storage: storageOptions(config),
    WEB_DIR: config.WEB_DIR ?? path.resolve('apps/web/dist'),
    PUBLIC_URL: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
  };
}
export type Config = ReturnType<typeof readConfig>;
