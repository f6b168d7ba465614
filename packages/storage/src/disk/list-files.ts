import type { Dir, Stats } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedObject } from '../storage.ts';
import { unlessMissing } from './unless-missing.ts';

/** Every object file below `root` whose key begins with `prefix`. Holds one folder's handle per level, never a list. */
export async function* listFiles(root: string, prefix: string): AsyncGenerator<ListedObject> {
  const slash = prefix.lastIndexOf('/');
  yield* walk(root, slash < 0 ? '' : prefix.slice(0, slash), prefix);
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
