import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Output } from './output.ts';
import type { Item } from './plan-items.ts';

/** Calls `use` with the path of an image. An object of a bucket is downloaded, and deleted afterwards. */
export async function useSource<T>(
  { path, key, remote }: Item,
  { results, signal }: { results: Output; signal: AbortSignal },
  use: (path: string) => Promise<T>,
): Promise<T> {
  if (!remote) return use(path);
  const file = join(results.parts, `${key}.source`);
  try {
    await remote.download(file, signal);
    return await use(file);
  } finally {
    await rm(file, { force: true });
  }
}
