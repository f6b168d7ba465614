import { join, resolve } from 'node:path';
import { parseSettings, publicUrlOf, storageOptions } from '@uprez/runtime/parse-settings';
import { paymentOptions } from '@uprez/runtime/payment-options';
import { type SettingName, settings } from '@uprez/runtime/settings';

export type StackConfig = ReturnType<typeof readStackConfig>;

/** The starter provides them unless the user sets them. */
const providedSettings = ['DATABASE_URL', 'REDIS_URL', 'SESSION_SECRET', 'URL_SECRET', 'VAULT_SECRET'] as const;
type ParsedSetting = Exclude<SettingName, (typeof providedSettings)[number]>;

/** Returns the environment of this process, for code that needs the user's settings, such as PATH and proxies. */
export const hostEnv = (): NodeJS.ProcessEnv => process.env;

/**
 * Reads and validates all settings, including the settings that only services use. Resolves relative paths against
 * `rootDir`. Throws one error that lists every invalid setting.
 */
export function readStackConfig(rootDir: string, env: NodeJS.ProcessEnv) {
  // An empty variable counts as unset, as in `PORT= npm start`.
  const given: NodeJS.ProcessEnv = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const dataDir = resolve(rootDir, given.DATA_DIR ?? '.data');
  const modelsDir = given.MODELS_DIR ? resolve(rootDir, given.MODELS_DIR) : join(dataDir, 'models');
  const absent = providedSettings.filter((name) => !(name in given));
  const names = Object.keys(settings).filter((name) => !absent.some((one) => one === name));
  const parsed = parseSettings(names as ParsedSetting[], given);
  storageOptions(parsed);
  return {
    dataDir,
    modelsDir,
    engine: parsed.AI_ENGINE,
    /** Installed while the product is running. */
    otherEngines: parsed.AI_ENGINES.filter((name) => name !== parsed.AI_ENGINE),
    port: parsed.PORT,
    publicUrl: publicUrlOf(parsed),
    /** If undefined, an embedded server is started. */
    databaseUrl: given.DATABASE_URL,
    redisUrl: given.REDIS_URL,
    /** If undefined, the mail catcher receives all email. */
    smtpHost: given.SMTP_HOST,
    storage: parsed.STORAGE ?? 'disk',
    /** The user's Stripe account. If undefined, the Stripe double is started, except in production. */
    payments: paymentOptions(parsed),
    isProduction: parsed.NODE_ENV === 'production',
    /** The user's environment, without empty variables. Every service receives it. */
    env: given,
  };
}
