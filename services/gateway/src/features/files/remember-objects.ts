import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../../deps.ts';

type Files = Pick<Deps['storage'], 'get'>;
/** `bytes`: those of the stream, if they are in memory. */
export type FetchedFile = Awaited<ReturnType<Files['get']>> & { bytes?: Buffer };
export type RememberedFiles = { get: (...wanted: Parameters<Files['get']>) => Promise<FetchedFile> };

/** Bytes in memory: of all objects, and of one. */
export type MemoryLimits = { totalBytes: number; objectBytes: number };

/**
 * Returns a storage that keeps small objects in memory, and drops those that were not read for the longest time. Only for
 * objects that callers know to be stored: their bytes never change, but an object may be deleted.
 */
export function rememberObjects(storage: Files, limits: MemoryLimits): RememberedFiles {
  const memory = new LRUCache<string, Buffer>({
    maxSize: limits.totalBytes,
    // An empty object takes no memory, but sizes are positive.
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
  });
  return {
    get: async (key, options = {}) => {
      const known = memory.get(key);
      if (known) return fromBytes(known, options.range);
      const fetched = await storage.get(key, options);
      if (options.range || fetched.sizeBytes > limits.objectBytes) return fetched;
      const bytes = await buffer(fetched.stream);
      memory.set(key, bytes);
      return fromBytes(bytes, undefined);
    },
  };
}

function fromBytes(bytes: Buffer, range: { start: number; end?: number } | undefined): FetchedFile {
  const part = range ? bytes.subarray(range.start, (range.end ?? bytes.length - 1) + 1) : bytes;
  return { stream: Readable.from([part]), bytes: part, sizeBytes: bytes.length, lengthBytes: part.length };
}
