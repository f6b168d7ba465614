import path from 'node:path';
import {
  isLoopbackUrl,
  listensOnLoopback,
  mailSettings,
  parseSettings,
  publicUrlOf,
  SettingsError,
  storageOptions,
  storageSettings,
  telemetrySettings,
} from '@uprez/runtime/parse-settings';
import { paymentOptions, paymentSettings } from '@uprez/runtime/payment-options';

const names = [
  ...storageSettings,
  ...telemetrySettings,
  'PORT',
  'PUBLIC_URL',
  'TRUST_PROXY',
  'COUNTRY_HEADER',
  'MAX_CONNECTIONS',
  'MAX_CONNECTIONS_PER_ADDRESS',
  'BODY_MEMORY_MB',
  'SPOOL_MB',
  'METRICS_HOST',
  'METRICS_PORT',
  'DATABASE_URL',
  'DATABASE_POOL',
  'REDIS_URL',
  'QUEUE_PREFIX',
  ...mailSettings,
  ...paymentSettings,
  'RATE_LIMIT_SCALE',
  'VAULT_SECRET',
  'SESSION_SECRET',
  'URL_SECRET',
  'WEB_DIR',
  'MODELS_DIR',
  'JAIL',
  'AI_ENGINE',
  'AI_MARK_ALWAYS',
  'MAX_JOB_S',
  'MAX_WAIT_FREE_S',
  'MAX_WAIT_PAID_S',
  'SWEEP_S',
] as const;

/**
 * Time without progress after which a storage request is aborted. Shorter than in a worker, because a client is
 * waiting.
 */
const stallMs = 8_000;

/** Reads the gateway's settings. Throws a SettingsError that lists every invalid setting. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const config = parseSettings(names, env);
  const publicUrl = publicUrlOf(config);
  const { protocol, hostname } = new URL(publicUrl);
  // Over http, anyone on the network path can read the session cookie.
  if (config.NODE_ENV === 'production' && protocol === 'http:' && !isLoopbackUrl(publicUrl))
    throw new SettingsError(['PUBLIC_URL: must start with https:// in production']);
  return {
    ...config,
    storage: storageOptions(config, stallMs),
    /** Undefined without Stripe's keys, in which case no plan can be bought. */
    payments: paymentOptions(config),
    WEB_DIR: config.WEB_DIR ?? path.resolve('apps/web/dist'),
    MODELS_DIR: config.MODELS_DIR ?? path.join(config.DATA_DIR, 'models'),
    PUBLIC_URL: publicUrl,
    // Outside production, a loopback PUBLIC_URL restricts access to this machine. Otherwise, the gateway listens on all
    // interfaces, because containers are reached through their network.
    HOST: listensOnLoopback({ ...config, PUBLIC_URL: publicUrl })
      ? hostname === '[::1]'
        ? '::1'
        : '127.0.0.1'
      : '0.0.0.0',
  };
}
export type Config = ReturnType<typeof readConfig>;
