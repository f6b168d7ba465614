import { createHash, randomUUID } from 'node:crypto';
import type { Dir, Stats } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import { checkKey, checkPrefix } from './object-keys.ts';
import { checkedBytes, checkedStream, readChunks, resolveRange } from './read-chunks.ts';
import type { FetchedObject, GetOptions, ListedObject, PutOptions, Storage, StoredObject } from './storage.ts';
import { orUnavailable, unavailable } from './unavailable.ts';

export type DiskStorageOptions = { dataDir: string };

/** Opens object storage in DATA_DIR/objects, with one file per object. `ensure` creates the folder. */
export function openDiskStorage({ dataDir }: DiskStorageOptions): Storage {
  const folder = dataFolder(dataDir);
  const pathOf = (key: string) => join(folder.root, checkKey(key));
  return {
    put: async (key, stream, options = {}) =>
      writeAtomically(pathOf(key), folder.temporaryDir, (file) => writeChunks(file, stream, options)),
    get: async (key, options = {}) => getFile(pathOf(key), key, options),
    head: async (key) => {
      const path = pathOf(key);
      const facts = await orUnavailable(`looking up ${key}`, () => unlessMissing(stat(path)));
      return facts?.isFile() ? { sizeBytes: facts.size, modifiedAt: facts.mtime } : undefined;
    },
    deleteMany: async (keys) => {
      for (const key of keys) checkKey(key);
      await orUnavailable('deleting files', () => deleteFiles(folder.root, keys));
    },
    list: (prefix) => listFiles(folder.root, checkPrefix(prefix)),
    check: async (expectedId) => {
      const found = await orUnavailable('reading .id', () => findFolderId(folder));
      if (found === undefined || found !== expectedId) {
        throw unavailable('check', new Error(`${folder.root} is not the folder that setup prepared (see its .id)`));
      }
    },
    ensure: async () => {
      const id = await orUnavailable('preparing the data folder', () => ensureFolder(folder));
      return { id, expiresStaleUploads: false };
    },
    abortStaleUploads: (olderThan) =>
      orUnavailable('sweeping temporary files', () => removeStaleFiles(folder, olderThan)),
    close: async () => undefined,
  };
}

async function writeChunks(file: FileHandle, stream: Readable, options: PutOptions): Promise<StoredObject> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of readChunks(stream, options)) {
    hash.update(chunk);
    sizeBytes += chunk.length;
    await orUnavailable('writing a file', () => file.writeFile(chunk));
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

/**
 * Files up to this size, which is the size of one chunk, are read in one call. A stream would take several times as
 * long.
 */
const smallBytes = 64 * 1_024;

/** Reads `length` bytes of a file, or fewer if the file is shorter. */
async function readBytes(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Closing the stream also closes the file. */
async function getFile(path: string, key: string, options: GetOptions): Promise<FetchedObject> {
  options.signal?.throwIfAborted();
  const file = await orUnavailable(`opening ${key}`, () => unlessMissing(open(path, 'r')));
  if (!file) throw new AppError('not_found', { cause: new Error(`storage: no object ${key}`) });
  try {
    const { size: sizeBytes } = await orUnavailable(`inspecting ${key}`, () => file.stat());
    const { start, lengthBytes } = resolveRange(options.range, sizeBytes);
    if (lengthBytes <= smallBytes) {
      const bytes = await orUnavailable(`reading ${key}`, () => readBytes(file, start, lengthBytes));
      await file.close();
      options.signal?.throwIfAborted();
      return { stream: checkedBytes(bytes, { ...options, key, lengthBytes }), sizeBytes, lengthBytes };
    }
    const source = file.createReadStream({ start, ...(lengthBytes > 0 && { end: start + lengthBytes - 1 }) });
    return { stream: checkedStream(source, { ...options, key, lengthBytes }), sizeBytes, lengthBytes };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Holds only one folder handle per level, never a list of files. */
async function* listFiles(root: string, prefix: string): AsyncGenerator<ListedObject> {
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

const deleteConcurrency = 16;

/** Also deletes folders that become empty, except `root` and its direct subfolders. */
async function deleteFiles(root: string, keys: readonly string[]): Promise<void> {
  const waiting = keys[Symbol.iterator]();
  const deleteInTurn = async () => {
    for (const key of waiting) await deleteFile(root, key);
  };
  await Promise.all(Array.from({ length: deleteConcurrency }, deleteInTurn));
}

async function deleteFile(root: string, key: string): Promise<void> {
  const path = join(root, key);
  await rm(path, { force: true });
  // Keep the first folder level (uploads, results...).
  for (let folder = dirname(path); dirname(folder) !== root && folder !== root; folder = dirname(folder)) {
    const removed = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

/**
 * Paths of the object store. `objects/` contains the objects by key, `objects/.id` contains the folder's identity, and
 * `objects/.tmp` contains files that are being written.
 */
type DataFolder = { root: string; temporaryDir: string };

function dataFolder(dataDir: string): DataFolder {
  const root = join(dataDir, 'objects');
  return { root, temporaryDir: join(root, '.tmp') };
}

async function findFolderId({ root }: DataFolder): Promise<string | undefined> {
  return (await unlessMissing(readFile(join(root, '.id'), 'utf8')))?.trim();
}

async function ensureFolder(folder: DataFolder): Promise<string> {
  await mkdir(folder.temporaryDir, { recursive: true });
  const known = await findFolderId(folder);
  if (known) return known;
  const id = randomUUID();
  await writeAtomically(join(folder.root, '.id'), folder.temporaryDir, (file) => file.writeFile(`${id}\n`));
  return id;
}

async function removeStaleFiles({ temporaryDir }: DataFolder, olderThan: Date): Promise<number> {
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

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Fills a temporary file, syncs it, and moves it to `path`. Deletes the temporary file on an error. */
async function writeAtomically<T>(
  path: string,
  temporaryDir: string,
  fill: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const temporaryPath = join(temporaryDir, randomUUID());
  try {
    const file = await orUnavailable('opening a temporary file', () => open(temporaryPath, 'wx', 0o640));
    let result: T;
    try {
      result = await fill(file);
      await orUnavailable('syncing a file', () => file.sync());
    } finally {
      await orUnavailable('closing a file', () => file.close());
    }
    await orUnavailable('moving a file into place', () => moveInto(temporaryPath, path));
    return result;
  } catch (error) {
    await rm(temporaryPath, { force: true }).catch(() => undefined); // what stays is swept by abortStaleUploads
    throw error;
  }
}

async function moveInto(temporary: string, path: string): Promise<void> {
  const folder = dirname(path);
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(folder, { recursive: true });
      await rename(temporary, path);
      return await syncFolder(folder);
    } catch (error) {
      // Try again, because a concurrent delete may remove the empty folder between these steps.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 5) throw error;
    }
  }
}

/** Syncs a folder, which makes renames and new entries survive a power failure. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
