import type { StackConfig } from '../config.ts';
import type { Secrets } from '../secrets.ts';

export interface ServiceEnvInput {
  config: StackConfig;
  secrets: Secrets;
  databaseUrl: string;
  redisUrl: string;
  /** Where the gateway listens. */
  gatewayPort: number;
  /** The mail settings, unless the user set them. */
  mailEnv: Record<string, string>;
}

/** Returns the environment of setup and services: that of the user, completed by the starter. */
export function makeServiceEnv({
  config,
  secrets,
  databaseUrl,
  redisUrl,
  mailEnv,
  gatewayPort,
}: ServiceEnvInput): NodeJS.ProcessEnv {
  return {
    ...config.env,
    ...mailEnv,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    DATA_DIR: config.dataDir,
    MODELS_DIR: config.modelsDir,
    AI_ENGINE: config.engine,
    PORT: String(gatewayPort),
    PUBLIC_URL: config.publicUrl,
    STORAGE: config.storage,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    SESSION_SECRET: config.sessionSecret ?? secrets.sessionSecret,
    VAULT_SECRET: config.vaultSecret ?? secrets.vaultSecret,
    URL_SECRET: config.urlSecret ?? secrets.urlSecret,
  };
}
