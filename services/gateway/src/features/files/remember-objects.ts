import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
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
  const memory = makeByteCache(limits.totalBytes);
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

/** Buffers by key, up to a number of bytes. */
function makeByteCache(totalBytes: number) {
  const entries = new Map<string, Buffer>();
  let held = 0;
  const drop = (key: string) => {
    held -= entries.get(key)?.length ?? 0;
    entries.delete(key);
  };
  const set = (key: string, bytes: Buffer) => {
    drop(key);
    entries.set(key, bytes);
    held += bytes.length;
    for (const oldest of entries.keys()) {
      if (held <= totalBytes) return;
      drop(oldest);
    }
  };
  return {
    set,
    get: (key: string): Buffer | undefined => {
      const bytes = entries.get(key);
      // The first key of the map is the one that was not read for the longest time.
      if (bytes) set(key, bytes);
      return bytes;
    },
  };
}
