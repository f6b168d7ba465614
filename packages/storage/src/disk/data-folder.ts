import { randomUUID } from 'node:crypto';
import { mkdir, opendir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from './write-atomically.ts';

/** `objects/` holds the objects by key, `objects/.id` the folder's identity, `objects/.tmp` files being written. */
export type DataFolder = { root: string; temporaryDir: string };

/** Paths of the object store below DATA_DIR. Touches nothing. */
export function dataFolder(dataDir: string): DataFolder {
  const root = join(dataDir, 'objects');
  return { root, temporaryDir: join(root, '.tmp') };
}

/** The identity written by `ensureFolder`, or undefined. */
export async function findFolderId({ root }: DataFolder): Promise<string | undefined> {
  return (await unlessMissing(readFile(join(root, '.id'), 'utf8')))?.trim();
}

/** Makes the folders and a random identity where they are missing; returns the identity. */
export async function ensureFolder(folder: DataFolder): Promise<string> {
  await mkdir(folder.temporaryDir, { recursive: true });
  const known = await findFolderId(folder);
  if (known) return known;
  const id = randomUUID();
  await writeAtomically(join(folder.root, '.id'), folder.temporaryDir, (file) => file.writeFile(`${id}\n`));
  return id;
}

/** Removes temporary files last written before `olderThan`; returns how many. */
export async function removeStaleFiles({ temporaryDir }: DataFolder, olderThan: Date): Promise<number> {
  let removed = 0;
  for await (const { name } of await opendir(temporaryDir)) {
    const path = join(temporaryDir, name);
    const facts = await unlessMissing(stat(path));
    if (!facts || facts.mtime >= olderThan) continue;
    await rm(path, { force: true });
    removed++;
  }
  return removed;
}

/** The value, or undefined when the file is not there (or was deleted meanwhile). */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
