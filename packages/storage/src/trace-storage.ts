import { withSpan } from '@uprez/tracing/spans';
import type { Storage } from './storage.ts';

/** Adds spans of the current trace. Keys of objects are left out. `storage get` ends when the first byte can be read. */
export function traceStorage(storage: Storage): Storage {
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
