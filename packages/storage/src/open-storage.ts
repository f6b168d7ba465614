import { withSpan } from '@uprez/tracing/spans';
import { type DiskStorageOptions, openDiskStorage } from './open-disk-storage.ts';
import { openS3Storage, type S3StorageOptions } from './open-s3-storage.ts';
import type { Storage } from './storage.ts';

export type StorageOptions = ({ kind: 'disk' } & DiskStorageOptions) | ({ kind: 's3' } & S3StorageOptions);

/** Opens the configured storage, with tracing. */
export function openStorage(options: StorageOptions): Storage {
  return traceStorage(options.kind === 'disk' ? openDiskStorage(options) : openS3Storage(options));
}

/** The spans don't contain object keys. `storage get` ends when the first byte can be read. */
function traceStorage(storage: Storage): Storage {
  const { put, get, deleteMany } = storage;
  return Object.assign(storage, {
    put: (...args: Parameters<Storage['put']>) =>
      withSpan('storage put', { kind: 'client' }, async (span) => {
        const stored = await put.apply(storage, args);
        span?.add({ 'uprez.bytes': stored.sizeBytes });
        return stored;
      }),
    get: (...args: Parameters<Storage['get']>) =>
      withSpan('storage get', { kind: 'client' }, async (span) => {
        const fetched = await get.apply(storage, args);
        span?.add({ 'uprez.bytes': fetched.lengthBytes });
        return fetched;
      }),
    deleteMany: (keys: readonly string[]) =>
      withSpan('storage delete', { kind: 'client', facts: { 'uprez.count': keys.length } }, () =>
        deleteMany.call(storage, keys),
      ),
  });
}
