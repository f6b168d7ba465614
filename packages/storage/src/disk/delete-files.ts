import { rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const parallel = 16;

/** Deletes the files of `keys` below `root`, and the folders that this empties (never `root` itself). */
export async function deleteFiles(root: string, keys: readonly string[]): Promise<void> {
  const waiting = keys[Symbol.iterator]();
  const lane = async () => {
    for (const key of waiting) await deleteFile(root, key);
  };
  await Promise.all(Array.from({ length: parallel }, lane));
}

async function deleteFile(root: string, key: string): Promise<void> {
  const path = join(root, key);
  await rm(path, { force: true });
  // The first level (uploads, results...) stays.
  for (let folder = dirname(path); dirname(folder) !== root && folder !== root; folder = dirname(folder)) {
    const removed = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}
