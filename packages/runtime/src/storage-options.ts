import type * as z from 'zod';
import { SettingsError } from './parse-settings.ts';
import type { SettingName, settings } from './settings.ts';

/** Names of the settings that choose the object storage. */
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
] as const satisfies readonly SettingName[];

type StorageConfig = { [Name in (typeof storageSettings)[number]]: z.output<(typeof settings)[Name]> };

/**
 * Storage options: `disk` by default, but required in production. `stallMs`: limit without progress. Throws
 * SettingsError.
 */
export function storageOptions(config: StorageConfig, stallMs?: number) {
  if (!config.STORAGE && config.NODE_ENV === 'production') throw new SettingsError(['STORAGE is missing (disk or s3)']);
  if (config.STORAGE !== 's3') return { kind: 'disk' as const, dataDir: config.DATA_DIR };
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  // Neither: the instance's own role is used. One alone is a mistake.
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
