import { type DiskStorageOptions, openDiskStorage } from './open-disk-storage.ts';
import { openS3Storage, type S3StorageOptions } from './open-s3-storage.ts';
import type { Storage } from './storage.ts';
import { traceStorage } from './trace-storage.ts';

export type StorageOptions = ({ kind: 'disk' } & DiskStorageOptions) | ({ kind: 's3' } & S3StorageOptions);

/** The storage that the settings choose. */
export function openStorage(options: StorageOptions): Storage {
  return traceStorage(options.kind === 'disk' ? openDiskStorage(options) : openS3Storage(options));
}
