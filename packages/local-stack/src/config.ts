import { join, resolve } from 'node:path';
import { isModelId } from '@uprez/models/manifest';
import * as z from 'zod';

/** The settings that the starter itself uses; the services check the rest. */
export interface StackConfig {
  /** Absolute. */
  dataDir: string;
  modelsDir: string;
  engine: z.infer<typeof schema>['AI_ENGINE'];
  port: number;
  publicUrl: string;
  /** Given by the user; undefined: an embedded server is started. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  sessionSecret: string | undefined;
  urlSecret: string | undefined;
  storage: string;
  /** The user's environment as it is; every service gets all of it. */
  env: NodeJS.ProcessEnv;
}

const urlOf = (protocol: RegExp, example: string) => z.url({ protocol, error: `expected a URL like ${example}` });

const schema = z.object({
  DATA_DIR: z.string().default('.data'),
  MODELS_DIR: z.string().optional(),
  AI_ENGINE: z.string().refine(isModelId, { error: 'no such engine' }).default('photo-fast'),
  PORT: z.coerce.number({ error: 'expected a port' }).int().min(1).max(65_535).default(3000),
  PUBLIC_URL: urlOf(/^https?$/, 'https://images.example.com').optional(),
  DATABASE_URL: urlOf(/^postgres(ql)?$/, 'postgres://user:password@host:5432/name').optional(),
  REDIS_URL: urlOf(/^rediss?$/, 'redis://host:6379').optional(),
  SESSION_SECRET: z.string().optional(),
  URL_SECRET: z.string().optional(),
  STORAGE: z.enum(['disk', 's3']).default('disk'),
});

/** The environment this process was started with, for programs that need the user's own settings (PATH, proxies). */
export function hostEnv(): NodeJS.ProcessEnv {
  return process.env;
}

/** Reads the starter's settings; paths are relative to `rootDir`. Throws one error that lists every wrong setting. */
export function readStackConfig(rootDir: string, env: NodeJS.ProcessEnv): StackConfig {
  // An empty variable means "not set", as in `PORT= npm start`.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new Error(`these settings are wrong:\n${lines.join('\n')}`);
  }
  const settings = parsed.data;
  const dataDir = resolve(rootDir, settings.DATA_DIR);
  return {
    dataDir,
    modelsDir: settings.MODELS_DIR ? resolve(rootDir, settings.MODELS_DIR) : join(dataDir, 'models'),
    engine: settings.AI_ENGINE,
    port: settings.PORT,
    publicUrl: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`,
    databaseUrl: settings.DATABASE_URL,
    redisUrl: settings.REDIS_URL,
    sessionSecret: settings.SESSION_SECRET,
    urlSecret: settings.URL_SECRET,
    storage: settings.STORAGE,
    env: given,
  };
}
