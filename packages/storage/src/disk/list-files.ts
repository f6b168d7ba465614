import type { Dir, Stats } from 'node:fs';
import { opendir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ListedObject } from '../storage.ts';
import { unavailable } from '../unavailable.ts';
import { unlessMissing } from './data-folder.ts';

/** Every object file below `root` whose key begins with `prefix`. Holds one folder's handle per level, never a list. */
export async function* listFiles(root: string, prefix: string): AsyncGenerator<ListedObject> {
  try {
    yield* walk(root, prefix.slice(0, Math.max(0, prefix.lastIndexOf('/'))), prefix);
  } catch (error) {
    throw unavailable('listing files', error);
  }
}

async function* walk(root: string, folder: string, prefix: string): AsyncGenerator<ListedObject> {
  const entries = await unlessMissing<Dir>(opendir(join(root, folder)));
  if (!entries) return;
  for await (const entry of entries) {
    if (entry.name.startsWith('.')) continue; // our own .id and .tmp
    const key = folder ? `${folder}/${entry.name}` : entry.name;
    if (!key.startsWith(prefix) && !prefix.startsWith(`${key}/`)) continue;
    if (entry.isDirectory()) yield* walk(root, key, prefix);
    else {
      const facts = await unlessMissing<Stats>(stat(join(root, key)));
      if (facts) yield { key, sizeBytes: facts.size, modifiedAt: facts.mtime };
    }
  }
}

const parallel = 16;

/** Deletes the files of `keys` below `root`, and the folders that this empties (never `root` itself). */
export async function deleteFiles(root: string, keys: readonly string[]): Promise<void> {
  const waiting = keys[Symbol.iterator]();
  const deleteInTurn = async () => {
    for (const key of waiting) await deleteFile(root, key);
  };
  await Promise.all(Array.from({ length: parallel }, deleteInTurn));
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
