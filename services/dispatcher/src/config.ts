import {
  mailSettings,
  parseSettings,
  publicUrlOf,
  SettingsError,
  storageOptions,
  storageSettings,
  telemetrySettings,
} from '@uprez/runtime/parse-settings';
import { paymentOptions, paymentSettings } from '@uprez/runtime/payment-options';

const shared = [...storageSettings, 'LOG_LEVEL', 'DATABASE_URL', 'DATABASE_POOL'] as const;

/** Reads the dispatcher's settings. Throws SettingsError that lists all invalid settings. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const names = [
    ...shared,
    ...telemetrySettings,
    ...mailSettings,
    ...paymentSettings,
    'PORT',
    'PUBLIC_URL',
    'VAULT_SECRET',
    'METRICS_HOST',
    'METRICS_PORT',
    'REDIS_URL',
    'QUEUE_PREFIX',
    'SWEEP_S',
    'PROBES',
    'RETRY_BASE_S',
    'UNFINISHED_S',
  ] as const;
  const config = parseSettings(names, env);
  return {
    ...config,
    PUBLIC_URL: publicUrlOf(config),
    storage: storageOptions(config),
    payments: paymentOptions(config, { receivesEvents: false }),
  };
}
export type Config = ReturnType<typeof readConfig>;

/** Reads the settings for the setup: database, storage, the first administrator, and Stripe. */
export function readSetupConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = parseSettings([...shared, ...paymentSettings, 'ADMIN_EMAIL', 'ADMIN_PASSWORD'] as const, env);
  return {
    ...config,
    storage: storageOptions(config),
    payments: paymentOptions(config, { receivesEvents: false }),
  };
}

/** Reads the settings for the sync with Stripe. Throws SettingsError if Stripe's keys are missing. */
export function readSyncConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = parseSettings([...paymentSettings, 'DATABASE_URL', 'PORT', 'PUBLIC_URL'] as const, env);
  const payments = paymentOptions(config, { receivesEvents: false });
  if (!payments) throw new SettingsError(['STRIPE_SECRET_KEY is missing', 'STRIPE_PUBLISHABLE_KEY is missing']);
  return { ...config, PUBLIC_URL: publicUrlOf(config), payments };
}

export const readDatabaseConfig = (env: NodeJS.ProcessEnv = process.env) => parseSettings(['DATABASE_URL'], env);

export const readResealConfig = (env: NodeJS.ProcessEnv = process.env) =>
  parseSettings(['DATABASE_URL', 'VAULT_SECRET'], env);

export function readCheckConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = parseSettings(shared, env);
  return { ...config, storage: storageOptions(config) };
}
