import * as z from 'zod';
import { type SettingName, settings } from './settings.ts';

/** Error with one line for each wrong or missing setting. Values are left out, because some are secret. */
export class SettingsError extends Error {
  constructor(lines: readonly string[]) {
    super(`Invalid settings:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

type ParsedSettings<Names extends SettingName> = { [Name in Names]: z.output<(typeof settings)[Name]> };

/** Reads the named settings from an environment. An empty string counts as absent. Throws SettingsError. */
export function parseSettings<Names extends SettingName>(
  names: readonly Names[],
  env: NodeJS.ProcessEnv,
): ParsedSettings<Names> {
  const shape = Object.fromEntries(names.map((name) => [name, settings[name]]));
  const given = Object.fromEntries(names.map((name) => [name, env[name] === '' ? undefined : env[name]]));
  const parsed = z.object(shape).safeParse(given);
  if (!parsed.success)
    throw new SettingsError(
      parsed.error.issues.map((issue) => {
        const name = String(issue.path[0]);
        return given[name] === undefined ? `${name} is missing` : `${name}: must be ${describe(issue)}`;
      }),
    );
  return parsed.data as ParsedSettings<Names>;
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `one of: ${issue.values.join(', ')}`;
  if (issue.code === 'too_small') return `at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`;
  if (issue.code === 'too_big') return `at most ${issue.maximum}`;
  if (issue.code === 'invalid_format' && issue.format === 'email') return 'an email address';
  return issue.message;
}

export const telemetrySettings = [
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER_ARG',
] as const;

export const storageSettings = [
  'NODE_ENV',
  'DATA_DIR',
  'STORAGE',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_FORCE_PATH_STYLE',
  'S3_PUBLIC_ENDPOINT',
] as const;

/**
 * Returns the storage options. `STORAGE` defaults to `disk`, but is required in production. `stallMs`: maximum time
 * without progress. Throws SettingsError.
 */
export function storageOptions(config: ParsedSettings<(typeof storageSettings)[number]>, stallMs?: number) {
  if (!config.STORAGE && config.NODE_ENV === 'production') throw new SettingsError(['STORAGE is missing (disk or s3)']);
  if (config.STORAGE !== 's3') return { kind: 'disk' as const, dataDir: config.DATA_DIR };
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  // Without both keys, the instance's own role is used. If only one key is set, that's a mistake.
  if (accessKeyId && !secretAccessKey) throw new SettingsError(['S3_SECRET_ACCESS_KEY is missing']);
  if (secretAccessKey && !accessKeyId) throw new SettingsError(['S3_ACCESS_KEY_ID is missing']);
  return {
    kind: 's3' as const,
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    accessKeyId,
    secretAccessKey,
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT,
    stallMs,
  };
}

export const mailSettings = [
  'SMTP_HOST',
  'SMTP_PORT',
  'SMTP_USER',
  'SMTP_PASSWORD',
  'SMTP_SECURE',
  'SMTP_FROM_EMAIL',
  'SMTP_FROM_NAME',
] as const;

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export const isLoopbackUrl = (url: string): boolean => loopbackHosts.has(new URL(url).hostname);

/** Whether the gateway listens on the loopback interface only, so that all callers are on this machine. */
export const listensOnLoopback = (config: { NODE_ENV: string; PUBLIC_URL: string }): boolean =>
  config.NODE_ENV !== 'production' && isLoopbackUrl(config.PUBLIC_URL);

/** Returns the public URL of the product. Defaults to localhost. */
export const publicUrlOf = (config: { PUBLIC_URL?: string | undefined; PORT: number }): string =>
  config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
