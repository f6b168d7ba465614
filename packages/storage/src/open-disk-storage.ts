import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import { dataFolder, ensureFolder, findFolderId, removeStaleFiles, unlessMissing } from './disk/data-folder.ts';
import { deleteFiles, listFiles } from './disk/list-files.ts';
import { writeAtomically } from './disk/write-atomically.ts';
import { checkKey, checkPrefix } from './object-keys.ts';
import { checkedBytes, checkedStream, readChunks, resolveRange } from './read-chunks.ts';
import type { FetchedObject, GetOptions, PutOptions, Storage, StoredObject } from './storage.ts';
import { orUnavailable, unavailable } from './unavailable.ts';

export type DiskStorageOptions = { dataDir: string };

/** Object storage in DATA_DIR/objects, one file an object. Opens nothing: the folder is made by `ensure`. */
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

/** Files are read at once up to this size, which is that of one chunk: a stream takes several times as long as the bytes. */
const smallBytes = 64 * 1_024;

/** Reads bytes of a file; fewer if it ends before. */
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

/** Opens an object's file for reading; the handle closes with the stream. */
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
