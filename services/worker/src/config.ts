import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { parseSettings, storageOptions, storageSettings, telemetrySettings } from '@uprez/runtime/parse-settings';

const names = [
  ...storageSettings,
  ...telemetrySettings,
  'METRICS_HOST',
  'METRICS_PORT',
  'DATABASE_URL',
  'DATABASE_POOL',
  'REDIS_URL',
  'QUEUE_PREFIX',
  'MODELS_DIR',
  'PROFILES_DIR',
  'JOB_DIR',
  'JAIL',
  'LEASE_S',
  'RETRY_BASE_S',
  'DRAIN_S',
  'WORKER_NAME',
  'WORKER_POOL',
  'WORKER_CONCURRENCY',
  'WORKER_RECYCLE_JOBS',
  'AI_ENGINE',
  'AI_DEVICE',
  'AI_MARK_ALWAYS',
  'MAX_JOB_S',
] as const;

/** Reads the worker's settings. Throws SettingsError that lists all invalid settings. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = parseSettings(names, env);
  const tag = createHash('sha256').update(config.DATA_DIR).digest('hex').slice(0, 12);
  return {
    ...config,
    storage: storageOptions(config),
    MODELS_DIR: config.MODELS_DIR ?? path.join(config.DATA_DIR, 'models'),
    PROFILES_DIR: config.PROFILES_DIR ?? path.join(config.DATA_DIR, 'profiles'),
    // Outside DATA_DIR, because the children run as an unprivileged user who may access only this folder.
    JOB_DIR: config.JOB_DIR ?? path.join(os.tmpdir(), `uprez-${tag}`),
  };
}
export type Config = ReturnType<typeof readConfig>;
